package io.penstock.dataplane.journal;

import io.penstock.bindings.harness.AgentContext;
import io.penstock.bindings.harness.IdentitySource;
import io.penstock.bindings.harness.InputTrigger;
import io.penstock.dataplane.pipeline.Outcome;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads one record; of its hashes those that were written. {@link #shared} leading ones are to be had from the record at
 * {@link #base}.
 *
 * <p><b>Threading:</b> one thread, one record.
 */
final class TraceDecoder {
    private static final TraceRecord.Kind[] KINDS = TraceRecord.Kind.values();
    private static final Outcome[] OUTCOMES = Outcome.values();
    private static final IdentitySource[] SOURCES = IdentitySource.values();
    private static final InputTrigger[] TRIGGERS = InputTrigger.values();

    private final ByteBuffer in;
    private final TraceRecord record = new TraceRecord();
    private final int flags;
    private final int shared;
    private final long base;
    private long[] hashes;
    private long[] traces;

    /**
     * Reads a record from its bytes, those of all its documents without their headers.
     *
     * @throws IllegalStateException if they are no record of this version
     */
    TraceDecoder(byte[] bytes, int length) {
        in = ByteBuffer.wrap(bytes, 0, length).order(ByteOrder.LITTLE_ENDIAN);
        try {
            flags = in.getInt(TraceLayout.FLAGS);
            shared = in.getInt(TraceLayout.SHARED);
            base = in.getLong(TraceLayout.BASE);
            fixed();
            in.position(TraceLayout.FIXED_BYTES);
            agent();
            if ((flags & TraceLayout.TOOL) != 0) {
                tool();
            }
            if ((flags & TraceLayout.ACTION) != 0) {
                record.action = text();
                record.amount = in.getLong();
            }
            rest();
        } catch (BufferUnderflowException | IndexOutOfBoundsException | NegativeArraySizeException wrong) {
            throw new IllegalStateException("record ends before its fields do", wrong);
        }
    }

    /** The record, without hashes. */
    TraceRecord record() {
        return record;
    }

    int shared() {
        return shared;
    }

    long base() {
        return base;
    }

    /** Hashes from {@link #shared} on. */
    long[] hashes() {
        return hashes;
    }

    /** Trace hashes from {@link #shared} on, or null. */
    long[] traces() {
        return traces;
    }

    private void fixed() {
        record.kind = kind(in.get(TraceLayout.KIND));
        record.outcome = constant(OUTCOMES, in.get(TraceLayout.OUTCOME));
        record.exact = (flags & TraceLayout.EXACT) != 0;
        record.partial = (flags & TraceLayout.PARTIAL) != 0;
        record.status = in.getInt(TraceLayout.STATUS);
        record.attempts = in.getInt(TraceLayout.ATTEMPTS);
        record.inputTokens = in.getInt(TraceLayout.INPUT_TOKENS);
        record.outputTokens = in.getInt(TraceLayout.OUTPUT_TOKENS);
        record.predictedCachedTokens = in.getInt(TraceLayout.PREDICTED_CACHED_TOKENS);
        record.cachedTokens = in.getInt(TraceLayout.CACHED_TOKENS);
        record.rank = in.getInt(TraceLayout.RANK);
        record.slot = in.getInt(TraceLayout.SLOT);
        record.overlapBlocks = in.getInt(TraceLayout.OVERLAP_BLOCKS);
        record.epochMs = in.getLong(TraceLayout.EPOCH_MS);
        record.receivedMs = in.getLong(TraceLayout.RECEIVED_MS);
        record.routedMs = in.getDouble(TraceLayout.ROUTED_MS);
        record.firstTokenMs = in.getDouble(TraceLayout.FIRST_TOKEN_MS);
        record.totalMs = in.getDouble(TraceLayout.TOTAL_MS);
        record.waitNs = in.getLong(TraceLayout.WAIT_NS);
        record.blockSize = in.getInt(TraceLayout.BLOCK_SIZE);
        record.hashCount = in.getInt(TraceLayout.HASH_COUNT);
        record.partialHash = in.getLong(TraceLayout.PARTIAL_HASH);
        if (record.hashCount < 0 || shared < 0 || shared > record.hashCount) {
            throw new IllegalStateException(
                    "record shares more hashes than it has: shared=" + shared + " hashes=" + record.hashCount);
        }
    }

    private static TraceRecord.Kind kind(int code) {
        for (TraceRecord.Kind kind : KINDS) {
            if (kind.code() == code) {
                return kind;
            }
        }
        throw new IllegalStateException("kind of record is not known: kind=" + code);
    }

    private static <E> E constant(E[] all, int code) {
        if (code < 0 || code > all.length) {
            throw new IllegalStateException("code is not known: code=" + code);
        }
        return code == 0 ? null : all[code - 1];
    }

    private void agent() {
        String session = text();
        String parent = text();
        String group = text();
        record.requestId = text();
        record.clientRequestId = text();
        record.api = text();
        record.model = text();
        record.worker = text();
        record.finishReason = text();
        IdentitySource source = constant(SOURCES, in.get(TraceLayout.SOURCE));
        InputTrigger trigger = constant(TRIGGERS, in.get(TraceLayout.TRIGGER));
        Boolean last =
                (flags & TraceLayout.FINAL_KNOWN) == 0 ? null : Boolean.valueOf((flags & TraceLayout.FINAL) != 0);
        Map<String, List<String>> headers = headers();
        record.agent = new AgentContext(session, parent, last, trigger, headers, source, group);
        for (long left = varint(); left > 0; left--) {
            record.choices.add(new TraceRecord.ChoiceEnd(in.getInt(), text(), text()));
        }
        for (long left = varint(); left > 0; left--) {
            record.toolCalls.add(new TraceRecord.ToolCall(in.getInt(), in.getInt(), text(), text()));
        }
    }

    private Map<String, List<String>> headers() {
        long names = varint();
        if (names == 0) {
            return Map.of();
        }
        Map<String, List<String>> headers = new LinkedHashMap<>();
        for (; names > 0; names--) {
            List<String> values = new ArrayList<>(1);
            String name = text();
            for (long left = varint(); left > 0; left--) {
                values.add(text());
            }
            headers.put(name, values);
        }
        return headers;
    }

    private void tool() {
        record.toolStartedMs = in.getLong();
        record.toolEndedMs = in.getLong();
        record.toolMs = in.getDouble();
        record.toolOutputTokens = in.getLong();
        record.toolOutputBytes = in.getLong();
        record.toolCallId = text();
        record.toolClass = text();
        record.toolStatus = text();
        record.toolNameHash = text();
        record.toolErrorType = text();
    }

    private void rest() {
        hashes = longs(record.hashCount - shared);
        traces = (flags & TraceLayout.TRACE_HASHES) == 0 ? null : longs(record.hashCount - shared);
        record.requestPayload = bytes();
        record.responsePayload = bytes();
        if (in.hasRemaining()) {
            throw new IllegalStateException("bytes are left behind the record: bytes=" + in.remaining());
        }
    }

    private long[] longs(int count) {
        if (count > in.remaining() / Long.BYTES) {
            throw new BufferUnderflowException();
        }
        long[] values = new long[count];
        in.asLongBuffer().get(values);
        in.position(in.position() + count * Long.BYTES);
        return values;
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift < Integer.SIZE; shift += 7) {
            byte b = in.get();
            value |= (long) (b & 0x7F) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw new IllegalStateException("number is too long: at=" + in.position());
    }

    private byte[] bytes() {
        long length = varint() - 1;
        if (length < 0) {
            return null;
        }
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] value = new byte[(int) length];
        in.get(value);
        return value;
    }

    private String text() {
        byte[] value = bytes();
        return value == null ? null : new String(value, StandardCharsets.UTF_8);
    }
}
