package io.penstock.dataplane.inputlog;

import io.penstock.dataplane.core.RouterCore;
import io.penstock.dataplane.pipeline.BlockBuffer;
import io.penstock.dataplane.pipeline.CoreTap;
import io.penstock.dataplane.pipeline.PrefixIndexFactory;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.pipeline.WorkerAddition;
import io.penstock.dataplane.routing.BusyThresholds;
import java.nio.ByteOrder;
import org.agrona.concurrent.AtomicBuffer;

/**
 * Writes what the core takes and decides into the ring.
 *
 * <p><b>Threading:</b> owned by the core's thread. <b>Cost:</b> nothing allocated for requests and KV events.
 */
final class InputTap implements CoreTap {
    private static final ByteOrder LE = ByteOrder.LITTLE_ENDIAN;

    private final InputRing ring;
    private final AtomicBuffer buffer;
    private final long firstSeq;
    private final RouteBytes routes;
    private final Checkpointer checkpoints;

    InputTap(InputRing ring, long firstSeq, int maxBlocksPerRequest, Checkpointer checkpoints) {
        this.ring = ring;
        this.firstSeq = firstSeq;
        this.checkpoints = checkpoints;
        buffer = ring.buffer();
        routes = new RouteBytes(maxBlocksPerRequest);
    }

    @Override
    public long firstSeq() {
        return firstSeq;
    }

    @Override
    public PrefixIndexFactory indexes(PrefixIndexFactory factory) {
        return new TappedIndexes(factory, ring, checkpoints);
    }

    @Override
    public void started(long seq, int life) {
        int at = ring.begin(RecordLayout.STARTED, 0, seq, 0, Integer.BYTES);
        if (at >= 0) {
            buffer.putInt(at, life, LE);
            ring.end();
        }
        checkpoints.coreStarted();
    }

    @Override
    public void failed(long seq) {
        ring.put(RecordLayout.FAILED, 0, seq, 0);
        checkpoints.coreEnded();
    }

    @Override
    public void ended() {
        checkpoints.coreEnded();
    }

    @Override
    public void route(long seq, long timeNs, RouteRequest request) {
        int flags = request.exact ? RecordLayout.YES : 0;
        int at = ring.begin(RecordLayout.ROUTE, flags, seq, timeNs, routes.length(request));
        if (at >= 0) {
            routes.write(request, buffer, at);
            ring.end();
        }
    }

    @Override
    public void decided(long seq, RouteRequest request) {
        int length = Long.BYTES + DecisionBytes.length(request.decision);
        int at = ring.begin(RecordLayout.DECIDED, 0, seq, 0, length);
        if (at >= 0) {
            buffer.putLong(at, request.decision.waitNs, LE);
            DecisionBytes.write(request.decision, buffer, at + Long.BYTES);
            ring.end();
        }
    }

    @Override
    public void firstToken(long seq, long timeNs, long ticket) {
        lifeCycle(RecordLayout.FIRST_TOKEN, seq, timeNs, ticket, 0);
    }

    @Override
    public void progress(long seq, long timeNs, long ticket, int outputTokens) {
        lifeCycle(RecordLayout.PROGRESS, seq, timeNs, ticket, outputTokens);
    }

    @Override
    public void finished(long seq, long timeNs, long ticket, int cachedTokens) {
        lifeCycle(RecordLayout.FINISHED, seq, timeNs, ticket, cachedTokens);
    }

    private void lifeCycle(int kind, long seq, long timeNs, long ticket, int tokens) {
        int at = ring.begin(kind, 0, seq, timeNs, Long.BYTES + Integer.BYTES);
        if (at >= 0) {
            buffer.putLong(at, ticket, LE);
            buffer.putInt(at + Long.BYTES, tokens, LE);
            ring.end();
        }
    }

    @Override
    public void time(long seq, long timeNs, boolean tick) {
        ring.put(tick ? RecordLayout.TICK : RecordLayout.TIME_TOLD, 0, seq, timeNs);
    }

    @Override
    public void stored(
            long seq,
            long timeNs,
            int slot,
            int tier,
            boolean root,
            long parentEngineHash,
            BlockBuffer blocks,
            int mostSteps) {
        int count = BlockBytes.countOf(blocks);
        int flags = root ? RecordLayout.YES : 0;
        int at = ring.begin(RecordLayout.STORED, flags, seq, timeNs, BlockBytes.length(count, true));
        if (at >= 0) {
            BlockBytes.write(buffer, at, slot, tier, parentEngineHash, mostSteps, blocks, true);
            ring.end();
        }
    }

    @Override
    public void removed(long seq, long timeNs, int slot, int tier, BlockBuffer blocks, int mostSteps) {
        int count = BlockBytes.countOf(blocks);
        int at = ring.begin(RecordLayout.REMOVED, 0, seq, timeNs, BlockBytes.length(count, false));
        if (at >= 0) {
            BlockBytes.write(buffer, at, slot, tier, 0, mostSteps, blocks, false);
            ring.end();
        }
    }

    @Override
    public void advanced(long seq, int mostSteps) {
        number(RecordLayout.ADVANCED, 0, seq, 0, mostSteps);
    }

    @Override
    public void swept(long seq, int mostSteps, int used) {
        int at = ring.begin(RecordLayout.SWEPT, 0, seq, 0, 2 * Integer.BYTES);
        if (at >= 0) {
            buffer.putInt(at, mostSteps, LE);
            buffer.putInt(at + Integer.BYTES, used, LE);
            ring.end();
        }
    }

    @Override
    public void cleared(long seq, long timeNs, int slot) {
        number(RecordLayout.CLEARED, 0, seq, timeNs, slot);
    }

    @Override
    public void batchEnd(long seq, long timeNs, int slot, long sequence, long timestampBits, long batchHash) {
        int at = ring.begin(RecordLayout.BATCH_END, 0, seq, timeNs, Integer.BYTES + 3 * Long.BYTES);
        if (at >= 0) {
            buffer.putInt(at, slot, LE);
            buffer.putLong(at + Integer.BYTES, sequence, LE);
            buffer.putLong(at + Integer.BYTES + Long.BYTES, timestampBits, LE);
            buffer.putLong(at + Integer.BYTES + 2 * Long.BYTES, batchHash, LE);
            ring.end();
        }
    }

    @Override
    public void proven(long seq, long timeNs, int slot) {
        number(RecordLayout.PROVEN, 0, seq, timeNs, slot);
    }

    @Override
    public void cold(long seq, long timeNs, int slot) {
        number(RecordLayout.COLD, 0, seq, timeNs, slot);
    }

    @Override
    public void doubted(long seq, long timeNs, int slot) {
        number(RecordLayout.DOUBTED, 0, seq, timeNs, slot);
    }

    @Override
    public void addWorker(long seq, long timeNs, WorkerAddition worker, int[] wanted) {
        byte[] bytes = WorkerBytes.of(worker, wanted);
        int at = ring.begin(RecordLayout.ADD_WORKER, 0, seq, timeNs, bytes.length);
        if (at >= 0) {
            buffer.putBytes(at, bytes);
            ring.end();
        }
    }

    @Override
    public void drain(long seq, long timeNs, int worker) {
        number(RecordLayout.DRAIN, 0, seq, timeNs, worker);
    }

    @Override
    public void remove(long seq, long timeNs, int worker) {
        number(RecordLayout.REMOVE, 0, seq, timeNs, worker);
    }

    @Override
    public void healthy(long seq, long timeNs, int worker, boolean healthy) {
        number(RecordLayout.HEALTH, healthy ? RecordLayout.YES : 0, seq, timeNs, worker);
    }

    @Override
    public void thresholds(long seq, long timeNs, int model, BusyThresholds thresholds) {
        int at = ring.begin(RecordLayout.THRESHOLDS, 0, seq, timeNs, Integer.BYTES + 3 * Long.BYTES);
        if (at >= 0) {
            buffer.putInt(at, model, LE);
            buffer.putDouble(at + Integer.BYTES, thresholds.activeDecodeBlocksFraction(), LE);
            buffer.putLong(at + Integer.BYTES + Long.BYTES, thresholds.activePrefillTokens(), LE);
            buffer.putDouble(at + Integer.BYTES + 2 * Long.BYTES, thresholds.activePrefillTokensFraction(), LE);
            ring.end();
        }
    }

    private void number(int kind, int flags, long seq, long timeNs, int number) {
        int at = ring.begin(kind, flags, seq, timeNs, Integer.BYTES);
        if (at >= 0) {
            buffer.putInt(at, number, LE);
            ring.end();
        }
    }

    @Override
    public void atRest(long seq, RouterCore core) {
        if (ring.takeGapWritten()) {
            checkpoints.want();
        }
        if (checkpoints.atRest(seq, core)) {
            ring.put(RecordLayout.CHECKPOINT, 0, seq, 0);
        }
    }
}
