package io.penstock.dataplane.ingest;

import io.penstock.bindings.events.SkipReason;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counters of one feed.
 *
 * <p><b>Threading:</b> single writer (the feed's reader), many readers.
 */
final class FeedCounters {
    private static final FeedCounter[] OF_REASON = new FeedCounter[SkipReason.values().length];

    static {
        for (SkipReason reason : SkipReason.values()) {
            OF_REASON[reason.ordinal()] = switch (reason) {
                case NON_MAIN_GROUP -> FeedCounter.DROPPED_NON_MAIN_GROUP;
                case REMOTE -> FeedCounter.DROPPED_REMOTE;
                case UNKNOWN_OWNER -> FeedCounter.DROPPED_UNKNOWN_OWNER;
                case UNKNOWN_MEDIUM -> FeedCounter.DROPPED_UNKNOWN_MEDIUM;
                case UNKNOWN_TYPE -> FeedCounter.DROPPED_UNKNOWN_TYPE;
                case PLACEHOLDER -> FeedCounter.DROPPED_PLACEHOLDER;
                case LENGTH_MISMATCH -> FeedCounter.DROPPED_LENGTH;
                case SELF_REFERENCE -> FeedCounter.DROPPED_SELF_REFERENCE;
                case UNNAMED_ADAPTER -> FeedCounter.DROPPED_UNNAMED_ADAPTER;
                case OPAQUE_CONTENT -> FeedCounter.DROPPED_OPAQUE_CONTENT;
            };
        }
    }

    private final AtomicLongArray values = new AtomicLongArray(FeedCounter.values().length);

    void add(FeedCounter counter, long amount) {
        int at = counter.ordinal();
        // Release: pairs with the plain volatile read of snapshot().
        values.setRelease(at, values.getPlain(at) + amount);
    }

    void add(FeedCounter counter) {
        add(counter, 1);
    }

    void add(SkipReason reason) {
        add(OF_REASON[reason.ordinal()]);
    }

    long[] snapshot() {
        long[] copy = new long[values.length()];
        for (int i = 0; i < copy.length; i++) {
            copy[i] = values.get(i);
        }
        return copy;
    }
}
