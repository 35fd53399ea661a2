package io.penstock.dataplane.core;

/**
 * Pages of one prompt that a shared pool was to give and an engine did not get.
 *
 * <p><b>Threading:</b> as its owner.
 */
public final class MissedPages {
    /** Pool, or -1 for no pages. */
    public int pool = -1;

    /** Keys of the prompt's pages. */
    public long[] keys;

    /** First page missed. */
    public int from;

    /** Pages missed. */
    public int pages;

    void set(int ofPool, long[] ofKeys, int fromPage, int count) {
        pool = ofPool;
        keys = ofKeys;
        from = fromPage;
        pages = count;
    }

    /** Takes over what another holds, and empties it. */
    public void take(MissedPages other) {
        set(other.pool, other.keys, other.from, other.pages);
        other.clear();
    }

    /** No pages. */
    public void clear() {
        set(-1, null, 0, 0);
    }
}
