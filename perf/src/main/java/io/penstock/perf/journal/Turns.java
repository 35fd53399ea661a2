package io.penstock.perf.journal;

import io.penstock.bindings.harness.AgentContext;
import io.penstock.bindings.harness.IdentitySource;
import io.penstock.bindings.harness.InputTrigger;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.pipeline.Outcome;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Records as a front makes them of an agent's turns.
 *
 * <p><b>Threading:</b> stateless.
 */
final class Turns {
    static final int BLOCK = 16;

    private Turns() {}

    /** A turn whose prompt of {@code blocks} blocks goes on from every shorter one of the session. */
    static TraceRecord record(String session, long seed, int blocks) {
        TraceRecord record = new TraceRecord();
        record.agent = new AgentContext(
                "0b5cb8f2-6a1d-4d5c-9a7e-" + session,
                null,
                null,
                InputTrigger.TOOL_RESULT,
                Map.of(),
                IdentitySource.CLAUDE_CODE,
                "0b5cb8f2-6a1d-4d5c-9a7e-" + session);
        record.epochMs = 1_800_000_000_000L + blocks;
        record.receivedMs = record.epochMs - 2_000;
        record.requestId = "4f7d4df0-7c0f-4a52-8a0c-" + (100_000_000_000L + seed * 1_000 + blocks);
        record.api = "/v1/messages";
        record.model = "qwen3-coder-480b";
        record.outcome = Outcome.COMPLETED;
        record.status = 200;
        record.attempts = 1;
        record.worker = "http://gpu-17:8000";
        record.rank = 0;
        record.slot = 17;
        record.inputTokens = blocks * BLOCK + 5;
        record.outputTokens = 311;
        record.cachedTokens = blocks * BLOCK - 64;
        record.predictedCachedTokens = record.cachedTokens;
        record.routedMs = 3.25;
        record.firstTokenMs = 210.5;
        record.totalMs = 2_000.75;
        record.waitNs = 2_100;
        record.finishReason = "tool_use";
        record.choices.add(new TraceRecord.ChoiceEnd(0, "tool_use", null));
        record.toolCalls.add(new TraceRecord.ToolCall(0, 0, "toolu_01A09q90qw90lq917835lq9", "Bash"));
        record.blockSize = BLOCK;
        record.exact = true;
        record.overlapBlocks = blocks - 4;
        record.hashes = new SplittableRandom(seed).longs(blocks).toArray();
        record.hashCount = blocks;
        record.partial = true;
        record.partialHash = seed ^ blocks;
        return record;
    }
}
