package io.penstock.perf.index;

import io.penstock.index.PrefixIndex;
import io.penstock.index.Tier;
import java.util.Arrays;

/**
 * Events of a stream laid side by side before a timer starts, as the peers' program does, and given to an index in one of
 * the {@link Variant}s.
 *
 * <p><b>Threading:</b> owned by the benchmark's thread.
 */
final class EventFeed {
    private static final int STAGED = 1_000;

    private final OpsStream ops;
    private final Variant variant;
    private final int[] staged = new int[STAGED];
    private final int[] at = new int[STAGED];
    private long[] engine = new long[1 << 19];
    private long[] hashes = new long[1 << 19];
    private int size;
    private int used;

    EventFeed(OpsStream ops, Variant variant) {
        this.ops = ops;
        this.variant = variant;
    }

    /** Stages the next thousand events, leaving queries out; answers the operation after them. */
    int stage(int from) {
        clear();
        int op = from;
        for (; op < ops.size && size < STAGED; op++) {
            if (ops.type[op] != OpsStream.QUERY) {
                add(op);
            }
        }
        return op;
    }

    /** Stages one event. */
    void stageOne(int op) {
        clear();
        add(op);
    }

    private void clear() {
        size = 0;
        used = 0;
    }

    private void add(int op) {
        int count = ops.count[op];
        if (engine.length < used + count) {
            engine = Arrays.copyOf(engine, (used + count) * 2);
            hashes = Arrays.copyOf(hashes, engine.length);
        }
        int words = ops.offset[op];
        int names = isStored(op) ? words + count : words;
        long mask = variant.mask(ops.worker[op]);
        for (int i = 0; i < count; i++) {
            engine[used + i] = ops.words[names + i] ^ mask;
        }
        if (isStored(op)) {
            System.arraycopy(ops.words, variant == Variant.CHAIN ? words : names, hashes, used, count);
        }
        staged[size] = op;
        at[size++] = used;
        used += count;
    }

    private boolean isStored(int op) {
        return ops.type[op] == OpsStream.STORED;
    }

    /** Number of staged events. */
    int size() {
        return size;
    }

    /** Whether staged event {@code i} stores blocks; else it removes some. */
    boolean stores(int i) {
        return isStored(staged[i]);
    }

    /** Gives event {@code i} to the index as often as the variant says; answers the blocks it took. */
    long apply(PrefixIndex index, int i) {
        long done = once(index, i);
        return variant == Variant.DOUBLED ? done + once(index, i) : done;
    }

    private long once(PrefixIndex index, int i) {
        int op = staged[i];
        int worker = ops.worker[op];
        int count = ops.count[op];
        if (!isStored(op)) {
            return index.removed(worker, Tier.DEVICE, engine, at[i], count);
        }
        boolean root = ops.aux[op] == 0;
        long parent = ops.aux[op] ^ variant.mask(worker);
        return variant == Variant.CHAIN
                ? index.stored(worker, Tier.DEVICE, root, parent, engine, hashes, at[i], count)
                : index.storedChained(worker, Tier.DEVICE, root, parent, engine, hashes, at[i], count);
    }

    /** Stops the measurement where the index did not take event {@code i} as a whole. */
    void check(int i, long done) {
        long expected = (long) ops.count[staged[i]] * variant.copies();
        if (done != expected) {
            throw new IllegalStateException("the index did not take an event: operation=" + staged[i] + ", answered="
                    + done + ", blocks=" + expected);
        }
    }

    /** Gives all events of the stream to the index. */
    void applyAll(PrefixIndex index) {
        for (int op = 0; op < ops.size; ) {
            op = stage(op);
            for (int i = 0; i < size; i++) {
                check(i, apply(index, i));
            }
        }
    }
}
