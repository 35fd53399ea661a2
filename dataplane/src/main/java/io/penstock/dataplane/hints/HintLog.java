package io.penstock.dataplane.hints;

import io.penstock.bindings.harness.AgentContext;
import io.penstock.bindings.kvhint.HintOutcome;
import io.penstock.bindings.kvhint.KvFetch;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.metrics.Counting;
import io.penstock.dataplane.pipeline.RequestPort;
import io.penstock.dataplane.workers.WorkerEndpoint;

/**
 * What became of each hint: counted, and noted for the journal as a row of kind {@code hint} whose action is the hint's type
 * and the outcome, and whose amount is in blocks.
 *
 * <p><b>Threading:</b> thread-safe. <b>Cost:</b> a journal row is an object of its own; counting allocates nothing.
 */
final class HintLog {
    private static final String SENT = KvFetch.TYPE + " sent";
    private static final String UNANSWERED = KvFetch.TYPE + " unanswered";
    private static final String UNDELIVERED = KvFetch.TYPE + " undelivered";
    private static final String[] OUTCOMES = outcomes();

    private final Counting counters;
    private final RequestPort journal;

    HintLog(Counting counters, RequestPort journal) {
        this.counters = counters;
        this.journal = journal;
    }

    private static String[] outcomes() {
        HintOutcome[] all = HintOutcome.values();
        String[] words = new String[all.length];
        for (HintOutcome outcome : all) {
            words[outcome.ordinal()] = KvFetch.TYPE + " " + outcome.label();
        }
        return words;
    }

    void sent(WorkerEndpoint target, String requestId, AgentContext agent, int blocks) {
        told(Counter.HINTS_SENT, SENT, target, requestId, agent, blocks);
    }

    void undelivered(WorkerEndpoint target, String requestId, AgentContext agent, int blocks) {
        told(Counter.HINTS_UNDELIVERED, UNDELIVERED, target, requestId, agent, blocks);
    }

    void unanswered(WorkerEndpoint target, String requestId, AgentContext agent, int blocks) {
        told(Counter.HINTS_UNANSWERED, UNANSWERED, target, requestId, agent, blocks);
    }

    void answered(HintOutcome outcome, WorkerEndpoint target, String requestId, AgentContext agent, int blocks) {
        told(counterOf(outcome), OUTCOMES[outcome.ordinal()], target, requestId, agent, blocks);
    }

    void dropped() {
        counters.increment(Counter.HINTS_DROPPED);
    }

    void unnamed() {
        counters.increment(Counter.HINTS_UNNAMED);
    }

    void stray() {
        counters.increment(Counter.HINT_ANSWERS_STRAY);
    }

    private static Counter counterOf(HintOutcome outcome) {
        return switch (outcome) {
            case ACCEPTED -> Counter.HINTS_ACCEPTED;
            case CLIPPED -> Counter.HINTS_CLIPPED;
            case IGNORED -> Counter.HINTS_IGNORED;
            case UNSUPPORTED -> Counter.HINTS_UNSUPPORTED;
            case REJECTED -> Counter.HINTS_REJECTED;
        };
    }

    private void told(
            Counter counter, String what, WorkerEndpoint target, String requestId, AgentContext agent, int blocks) {
        counters.increment(counter);
        TraceRecord row = new TraceRecord();
        row.kind = TraceRecord.Kind.HINT;
        row.epochMs = System.currentTimeMillis();
        row.requestId = requestId;
        row.agent = agent == null ? AgentContext.NONE : agent;
        row.worker = target.worker();
        row.rank = target.dpRank();
        row.slot = target.slot();
        row.action = what;
        row.amount = blocks;
        // A full ring counts the loss itself.
        journal.note(row);
    }
}
