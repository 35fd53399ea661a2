package io.penstock.dataplane.http;

import java.security.SecureRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The router's own names of requests: UUIDs of version 7, so that they sort by time as texts do.
 *
 * <p>The first 60 bits are milliseconds and a counter and grow with every call, also when the clock goes back; the rest is
 * drawn once, so that two routers do not meet.
 *
 * <p><b>Threading:</b> thread-safe. <b>Cost:</b> one compare-and-set and the text.
 */
final class RequestIds {
    private static final int COUNTER_BITS = 12;
    private static final long COUNTER_MASK = (1L << COUNTER_BITS) - 1;
    private static final long VERSION = 7L << COUNTER_BITS;
    private static final long VARIANT = 0x8000_0000_0000_0000L;

    private final AtomicLong last = new AtomicLong();
    private final long own = new SecureRandom().nextLong() >>> 2 | VARIANT;

    /** Another one, greater than all before. */
    String next() {
        return next(System.currentTimeMillis());
    }

    String next(long epochMs) {
        long now = epochMs << COUNTER_BITS;
        long mine = last.updateAndGet(before -> Math.max(before + 1, now));
        long high = mine >>> COUNTER_BITS << 16 | VERSION | mine & COUNTER_MASK;
        return new UUID(high, own).toString();
    }
}
