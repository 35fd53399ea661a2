package io.penstock.dataplane.tail;

import io.penstock.bindings.harness.AgentContext;
import io.penstock.bindings.harness.IdentitySource;
import io.penstock.bindings.harness.InputTrigger;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.pipeline.Outcome;
import java.util.Map;

/**
 * Records for tests.
 *
 * <p><b>Threading:</b> stateless.
 */
public final class TraceRecords {
    private TraceRecords() {}

    /** An agent, with its parent or null. */
    public static AgentContext agent(String session, String parent) {
        return new AgentContext(
                session,
                parent,
                null,
                parent == null ? InputTrigger.USER_MESSAGE : InputTrigger.TOOL_RESULT,
                Map.of(),
                IdentitySource.DYNAMO,
                null);
    }

    /**
     * A request that came at {@code receivedMs} and took {@code totalMs}: a tenth of it to the first token, a tenth of that to
     * be placed.
     */
    public static TraceRecord request(String session, String parent, long receivedMs, double totalMs) {
        TraceRecord record = new TraceRecord();
        record.epochMs = receivedMs + Math.round(totalMs);
        record.agent = session == null ? AgentContext.NONE : agent(session, parent);
        record.requestId = "r-" + receivedMs;
        record.api = "/v1/messages";
        record.model = "sim";
        record.outcome = Outcome.COMPLETED;
        record.status = 200;
        record.attempts = 1;
        record.receivedMs = receivedMs;
        record.routedMs = totalMs / 100;
        record.firstTokenMs = totalMs / 10;
        record.totalMs = totalMs;
        record.inputTokens = 1_000;
        record.outputTokens = 50;
        record.cachedTokens = 750;
        record.predictedCachedTokens = 800;
        record.worker = "w1";
        record.rank = 0;
        record.slot = 0;
        record.finishReason = "end_turn";
        record.choices.add(new TraceRecord.ChoiceEnd(0, "end_turn", null));
        return record;
    }

    /** The same, ended by tool calls named {@code id:name}. */
    public static TraceRecord calling(TraceRecord request, String... calls) {
        request.finishReason = "tool_use";
        request.choices.clear();
        request.choices.add(new TraceRecord.ChoiceEnd(0, "tool_use", null));
        for (int i = 0; i < calls.length; i++) {
            int colon = calls[i].indexOf(':');
            request.toolCalls.add(
                    new TraceRecord.ToolCall(0, i, calls[i].substring(0, colon), calls[i].substring(colon + 1)));
        }
        return request;
    }

    /** A tool's row. */
    public static TraceRecord tool(
            TraceRecord.Kind kind, String session, String callId, String toolClass, long epochMs) {
        TraceRecord record = new TraceRecord();
        record.kind = kind;
        record.epochMs = epochMs;
        record.agent = agent(session, null);
        record.toolCallId = callId;
        record.toolClass = toolClass;
        return record;
    }
}
