package io.penstock.dataplane.export;

import io.penstock.bindings.harness.AgentContext;
import io.penstock.bindings.harness.IdentitySource;
import io.penstock.bindings.harness.InputTrigger;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.pipeline.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Records of a made-up trace. Times are ms after {@link #ZERO}; a prompt is its blocks of 4 tokens by hash, the last one
 * partial where the prompt's length says so.
 */
final class TraceScript {
    static final long ZERO = 1_800_000_000_000L;
    static final int BLOCK = 4;

    private final List<TraceRecord> records = new ArrayList<>();

    /** A request that ran from {@code start} to {@code end}. */
    TraceRecord request(String id, String session, String parent, long start, long end, int input, long... hashes) {
        TraceRecord record = new TraceRecord();
        record.kind = TraceRecord.Kind.REQUEST_END;
        record.epochMs = ZERO + end;
        record.agent = session == null
                ? AgentContext.NONE
                : new AgentContext(
                        session, parent, null, InputTrigger.USER_MESSAGE, Map.of(), IdentitySource.DYNAMO, null);
        record.requestId = id;
        record.model = "m";
        record.api = "/v1/chat/completions";
        record.outcome = Outcome.COMPLETED;
        record.status = 200;
        record.attempts = 1;
        record.inputTokens = input;
        record.outputTokens = 2;
        record.receivedMs = ZERO + start;
        record.totalMs = end - start;
        record.blockSize = BLOCK;
        record.exact = true;
        record.partial = input % BLOCK != 0 && hashes.length == Math.ceilDiv(input, BLOCK);
        record.hashCount = hashes.length - (record.partial ? 1 : 0);
        record.hashes = hashes.clone();
        record.partialHash = record.partial ? hashes[hashes.length - 1] : 0;
        records.add(record);
        return record;
    }

    /** A tool that ran from {@code start} to {@code end}. */
    TraceRecord tool(String call, String session, long start, long end) {
        TraceRecord record = new TraceRecord();
        record.kind = TraceRecord.Kind.TOOL_END;
        record.epochMs = ZERO + end;
        record.agent = new AgentContext(session, null, null, null, Map.of(), IdentitySource.DYNAMO, null);
        record.toolCallId = call;
        record.toolClass = "bash";
        record.toolStatus = "succeeded";
        record.toolStartedMs = ZERO + start;
        record.toolEndedMs = ZERO + end;
        record.toolMs = end - start;
        records.add(record);
        return record;
    }

    /** As a journal has them: by end. */
    ListSource source() {
        List<TraceRecord> ordered = new ArrayList<>(records);
        ordered.sort(Comparator.comparingLong(record -> record.epochMs));
        return new ListSource(ordered);
    }

    /**
     * A root with two turns, a child with a turn and a child of its own, and a title that overlaps the second turn.
     *
     * <pre>
     * root   r1 [0-100]     r2 [200-300] t [250-280]                 r3 [900-950]
     * child                       c1 [260-400]       c2 [500-600]
     * grand                                  g1 [410-700]
     * </pre>
     */
    static TraceScript agents() {
        TraceScript script = new TraceScript();
        script.request("r1", "root", null, 0, 100, 8, 11, 12)
                .toolCalls
                .add(new TraceRecord.ToolCall(0, 0, "call-1", "bash"));
        script.tool("call-1", "root", 110, 190);
        script.request("r2", "root", null, 200, 300, 10, 11, 12, 13);
        script.request("t", "root", null, 250, 280, 3, -5);
        script.request("c1", "child", "root", 260, 400, 8, 11, 22);
        script.request("g1", "grand", "child", 410, 700, 4, 31);
        script.request("c2", "child", "root", 500, 600, 12, 11, 22, 23);
        script.request("r3", "root", null, 900, 950, 12, 11, 12, 14).finishReason = "stop";
        return script;
    }
}
