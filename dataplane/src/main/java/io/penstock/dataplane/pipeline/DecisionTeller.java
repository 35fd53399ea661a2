package io.penstock.dataplane.pipeline;

import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import io.penstock.dataplane.core.MissedPages;
import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.metrics.Counting;

/**
 * The core's side of the decision ring: what finds no room there is dropped and counted.
 *
 * <p><b>Threading:</b> owned by the core's thread. <b>Cost:</b> nothing allocated.
 */
final class DecisionTeller {
    private static final int LET_GO_STEPS = 1_024;

    private final RingBuffer<DecisionRecord> decisions;
    private final boolean heard;
    private final Counting counters;
    private long letGo = -1;

    /** @param heard whether anybody follows the ring */
    DecisionTeller(RingBuffer<DecisionRecord> decisions, boolean heard, Counting counters) {
        this.decisions = decisions;
        this.heard = heard;
        this.counters = counters;
    }

    /** Tells what was decided, or how a request ended. */
    void tell(RequestSlot event, MissedPages missed) {
        if (!heard) {
            return;
        }
        try {
            long at = decisions.tryNext();
            DecisionRecord record = decisions.get(at);
            if (event.kind == RequestSlot.ROUTE) {
                record.decided(event);
            } else {
                record.finished(event, missed);
            }
            decisions.publish(at);
        } catch (InsufficientCapacityException e) {
            counters.increment(Counter.DECISIONS_DROPPED);
            if (event.trace != null) {
                counters.increment(Counter.TRACES_DROPPED);
            }
        }
        event.trace = null;
        missed.clear();
    }

    /** Lets go of traces that every consumer has read: a ring of them would hold prompts' hashes for long. */
    void letGo() {
        long read = decisions.getMinimumGatingSequence();
        long from = Math.max(letGo + 1, decisions.getCursor() - decisions.getBufferSize() + 1);
        long to = Math.min(read, from + LET_GO_STEPS - 1);
        for (long at = from; at <= to; at++) {
            decisions.get(at).letGo();
            decisions.get(at).missed.clear();
        }
        letGo = Math.max(letGo, to);
    }
}
