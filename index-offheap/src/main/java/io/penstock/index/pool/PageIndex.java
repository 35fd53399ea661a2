package io.penstock.index.pool;

/**
 * Which logical pages of KV cache a shared pool holds. A page is made of {@link #objectsPerPage} physical objects (one a
 * rank and part, as the engines' layout says) and counts when all of them are there.
 *
 * <p>A page is named by its key: 32 bytes as {@value #KEY_WORDS} big-endian words, shorter keys with zeros behind. Keys are
 * hashes.
 *
 * <p>What it promises:
 * <ul>
 *   <li>P1: {@link #match} never counts a page of which an object was removed, or not yet stored, by what it was told.
 *   <li>P2: a full index gives up single pages, those confirmed longest ago first, never everything.
 *   <li>P3: after {@link #endListing} and the sweeps that follow, a page object is held only if it was stored or listed
 *       since {@link #beginListing}; {@link #match} keeps to that at once.
 * </ul>
 *
 * <p><b>Threading:</b> single writer; look-ups by the writer's thread. <b>Cost:</b> nothing allocated.
 */
public interface PageIndex extends AutoCloseable {
    /** Words of a page's key. */
    int KEY_WORDS = 4;

    /** {@link #stored}: the object was not known. */
    int ADDED = 1;

    /** {@link #stored}: the object was known and is now confirmed. */
    int CONFIRMED = 0;

    /** {@link #stored}: the object's number is beyond {@link #objectsPerPage}. */
    int REFUSED = -1;

    /** Physical objects of a page. */
    int objectsPerPage();

    /** Pages the index was made for. */
    long capacityPages();

    /** Pages of which at least one object is there. */
    long pageCount();

    /** Pages given up because the index was full. */
    long evicted();

    /** Pages given up because nothing confirmed them for the time to live. */
    long expired();

    /**
     * An object became resident, or was seen there.
     *
     * @param key holds the page's key from index {@code at} on
     * @param object number of the object within its page
     * @param nowSeconds any clock that goes up; the age of a page counts from its last confirmation
     * @return {@link #ADDED}, {@link #CONFIRMED} or {@link #REFUSED}
     */
    int stored(long[] key, int at, int object, int nowSeconds);

    /** An object left; false when it was not known. */
    boolean removed(long[] key, int at, int object);

    /**
     * Finds which of a prompt's pages the pool holds completely. A prompt not seen before may give {@link #sweep} something
     * to do: its pages are put in the order of the prompt.
     *
     * @param keys of the pages in the prompt's order, {@link #KEY_WORDS} words each
     * @param out cleared, then filled with ranges of page numbers
     */
    void match(long[] keys, int pages, PageRanges out);

    /**
     * Pages that were promised and that an engine did not find: one that is missed twice without a confirmation in
     * between does not count until it is confirmed.
     */
    void missed(long[] keys, int fromPage, int pages);

    /** A listing of all objects begins; what it shows is told through {@link #stored}. */
    void beginListing();

    /** The listing was told to its end: what was neither stored nor listed since its begin is gone. */
    void endListing();

    /** Objects that {@link #endListing} found to be held here and not there, so far. */
    long stale();

    /** Forgets all pages. */
    void clear();

    /**
     * Returns memory of pages that are gone or too old, and orders those asked for, some steps at a time.
     *
     * @return steps used; 0 when nothing is left to do
     */
    int sweep(int maxSteps, int nowSeconds);

    @Override
    void close();
}
