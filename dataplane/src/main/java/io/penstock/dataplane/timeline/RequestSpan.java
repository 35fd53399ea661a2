package io.penstock.dataplane.timeline;

import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.pipeline.Outcome;
import io.penstock.dataplane.tail.HitRate;
import java.util.List;
import java.util.Objects;

/**
 * A request on the timeline: what of its record is shown. Its stages: waiting in the router until it is placed, prefill until
 * the first token (with the engine's own queue, which a router cannot see), decode.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param session its session
 * @param startMs came in
 * @param durationMs to its end
 * @param routedMs to its place; NaN if unknown
 * @param firstTokenMs to the first output; NaN if there was none
 * @param epochMs time of the record
 * @param requestId the router's name of it
 * @param clientRequestId the client's, or null
 * @param model as the client names it, or null
 * @param api path
 * @param worker worker and, above 0, rank; or null
 * @param inputTokens prompt, -1 if unknown
 * @param outputTokens produced, -1 if unknown
 * @param cachedTokens the engine's word, -1 if unknown
 * @param predictedCachedTokens the router's expectation, -1 if unknown
 * @param outcome how it ended, or null
 * @param status HTTP status, -1 if none was sent
 * @param attempts engines tried
 * @param finishReason in the client's words, or null
 * @param choices how each choice ended
 * @param toolCalls tools asked for
 * @param inputTrigger what made the agent send it, or null
 */
record RequestSpan(
        Session session,
        double startMs,
        double durationMs,
        double routedMs,
        double firstTokenMs,
        long epochMs,
        String requestId,
        String clientRequestId,
        String model,
        String api,
        String worker,
        int inputTokens,
        int outputTokens,
        int cachedTokens,
        int predictedCachedTokens,
        Outcome outcome,
        int status,
        int attempts,
        String finishReason,
        List<TraceRecord.ChoiceEnd> choices,
        List<TraceRecord.ToolCall> toolCalls,
        String inputTrigger)
        implements Span {
    private static final double SHORTEST_MS = 0.001;

    static RequestSpan of(Session session, TraceRecord record) {
        long start = record.receivedMs >= 0 ? record.receivedMs : record.epochMs;
        double took = record.totalMs >= 0 ? record.totalMs : record.epochMs - start;
        return new RequestSpan(
                session,
                start,
                Math.max(SHORTEST_MS, took),
                record.routedMs,
                record.firstTokenMs,
                record.epochMs,
                Objects.requireNonNullElse(record.requestId, ""),
                record.clientRequestId,
                record.model,
                record.api,
                record.worker == null || record.rank <= 0 ? record.worker : record.worker + "/" + record.rank,
                record.inputTokens,
                record.outputTokens,
                record.cachedTokens,
                record.predictedCachedTokens,
                record.outcome,
                record.status,
                record.attempts,
                record.finishReason,
                List.copyOf(record.choices),
                List.copyOf(record.toolCalls),
                record.agent.inputTrigger() == null
                        ? null
                        : record.agent.inputTrigger().wire());
    }

    /** Prompt tokens in cache: the engine's word, else the router's expectation, else -1. */
    int knownCachedTokens() {
        return HitRate.known(cachedTokens, predictedCachedTokens);
    }

    /** Share of the prompt in cache; NaN if unknown. */
    double hitRate() {
        return HitRate.of(knownCachedTokens(), inputTokens);
    }

    /** Until the first token, within the request; the whole of it if there was none. */
    double boundaryMs() {
        return Double.isNaN(firstTokenMs) ? durationMs : Math.clamp(firstTokenMs, 0, durationMs);
    }

    /** Until it was placed, not beyond the first token; 0 if unknown. */
    double waitingMs() {
        return Double.isNaN(routedMs) ? 0 : Math.clamp(routedMs, 0, boundaryMs());
    }

    /** Milliseconds between two tokens on average; NaN with fewer than two. */
    double averageTokenMs() {
        return Double.isNaN(firstTokenMs) || outputTokens < 2
                ? Double.NaN
                : (durationMs - boundaryMs()) / (outputTokens - 1);
    }
}
