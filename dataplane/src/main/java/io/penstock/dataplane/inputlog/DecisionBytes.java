package io.penstock.dataplane.inputlog;

import io.penstock.dataplane.pipeline.Decision;
import io.penstock.index.Tier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A decision as bytes: all of it that follows from the core's inputs, so neither the time it waited nor where the worker
 * listens. Two decisions are the same when their bytes are.
 *
 * <pre>
 *   0 status u8   1 mode u8   2 candidates u16   4 slot i32   8 ticket i64   16 block size i32   20 predicted cached tokens i32
 *  24 per candidate: slot i32, device, host, disk, external i32, predicted i32, shared i32, prefill tokens i64,
 *     decode blocks i64, cost f64
 * </pre>
 *
 * <p><b>Threading:</b> stateless. <b>Cost:</b> writing allocates nothing.
 */
final class DecisionBytes {
    static final int STATUS = 0;
    static final int MODE = STATUS + 1;
    static final int CANDIDATES = MODE + 1;
    static final int SLOT = CANDIDATES + Short.BYTES;
    static final int TICKET = SLOT + Integer.BYTES;
    static final int BLOCK_SIZE = TICKET + Long.BYTES;
    static final int PREDICTED = BLOCK_SIZE + Integer.BYTES;
    static final int COLUMNS = PREDICTED + Integer.BYTES;
    static final int CANDIDATE_BYTES = (3 + Tier.COUNT) * Integer.BYTES + 3 * Long.BYTES;

    private DecisionBytes() {}

    static int length(Decision decision) {
        return COLUMNS + decision.candidates * CANDIDATE_BYTES;
    }

    static void write(Decision d, MutableDirectBuffer to, int at) {
        to.putByte(at + STATUS, (byte) d.status.ordinal());
        to.putByte(at + MODE, (byte) d.mode.ordinal());
        to.putShort(at + CANDIDATES, (short) d.candidates, ByteOrder.LITTLE_ENDIAN);
        to.putInt(at + SLOT, d.slot, ByteOrder.LITTLE_ENDIAN);
        to.putLong(at + TICKET, d.ticket, ByteOrder.LITTLE_ENDIAN);
        to.putInt(at + BLOCK_SIZE, d.blockSize, ByteOrder.LITTLE_ENDIAN);
        to.putInt(at + PREDICTED, d.predictedCachedTokens, ByteOrder.LITTLE_ENDIAN);
        int p = at + COLUMNS;
        for (int i = 0; i < d.candidates; i++) {
            to.putInt(p, d.candidateSlot[i], ByteOrder.LITTLE_ENDIAN);
            p += Integer.BYTES;
            for (int tier = 0; tier < Tier.COUNT; tier++) {
                to.putInt(p, d.candidateBlocks[i * Tier.COUNT + tier], ByteOrder.LITTLE_ENDIAN);
                p += Integer.BYTES;
            }
            to.putInt(p, d.candidatePredicted[i], ByteOrder.LITTLE_ENDIAN);
            p += Integer.BYTES;
            to.putInt(p, d.candidateShared[i], ByteOrder.LITTLE_ENDIAN);
            to.putLong(p + Integer.BYTES, d.candidatePrefillTokens[i], ByteOrder.LITTLE_ENDIAN);
            to.putLong(p + Integer.BYTES + Long.BYTES, d.candidateDecodeBlocks[i], ByteOrder.LITTLE_ENDIAN);
            to.putDouble(p + Integer.BYTES + 2 * Long.BYTES, d.candidateCost[i], ByteOrder.LITTLE_ENDIAN);
            p += Integer.BYTES + 3 * Long.BYTES;
        }
    }

    static byte[] of(Decision decision) {
        byte[] bytes = new byte[length(decision)];
        write(decision, new UnsafeBuffer(bytes), 0);
        return bytes;
    }

    /** A decision that was written; its waiting time and endpoint are not there. */
    static Decision read(byte[] bytes) {
        ByteBuffer from = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        Decision d = new Decision();
        d.status = Decision.Status.values()[from.get()];
        d.mode = Decision.Mode.values()[from.get()];
        d.candidates = from.getShort();
        d.slot = from.getInt();
        d.ticket = from.getLong();
        d.blockSize = from.getInt();
        d.predictedCachedTokens = from.getInt();
        for (int i = 0; i < d.candidates; i++) {
            d.candidateSlot[i] = from.getInt();
            for (int tier = 0; tier < Tier.COUNT; tier++) {
                d.candidateBlocks[i * Tier.COUNT + tier] = from.getInt();
            }
            d.candidatePredicted[i] = from.getInt();
            d.candidateShared[i] = from.getInt();
            d.candidatePrefillTokens[i] = from.getLong();
            d.candidateDecodeBlocks[i] = from.getLong();
            d.candidateCost[i] = from.getDouble();
        }
        return d;
    }
}
