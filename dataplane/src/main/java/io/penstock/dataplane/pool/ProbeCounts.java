package io.penstock.dataplane.pool;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What a store answered to our probes, for metrics.
 *
 * <p><b>Threading:</b> thread-safe.
 */
public final class ProbeCounts {
    private final AtomicLong present = new AtomicLong();
    private final AtomicLong absent = new AtomicLong();
    private final AtomicLong unknown = new AtomicLong();
    private final AtomicLong overdue = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    /** Objects that were there. */
    public long present() {
        return present.get();
    }

    /** Objects that were not there. */
    public long absent() {
        return absent.get();
    }

    /** Objects that nothing was learnt of. */
    public long unknown() {
        return unknown.get();
    }

    /** Questions that were given up because the answer took too long. */
    public long overdue() {
        return overdue.get();
    }

    /** Questions that the store answered with an error, or that did not reach it. */
    public long failed() {
        return failed.get();
    }

    void overdueQuestion() {
        overdue.getAndIncrement();
    }

    void failedQuestion() {
        failed.getAndIncrement();
    }

    /** Takes up the answers of one probe; how many objects are known. */
    int count(byte[] answers, int length) {
        int there = 0;
        int gone = 0;
        for (int i = 0; i < length; i++) {
            there += answers[i] == SharedPool.PRESENT ? 1 : 0;
            gone += answers[i] == SharedPool.ABSENT ? 1 : 0;
        }
        present.getAndAdd(there);
        absent.getAndAdd(gone);
        unknown.getAndAdd(length - there - gone);
        return there + gone;
    }
}
