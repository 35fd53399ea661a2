package io.penstock.dataplane.inputlog;

import io.penstock.dataplane.core.RouterCore;
import io.penstock.dataplane.core.StateTape;
import io.penstock.dataplane.metrics.Counting;
import io.penstock.dataplane.pipeline.BlockBuffer;
import io.penstock.dataplane.pipeline.BlockBuffers;
import io.penstock.dataplane.pipeline.PrefixIndexFactory;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.pipeline.WorkerAddition;
import io.penstock.dataplane.routing.BusyThresholds;
import io.penstock.index.IndexConfig;
import io.penstock.index.OffHeapIndex;
import io.penstock.index.PrefixIndex;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The serving core once more, over scratch indexes, fed from the log.
 *
 * <p><b>Threading:</b> owned by the replay.
 */
final class ReplayedCore implements AutoCloseable {
    private static final Counting NOT_COUNTED = (counter, amount) -> {};
    private static final int STATE_BYTES = 1 << 26;

    private final ReplaySettings settings;
    private final Path scratch;
    private final List<PrefixIndex> indexes = new ArrayList<>();
    private final BlockBuffers buffers = new BlockBuffers();
    private final RouterCore core;
    private InputRecord pool;
    private BlockBuffer inHand;

    private ReplayedCore(ReplaySettings settings, Path scratch, int life) {
        this.settings = settings;
        this.scratch = scratch;
        core = new RouterCore(settings.core(), settings.routing(), new Scratch(), NOT_COUNTED, life);
    }

    /** A core without workers, as one begins. */
    static ReplayedCore empty(ReplaySettings settings, Path scratch, int life) {
        return new ReplayedCore(settings, scratch, life);
    }

    /**
     * The core of a checkpoint.
     *
     * @throws IOException in one line, when the checkpoint is not sound
     */
    static ReplayedCore of(Path checkpoint, CheckpointFile state, Path scratch) throws IOException {
        ReplayedCore made = new ReplayedCore(ReplaySettings.of(state.settings()), scratch, 0);
        try {
            StateTape tape = StateTape.reading(MemorySegment.ofBuffer(state.state()));
            made.core.carry(tape, number -> made.imaged(checkpoint, number));
        } catch (IllegalArgumentException | java.io.UncheckedIOException unsound) {
            made.close();
            throw new IOException("checkpoint cannot be used: " + unsound.getMessage(), unsound);
        }
        return made;
    }

    private PrefixIndex imaged(Path checkpoint, int number) {
        try {
            PrefixIndex index = OffHeapIndex.openImage(
                    checkpoint.resolve(CheckpointFile.pool(number)), scratch.resolve("pool-" + number + ".pst"));
            indexes.add(index);
            return index;
        } catch (IOException unsound) {
            throw new java.io.UncheckedIOException(unsound);
        }
    }

    RouterCore core() {
        return core;
    }

    ReplaySettings settings() {
        return settings;
    }

    /** Another core of the same state over the same indexes: to try one request, not to be fed. */
    RouterCore another() {
        ByteBuffer memory = ByteBuffer.allocateDirect(STATE_BYTES);
        StateTape out = StateTape.writing(MemorySegment.ofBuffer(memory));
        core.carry(out, null);
        while (out.isFull()) {
            memory = ByteBuffer.allocateDirect(Math.multiplyExact(memory.capacity(), 2));
            out = StateTape.writing(MemorySegment.ofBuffer(memory));
            core.carry(out, null);
        }
        RouterCore other = new RouterCore(settings.core(), settings.routing(), new Scratch(), NOT_COUNTED, 0);
        other.carry(StateTape.reading(MemorySegment.ofBuffer(memory)), indexes::get);
        return other;
    }

    /**
     * Applies one input; a request is decided, and given back with its decision.
     *
     * @param next the record after it, which may tell how an index was made
     * @return the request, or null for other inputs
     */
    RouteRequest apply(InputRecord record, InputRecord next) {
        if (record.timeNs() != 0) {
            core.time(record.timeNs());
        }
        ByteBuffer body = record.body();
        switch (record.kind()) {
            case RecordLayout.ROUTE -> {
                RouteRequest request =
                        RouteBytes.read(body.duplicate().order(body.order()), record.isYes(), done -> {});
                core.route(request);
                request.decision.seq = record.seq();
                return request;
            }
            case RecordLayout.FIRST_TOKEN -> core.firstToken(body.getLong(0));
            case RecordLayout.PROGRESS -> core.progress(body.getLong(0), body.getInt(Long.BYTES));
            case RecordLayout.FINISHED -> core.finished(body.getLong(0), body.getInt(Long.BYTES));
            case RecordLayout.TICK -> core.tick();
            case RecordLayout.STORED, RecordLayout.REMOVED -> blocks(record);
            case RecordLayout.ADVANCED -> advance(body.getInt(0));
            case RecordLayout.SWEPT -> core.sweep(body.getInt(0));
            case RecordLayout.CLEARED -> core.cleared(body.getInt(0));
            case RecordLayout.BATCH_END ->
                core.batchEnd(body.getInt(0), body.getLong(4), body.getLong(12), body.getLong(20));
            case RecordLayout.PROVEN -> core.proven(body.getInt(0));
            case RecordLayout.COLD -> core.cold(body.getInt(0));
            case RecordLayout.DOUBTED -> core.doubted(body.getInt(0));
            default -> member(record, next);
        }
        return null;
    }

    private void member(InputRecord record, InputRecord next) {
        ByteBuffer body = record.body();
        switch (record.kind()) {
            case RecordLayout.ADD_WORKER -> {
                pool = next != null && next.kind() == RecordLayout.POOL ? next : null;
                WorkerBytes.Wanted wanted = WorkerBytes.read(body.duplicate().order(body.order()));
                core.addWorker(wanted.worker(), wanted.slots());
            }
            case RecordLayout.DRAIN -> core.drain(body.getInt(0));
            case RecordLayout.REMOVE -> core.remove(body.getInt(0));
            case RecordLayout.HEALTH -> core.setHealthy(body.getInt(0), record.isYes());
            case RecordLayout.THRESHOLDS ->
                core.setBusyThresholds(
                        body.getInt(0), new BusyThresholds(body.getDouble(4), body.getLong(12), body.getDouble(20)));
            default -> {
                // Times told, decisions, pools and checkpoints change nothing here.
            }
        }
    }

    private void blocks(InputRecord record) {
        ByteBuffer body = record.body();
        boolean stored = record.kind() == RecordLayout.STORED;
        inHand = buffers.acquire(Math.max(1, body.getInt(BlockBytes.COUNT)));
        BlockBytes.read(body, inHand, stored);
        int slot = body.getInt(BlockBytes.SLOT);
        int tier = body.getInt(BlockBytes.TIER);
        if (stored) {
            core.stored(slot, tier, record.isYes(), body.getLong(BlockBytes.PARENT), inHand);
        } else {
            core.removed(slot, tier, inHand);
        }
        advance(body.getInt(BlockBytes.STEPS));
    }

    private void advance(int mostSteps) {
        if (mostSteps > 0) {
            core.advance(mostSteps);
        }
        if (inHand != null && !core.isPending()) {
            buffers.release(inHand);
            inHand = null;
        }
    }

    @Override
    public void close() {
        for (PrefixIndex index : indexes) {
            ((OffHeapIndex) index).abandon();
        }
    }

    /** Opens what the log says was opened. */
    private final class Scratch implements PrefixIndexFactory {
        @Override
        public PrefixIndex open(int model, int blockSize) {
            if (pool == null) {
                throw new IllegalStateException("the log knows of no index: model=" + model);
            }
            if ((pool.flags() & RecordLayout.REFUSED) != 0) {
                throw new IllegalStateException("the index could not be opened then");
            }
            ByteBuffer made = pool.body();
            PrefixIndex index = OffHeapIndex.open(new IndexConfig(
                    scratch.resolve("pool-" + indexes.size() + ".pst"),
                    blockSize,
                    made.getLong(8),
                    made.getInt(16),
                    made.getInt(20)));
            indexes.add(index);
            return index;
        }

        @Override
        public PrefixIndex open(WorkerAddition first) {
            return open(first.model(), first.blockSize());
        }
    }
}
