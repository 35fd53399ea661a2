package io.penstock.dataplane.sinks;

import io.penstock.bindings.harness.AgentContext;
import io.penstock.bindings.harness.IdentitySource;
import io.penstock.bindings.harness.InputTrigger;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.pipeline.Outcome;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Records as a front fills them. */
final class TraceRecords {
    private TraceRecords() {}

    static AgentContext agent(String session, String parent) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        headers.put("x-codex-turn-metadata", List.of("{\"request_kind\":\"turn\"}"));
        return new AgentContext(session, parent, false, InputTrigger.TOOL_RESULT, headers, IdentitySource.DYNAMO, null);
    }

    /** The reference's example: tokens 0..129, block 64. */
    static TraceRecord request(String id, AgentContext agent) {
        TraceRecord record = new TraceRecord();
        record.epochMs = 1_777_312_801_007L;
        record.agent = agent;
        record.requestId = id;
        record.clientRequestId = "llm-call-42";
        record.api = "/v1/chat/completions";
        record.model = "my-model";
        record.outcome = Outcome.COMPLETED;
        record.status = 200;
        record.inputTokens = 130;
        record.outputTokens = 16;
        record.predictedCachedTokens = 128;
        record.cachedTokens = 64;
        record.receivedMs = 1_777_312_800_000L;
        record.firstTokenMs = 99.5;
        record.totalMs = 1000.0;
        record.worker = "w1";
        record.rank = 0;
        record.overlapBlocks = 2;
        record.finishReason = "tool_calls";
        record.choices.add(new TraceRecord.ChoiceEnd(0, "tool_calls", null));
        record.toolCalls.add(new TraceRecord.ToolCall(0, 0, "call-abc", "web_search"));
        hashes(record, 130, 64);
        return record;
    }

    /** Hashes of the tokens 0, 1, 2, ... */
    static void hashes(TraceRecord record, int tokens, int blockSize) {
        int[] prompt = new int[tokens];
        for (int i = 0; i < tokens; i++) {
            prompt[i] = i;
        }
        record.inputTokens = tokens;
        record.blockSize = blockSize;
        record.exact = true;
        record.hashCount = tokens / blockSize;
        record.hashes = new long[record.hashCount];
        record.partial = tokens % blockSize > 0;
        long before = 0;
        net.openhft.hashing.LongHashFunction hash = net.openhft.hashing.LongHashFunction.xx3(1337);
        for (int i = 0; i < Math.ceilDiv(tokens, blockSize); i++) {
            int from = i * blockSize;
            long local = hash.hashInts(prompt, from, Math.min(blockSize, tokens - from));
            before = i == 0 ? local : hash.hashLongs(new long[] {before, local});
            if (i < record.hashCount) {
                record.hashes[i] = before;
            } else {
                record.partialHash = before;
            }
        }
    }

    static TraceRecord tool(TraceRecord.Kind kind, String session, String call) {
        TraceRecord record = new TraceRecord();
        record.kind = kind;
        record.epochMs = 1_777_312_801_500L;
        record.agent = new AgentContext(session, null, null, null, Map.of(), IdentitySource.DYNAMO, null);
        record.toolCallId = call;
        record.toolClass = "web_search";
        record.toolStatus = "succeeded";
        record.toolStartedMs = 1_777_312_801_080L;
        record.toolEndedMs = 1_777_312_801_500L;
        record.toolMs = 420.5;
        return record;
    }
}
