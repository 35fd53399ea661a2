package io.penstock.dataplane.journal;

import io.penstock.bindings.harness.AgentContext;
import java.util.List;
import java.util.function.BiConsumer;
import net.openhft.hashing.LongHashFunction;

/**
 * Writes trace records as documents: the hashes as those that the session's former prompt did not have.
 *
 * <p>Allocates nothing; a record's lists and headers are walked by index and by a consumer made once.
 *
 * <p><b>Threading:</b> one thread.
 */
final class TraceEncoder {
    private static final LongHashFunction KEY = LongHashFunction.xx3();

    private final PartWriter out = new PartWriter();
    private final SessionBases bases;
    private final HashSalt salt;
    private final int fullEvery;
    private final BiConsumer<String, List<String>> header = this::header;

    /**
     * An encoder with nothing remembered.
     *
     * @param salt of the hashes, or null
     * @param fullEvery records of a session after which all hashes are written again
     */
    TraceEncoder(SessionBases bases, HashSalt salt, int fullEvery) {
        this.bases = bases;
        this.salt = salt;
        this.fullEvery = fullEvery;
    }

    /** Writes the record; bytes of its documents. */
    long write(TraceRecord record, Documents documents) {
        long position = documents.begin();
        AgentContext agent = record.agent;
        long key = key(agent);
        boolean traces = record.traceHashes != null;
        int shared = 0;
        int depth = 0;
        long base = 0;
        if (key != 0 && record.hashCount > 0) {
            // What an older file keeps may be deleted with it.
            long oldest = position >>> JournalRoll.SEQUENCE_BITS << JournalRoll.SEQUENCE_BITS;
            int found = bases.find(key, record.hashes, record.hashCount, traces, oldest);
            if (found > 0 && bases.depth() < fullEvery - 1) {
                shared = found;
                base = bases.position();
                depth = bases.depth() + 1;
            }
        }
        out.begin(documents);
        fixed(record);
        out.i32(shared);
        out.i32(depth);
        out.i64(base);
        out.i64(salted(record.partialHash));
        texts(record, agent);
        if (tool(record)) {
            toolPart(record);
        }
        if (action(record)) {
            out.text(record.action);
            out.i64(record.amount);
        }
        hashes(record.hashes, shared, record.hashCount);
        if (traces) {
            hashes(record.traceHashes, shared, record.hashCount);
        }
        out.bytes(record.requestPayload);
        out.bytes(record.responsePayload);
        long bytes = out.end();
        if (key != 0 && record.hashCount > 0) {
            bases.remember(key, record.hashes, record.hashCount, traces, position, depth);
        }
        return bytes;
    }

    private static long key(AgentContext agent) {
        String name = agent.session() != null ? agent.session() : agent.group();
        return name == null ? 0 : KEY.hashChars(name) | 1;
    }

    private void fixed(TraceRecord record) {
        AgentContext agent = record.agent;
        out.u8(record.kind.code());
        out.u8(record.outcome == null ? 0 : record.outcome.ordinal() + 1);
        out.u8(agent.source().ordinal() + 1);
        out.u8(agent.inputTrigger() == null ? 0 : agent.inputTrigger().ordinal() + 1);
        out.i32(flags(record));
        out.i32(record.status);
        out.i32(record.attempts);
        out.i32(record.inputTokens);
        out.i32(record.outputTokens);
        out.i32(record.predictedCachedTokens);
        out.i32(record.cachedTokens);
        out.i32(record.rank);
        out.i32(record.slot);
        out.i32(record.overlapBlocks);
        out.i64(record.epochMs);
        out.i64(record.receivedMs);
        out.f64(record.routedMs);
        out.f64(record.firstTokenMs);
        out.f64(record.totalMs);
        out.i64(record.waitNs);
        out.i32(record.blockSize);
        out.i32(record.hashCount);
    }

    private int flags(TraceRecord record) {
        Boolean last = record.agent.sessionFinal();
        return (record.exact ? TraceLayout.EXACT : 0)
                | (record.partial ? TraceLayout.PARTIAL : 0)
                | (record.traceHashes != null ? TraceLayout.TRACE_HASHES : 0)
                | (tool(record) ? TraceLayout.TOOL : 0)
                | (action(record) ? TraceLayout.ACTION : 0)
                | (last != null ? TraceLayout.FINAL_KNOWN : 0)
                | (last != null && last ? TraceLayout.FINAL : 0)
                | (salt != null ? TraceLayout.SALTED : 0);
    }

    private static boolean tool(TraceRecord record) {
        return switch (record.kind) {
            case TOOL_START, TOOL_END, TOOL_ERROR -> true;
            default -> false;
        };
    }

    private static boolean action(TraceRecord record) {
        return switch (record.kind) {
            case ADMISSION, HINT -> true;
            default -> false;
        };
    }

    private void texts(TraceRecord record, AgentContext agent) {
        out.text(agent.session());
        out.text(agent.parent());
        out.text(agent.group());
        out.text(record.requestId);
        out.text(record.clientRequestId);
        out.text(record.api);
        out.text(record.model);
        out.text(record.worker);
        out.text(record.finishReason);
        out.varint(agent.agentHeaders().size());
        if (!agent.agentHeaders().isEmpty()) {
            agent.agentHeaders().forEach(header);
        }
        out.varint(record.choices.size());
        for (int i = 0; i < record.choices.size(); i++) {
            TraceRecord.ChoiceEnd choice = record.choices.get(i);
            out.i32(choice.index());
            out.text(choice.finishReason());
            out.text(choice.stopReason());
        }
        out.varint(record.toolCalls.size());
        for (int i = 0; i < record.toolCalls.size(); i++) {
            TraceRecord.ToolCall call = record.toolCalls.get(i);
            out.i32(call.choice());
            out.i32(call.index());
            out.text(call.id());
            out.text(call.name());
        }
    }

    private void header(String name, List<String> values) {
        out.text(name);
        out.varint(values.size());
        for (int i = 0; i < values.size(); i++) {
            out.text(values.get(i));
        }
    }

    private void toolPart(TraceRecord record) {
        out.i64(record.toolStartedMs);
        out.i64(record.toolEndedMs);
        out.f64(record.toolMs);
        out.i64(record.toolOutputTokens);
        out.i64(record.toolOutputBytes);
        out.text(record.toolCallId);
        out.text(record.toolClass);
        out.text(record.toolStatus);
        out.text(record.toolNameHash);
        out.text(record.toolErrorType);
    }

    private void hashes(long[] hashes, int from, int to) {
        for (int i = from; i < to; i++) {
            out.i64(salted(hashes[i]));
        }
    }

    private long salted(long hash) {
        return salt == null ? hash : salt.apply(hash);
    }
}
