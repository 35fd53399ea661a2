package io.penstock.dataplane.journal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.bindings.harness.AgentContext;
import io.penstock.bindings.harness.IdentitySource;
import io.penstock.bindings.harness.InputTrigger;
import io.penstock.dataplane.pipeline.Outcome;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Records for tests, and what it means that two are equal. */
final class Traces {
    private Traces() {}

    /** Turn of a session: its prompt has {@code blocks} blocks, told by {@code seed} and the place alone. */
    static TraceRecord turn(String session, long seed, int blocks) {
        TraceRecord record = new TraceRecord();
        record.agent =
                new AgentContext(session, null, null, InputTrigger.TOOL_RESULT, Map.of(), IdentitySource.DYNAMO, null);
        record.epochMs = 1_800_000_000_000L + blocks;
        record.requestId = "request-" + seed + "-" + blocks;
        record.api = "/v1/chat/completions";
        record.model = "model";
        record.outcome = Outcome.COMPLETED;
        record.status = 200;
        record.attempts = 1;
        record.worker = "gpu-0";
        record.rank = 0;
        record.slot = 3;
        record.finishReason = "stop";
        record.blockSize = 16;
        record.exact = true;
        record.hashes = hashes(seed, blocks);
        record.hashCount = blocks;
        record.inputTokens = blocks * 16;
        record.outputTokens = 77;
        record.totalMs = 1234.5;
        return record;
    }

    /** Hashes of a prompt that goes on from every shorter one of the same seed. */
    static long[] hashes(long seed, int blocks) {
        SplittableRandom random = new SplittableRandom(seed);
        return random.longs(blocks).toArray();
    }

    /** Any record, with everything that one can have. */
    static TraceRecord any(SplittableRandom random) {
        TraceRecord.Kind[] kinds = TraceRecord.Kind.values();
        String session = random.nextInt(4) == 0 ? null : "session-" + random.nextInt(6);
        int seed = random.nextInt(8);
        TraceRecord record = turn(session, seed, random.nextInt(1 << random.nextInt(1, 9)));
        record.kind = kinds[random.nextInt(kinds.length)];
        record.agent = new AgentContext(
                session,
                text(random),
                random.nextInt(3) == 0 ? null : random.nextBoolean(),
                random.nextInt(3) == 0 ? null : InputTrigger.values()[random.nextInt(3)],
                random.nextBoolean()
                        ? Map.of()
                        : Map.of("x-codex-a", List.of("", "é\ud83d\ude00 plain"), "thread-id", List.of("t")),
                session == null ? IdentitySource.NONE : IdentitySource.values()[random.nextInt(8)],
                random.nextBoolean() ? null : "group");
        record.clientRequestId = text(random);
        record.worker = text(random);
        record.outcome = random.nextInt(4) == 0 ? null : Outcome.values()[random.nextInt(4)];
        record.exact = random.nextBoolean();
        record.partial = random.nextBoolean();
        record.partialHash = record.partial ? random.nextLong() : 0;
        if (random.nextInt(3) == 0) {
            // Equal tokens have equal trace hashes.
            record.traceHashes = hashes(seed + 100L, record.hashCount);
        }
        record.status = random.nextInt(-1, 600);
        record.waitNs = random.nextLong();
        record.firstTokenMs = random.nextBoolean() ? Double.NaN : random.nextDouble();
        for (int i = random.nextInt(3); i > 0; i--) {
            record.choices.add(new TraceRecord.ChoiceEnd(i, text(random), text(random)));
            record.toolCalls.add(new TraceRecord.ToolCall(i, -1, text(random), text(random)));
        }
        if (random.nextInt(16) == 0) {
            record.requestPayload = new byte[random.nextInt(200_000)];
            Arrays.fill(record.requestPayload, (byte) random.nextInt());
        }
        if (random.nextInt(16) == 0) {
            record.responsePayload = new byte[random.nextInt(100)];
        }
        switch (record.kind) {
            case TOOL_START, TOOL_END, TOOL_ERROR -> {
                record.toolCallId = text(random);
                record.toolClass = "Bash";
                record.toolStatus = "error";
                record.toolStartedMs = random.nextLong();
                record.toolEndedMs = random.nextLong();
                record.toolMs = random.nextDouble();
                record.toolOutputTokens = random.nextInt();
                record.toolOutputBytes = random.nextLong();
                record.toolNameHash = text(random);
                record.toolErrorType = text(random);
            }
            case ADMISSION, HINT -> {
                record.action = text(random);
                record.amount = random.nextLong();
            }
            default -> {}
        }
        return record;
    }

    private static String text(SplittableRandom random) {
        return switch (random.nextInt(6)) {
            case 0 -> null;
            case 1 -> "";
            case 2 -> "naïve, 漢字, \ud83d\ude00";
            case 3 -> "x".repeat(random.nextInt(300));
            default -> "plain-" + random.nextInt(1_000);
        };
    }

    /** Every field of {@code expected} stands in {@code read}. */
    static void assertSame(TraceRecord expected, TraceRecord read) {
        assertEquals(expected.kind, read.kind);
        assertEquals(expected.epochMs, read.epochMs);
        assertEquals(expected.agent, read.agent);
        assertEquals(expected.requestId, read.requestId);
        assertEquals(expected.clientRequestId, read.clientRequestId);
        assertEquals(expected.api, read.api);
        assertEquals(expected.model, read.model);
        assertEquals(expected.outcome, read.outcome);
        assertEquals(expected.status, read.status);
        assertEquals(expected.attempts, read.attempts);
        assertEquals(expected.inputTokens, read.inputTokens);
        assertEquals(expected.outputTokens, read.outputTokens);
        assertEquals(expected.predictedCachedTokens, read.predictedCachedTokens);
        assertEquals(expected.cachedTokens, read.cachedTokens);
        assertEquals(expected.receivedMs, read.receivedMs);
        assertEquals(expected.routedMs, read.routedMs);
        assertEquals(expected.firstTokenMs, read.firstTokenMs);
        assertEquals(expected.totalMs, read.totalMs);
        assertEquals(expected.waitNs, read.waitNs);
        assertEquals(expected.worker, read.worker);
        assertEquals(expected.rank, read.rank);
        assertEquals(expected.slot, read.slot);
        assertEquals(expected.overlapBlocks, read.overlapBlocks);
        assertEquals(expected.blockSize, read.blockSize);
        assertEquals(expected.exact, read.exact);
        assertEquals(expected.hashCount, read.hashCount);
        assertArrayEquals(Arrays.copyOf(expected.hashes, expected.hashCount), read.hashes);
        assertArrayEquals(
                expected.traceHashes == null ? null : Arrays.copyOf(expected.traceHashes, expected.hashCount),
                read.traceHashes);
        assertEquals(expected.partial, read.partial);
        assertEquals(expected.partialHash, read.partialHash);
        assertEquals(expected.finishReason, read.finishReason);
        assertEquals(expected.choices, read.choices);
        assertEquals(expected.toolCalls, read.toolCalls);
        assertArrayEquals(expected.requestPayload, read.requestPayload);
        assertArrayEquals(expected.responsePayload, read.responsePayload);
        assertEquals(expected.toolCallId, read.toolCallId);
        assertEquals(expected.toolClass, read.toolClass);
        assertEquals(expected.toolStatus, read.toolStatus);
        assertEquals(expected.toolStartedMs, read.toolStartedMs);
        assertEquals(expected.toolEndedMs, read.toolEndedMs);
        assertEquals(expected.toolMs, read.toolMs);
        assertEquals(expected.toolOutputTokens, read.toolOutputTokens);
        assertEquals(expected.toolOutputBytes, read.toolOutputBytes);
        assertEquals(expected.toolNameHash, read.toolNameHash);
        assertEquals(expected.toolErrorType, read.toolErrorType);
        assertEquals(expected.action, read.action);
        assertEquals(expected.amount, read.amount);
    }
}
