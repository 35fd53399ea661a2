package io.penstock.dataplane.hints;

import io.penstock.bindings.harness.AgentContext;
import io.penstock.bindings.kvhint.HintOutcome;
import io.penstock.dataplane.workers.WorkerEndpoint;

/**
 * Hints that wait for an answer, in the order in which they were sent; a bounded ring whose oldest goes unanswered when it is
 * full.
 *
 * <p><b>Threading:</b> owned by the sending thread. <b>Cost:</b> nothing allocated.
 */
final class PendingHints {
    private static final long NONE = FetchHints.NONE;

    private final HintLog log;
    private final long timeoutNs;
    private final long[] numbers;
    private final long[] sentNs;
    private final int[] blocks;
    private final WorkerEndpoint[] targets;
    private final String[] requestIds;
    private final AgentContext[] agents;
    private int oldest;
    private int size;

    PendingHints(HintLog log, int capacity, long timeoutNs) {
        this.log = log;
        this.timeoutNs = timeoutNs;
        numbers = new long[capacity];
        sentNs = new long[capacity];
        blocks = new int[capacity];
        targets = new WorkerEndpoint[capacity];
        requestIds = new String[capacity];
        agents = new AgentContext[capacity];
    }

    boolean isEmpty() {
        return size == 0;
    }

    void add(long number, HintOrder order, int named, long nowNs) {
        if (size == numbers.length) {
            expireOldest();
        }
        int at = (oldest + size++) % numbers.length;
        numbers[at] = number;
        sentNs[at] = nowNs;
        blocks[at] = named;
        targets[at] = order.target;
        requestIds[at] = order.requestId;
        agents[at] = order.agent;
    }

    /** Takes an answer; false when no hint of that number waits. */
    boolean answered(long number, HintOutcome outcome, int done) {
        for (int i = 0; i < size && number != NONE; i++) {
            int at = (oldest + i) % numbers.length;
            if (numbers[at] == number) {
                log.answered(outcome, targets[at], requestIds[at], agents[at], done);
                let(at);
                dropAnswered();
                return true;
            }
        }
        return false;
    }

    /** Gives up on what waits for too long. */
    void expire(long nowNs) {
        while (size > 0 && nowNs - sentNs[oldest] >= timeoutNs) {
            expireOldest();
        }
    }

    private void expireOldest() {
        log.unanswered(targets[oldest], requestIds[oldest], agents[oldest], blocks[oldest]);
        let(oldest);
        dropAnswered();
    }

    private void let(int at) {
        numbers[at] = NONE;
        targets[at] = null;
        requestIds[at] = null;
        agents[at] = null;
    }

    private void dropAnswered() {
        while (size > 0 && numbers[oldest] == NONE) {
            oldest = (oldest + 1) % numbers.length;
            size--;
        }
    }
}
