package io.penstock.bindings.pool;

/**
 * How one model's engines cut a logical page of KV cache into the physical objects of a shared pool, and how they name
 * them.
 *
 * <p>A page's key is the engines' page or chunk hash: up to 32 bytes, as four big-endian words, shorter ones with zeros
 * behind.
 *
 * <p><b>Threading:</b> immutable.
 */
public interface ObjectLayout {
    /** Words of a page's key. */
    int KEY_WORDS = 4;

    /** {@link #resolve}: the name is not one of this layout. */
    int NOT_OURS = -1;

    /**
     * {@link #resolve}: a page of this model and prefix, but a rank, part or pool that the layout does not have. Where these
     * come, the layout is another than the engines'.
     */
    int UNKNOWN_PART = -2;

    /** Tokens of a page. */
    int pageSize();

    /** Physical objects of a page, all of which an engine needs. */
    int objectsPerPage();

    /**
     * Reads an object's name.
     *
     * @param name ASCII, {@code length} bytes from {@code from} on
     * @param key gets the page's key from index {@code at} on
     * @return number of the object within its page, {@link #NOT_OURS} or {@link #UNKNOWN_PART}
     */
    int resolve(byte[] name, int from, int length, long[] key, int at);

    /** Name of an object of a page: what {@link #resolve} reads. */
    String name(long[] key, int at, int object);

    /** The layout in one line, for messages: family and numbers. */
    String describe();
}
