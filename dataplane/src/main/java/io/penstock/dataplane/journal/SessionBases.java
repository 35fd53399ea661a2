package io.penstock.dataplane.journal;

/**
 * What the writer remembers of the sessions' last prompts: enough to tell how many leading blocks a new one shares.
 *
 * <p>A sequence hash stands for all blocks before it, so a prompt is remembered by the hashes at a ladder of places: dense
 * at its end, where the next turn goes on, and at its begin, where a compacted one leaves. Between two rungs fewer blocks
 * are found than are shared (at least half of them from the nearer end), never more. A session may have several prompts at
 * a time (titles, overlapping requests): eight entries a bucket, the least lately used leaves.
 *
 * <p>Bytes: {@value #ENTRIES} entries of 8 × (4 + {@value #RUNGS}) bytes, whatever the prompts' lengths.
 *
 * <p><b>Threading:</b> one thread.
 */
final class SessionBases {
    static final int ENTRIES = 1 << 14;
    static final int RUNGS = 32;

    private static final int WAYS = 8;
    private static final int HEAD_RUNGS = 12;
    private static final int[] STEPS = steps();

    private final int mask;
    private final long[] keys;
    private final long[] positions;
    private final long[] lastUsed;
    private final int[] counts;
    private final int[] depths;
    private final boolean[] traced;
    private final long[] ladders;
    private long clock;
    private int entry;
    private int shared;

    SessionBases() {
        this(ENTRIES);
    }

    /** The same with {@code entries}, a power of two of at least eight. */
    SessionBases(int entries) {
        mask = entries / WAYS - 1;
        keys = new long[entries];
        positions = new long[entries];
        lastUsed = new long[entries];
        counts = new int[entries];
        depths = new int[entries];
        traced = new boolean[entries];
        ladders = new long[entries * RUNGS];
    }

    /** Distances from an end: 0 to 4, then each twice the one before. */
    private static int[] steps() {
        int[] steps = new int[RUNGS - HEAD_RUNGS];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = i <= 4 ? i : 2 * steps[i - 1];
        }
        return steps;
    }

    /** Rungs of a prompt: one a block if it is short. */
    private static int rungs(int count) {
        return Math.min(count, RUNGS);
    }

    /** Place of rung {@code i}, growing with it: in the lower half told from the begin, in the upper one from the end. */
    private static int place(int i, int count) {
        if (count <= RUNGS) {
            return i;
        }
        int half = count >> 1;
        return i < HEAD_RUNGS ? Math.min(STEPS[i], half) : Math.max(count - 1 - STEPS[RUNGS - 1 - i], half);
    }

    /**
     * Looks for the remembered prompt that shares most.
     *
     * @param key of the session, not 0
     * @param hashes sequence hashes of the new prompt, {@code count} of them
     * @param traces whether it has trace hashes of its own; only alike ones are compared
     * @param fromPosition older positions are not used
     * @return blocks shared with the record at {@link #position}, 0 for none
     */
    int find(long key, long[] hashes, int count, boolean traces, long fromPosition) {
        int first = bucket(key);
        entry = -1;
        shared = 0;
        for (int at = first; at < first + WAYS; at++) {
            if (keys[at] == key && traced[at] == traces && positions[at] >= fromPosition) {
                int common = common(at, hashes, count);
                if (common > shared) {
                    shared = common;
                    entry = at;
                }
            }
        }
        return shared;
    }

    /** Of the rungs up to some one all match, above it none: what differs once differs in all later hashes. */
    private int common(int at, long[] hashes, int count) {
        int known = counts[at];
        int low = 0;
        int high = rungs(known);
        // Most often the new prompt goes on from the old one's end.
        int middle = high - 1;
        while (low < high) {
            int place = place(middle, known);
            if (place < count && hashes[place] == ladders[at * RUNGS + middle]) {
                low = middle + 1;
            } else {
                high = middle;
            }
            middle = low + high >>> 1;
        }
        return low == 0 ? 0 : place(low - 1, known) + 1;
    }

    /** Position of the record found. */
    long position() {
        return positions[entry];
    }

    /** Records from there to a full list. */
    int depth() {
        return depths[entry];
    }

    /**
     * Remembers the prompt just written. It takes the found one's place if that is what it goes on from, else that of the
     * least lately used.
     */
    void remember(long key, long[] hashes, int count, boolean traces, long position, int depth) {
        int at = entry >= 0 && shared * 2L >= counts[entry] ? entry : oldest(bucket(key));
        keys[at] = key;
        positions[at] = position;
        lastUsed[at] = ++clock;
        counts[at] = count;
        depths[at] = depth;
        traced[at] = traces;
        int rungs = rungs(count);
        for (int i = 0; i < rungs; i++) {
            ladders[at * RUNGS + i] = hashes[place(i, count)];
        }
    }

    private int oldest(int first) {
        int at = first;
        for (int other = first + 1; other < first + WAYS; other++) {
            if (lastUsed[other] < lastUsed[at]) {
                at = other;
            }
        }
        return at;
    }

    private int bucket(long key) {
        return ((int) (key ^ key >>> 32) & mask) * WAYS;
    }
}
