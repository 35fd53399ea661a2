package io.penstock.bindings.events;

/**
 * Reads the KV events of one engine batch in order, in primitives, whatever engine and version sent them.
 *
 * <p>Use: {@link #wrap}, then {@link #next} until {@link #END} or {@link #MALFORMED}. The answers about an event hold
 * until the next call of {@code next}. Nothing throws on data. {@code wrap} has walked the whole payload once, so a
 * payload that is cut off or does not nest is refused before its first event is seen; what is left for
 * {@code MALFORMED} are fields of a wrong type.
 *
 * <p>Hashes are raw 64 bits of the engine's own block hash, opaque. Texts are given as ranges of the wrapped array.
 *
 * <p><b>Threading:</b> owned by the caller. <b>Cost:</b> no allocation once its columns have grown to the largest event.
 */
public interface KvEventCursor {
    /** No further event. */
    int END = 0;

    /** Blocks became resident. */
    int STORED = 1;

    /** One copy of each block left. */
    int REMOVED = 2;

    /** All blocks are gone. */
    int CLEARED = 3;

    /** An event to be left out; {@link #skipReason} says why. */
    int SKIPPED = 4;

    /** The batch does not decode from here on; stays so until {@link #wrap}. */
    int MALFORMED = -1;

    /**
     * Takes a batch payload.
     *
     * @return false if it is no batch
     */
    boolean wrap(byte[] payload, int offset, int length);

    /** The batch's time, raw bits of the engine's double (seconds since 1970). */
    long timestampBits();

    /** Data-parallel rank that the batch names, or -1. */
    int dpRank();

    /** Reads the next event: one of this interface's constants. */
    int next();

    /** Why the event is {@link #SKIPPED}; null for other events. */
    SkipReason skipReason();

    /** Where the blocks lie: 0 device, 1 host, 2 disk, 3 external. */
    int tier();

    /** Attention group, or -1 if the event names none. */
    int group();

    /** Number of blocks. */
    int count();

    /** The engine's hash of block {@code i}. */
    long hash(int i);

    /** Copies of block {@code i} that the engine still has after a removal, or -1 if it does not say. */
    int remainingCopies(int i);

    /** Whether the first block is position 0. */
    boolean root();

    /** The engine's hash of the block before the first; undefined when {@link #root}. */
    long parent();

    /** Tokens of a block. */
    int blockSize();

    /**
     * Token ids of all blocks, {@code blockSize * count} of them, or twice as many when {@link #bigram}. The array is the
     * cursor's own: read only, until the next event.
     */
    int[] tokens();

    /** Whether tokens are pairs: each with its successor. */
    boolean bigram();

    /** Where the adapter's name begins in the wrapped array. */
    int adapterOffset();

    /** Bytes of the adapter's name; 0 for the base model. */
    int adapterLength();

    /** Where the cache salt begins in the wrapped array. */
    int saltOffset();

    /**
     * Bytes of the cache salt; 0 if the event names none. vLLM names it only on a prompt's first block: a later event of
     * the same chain inherits its parent's.
     */
    int saltLength();

    /** Multimodal objects in block {@code i}. */
    int mmCount(int i);

    /** Hash of multimodal object {@code j} of block {@code i}; in ascending unsigned order. */
    long mmHash(int i, int j);
}
