package io.penstock.dataplane.hints;

import io.penstock.bindings.harness.AgentContext;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.pipeline.DecisionRecord;
import io.penstock.dataplane.pipeline.Outcome;
import io.penstock.dataplane.pipeline.RequestPort;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.workers.HintSite;
import io.penstock.dataplane.workers.HintWay;
import io.penstock.dataplane.workers.WorkerEndpoint;
import io.penstock.index.ChainHash;
import io.penstock.index.IndexConfig;
import io.penstock.index.OffHeapIndex;
import io.penstock.index.Tier;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;

/** A source whose engine has names of its own for a prompt's blocks, and what is told of hints about it. */
final class HintBench implements RequestPort, AutoCloseable {
    static final String PREFIX = "router-1f";
    static final int BLOCK = 16;
    /** Blocks of the prompt that the source's engine has names for. */
    static final int NAMED = 20;

    final List<TraceRecord> rows = new CopyOnWriteArrayList<>();
    final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final AtomicLongArray counts = new AtomicLongArray(Counter.values().length);
    final HintLog log = new HintLog((counter, amount) -> counts.addAndGet(counter.ordinal(), amount), this);
    /** Keeps no rows. */
    final HintLog silent = new HintLog((counter, amount) -> {}, new Deaf());

    private OffHeapIndex index;
    private int source;
    private final long[] sequences = sequences(32);

    private static long[] sequences(int blocks) {
        long[] sequences = LongStream.rangeClosed(1, blocks).toArray();
        for (int i = 1; i < blocks; i++) {
            sequences[i] = ChainHash.next(sequences[i - 1], i + 1L);
        }
        return sequences;
    }

    static List<Long> engineHashes(int blocks) {
        return LongStream.range(0, blocks).map(i -> -7 * i - 1).boxed().toList();
    }

    void open(Path folder) {
        index = OffHeapIndex.open(new IndexConfig(folder.resolve("index"), BLOCK, 1 << 12, 1 << 16, 8));
        index.openSlot("target", 0);
        source = index.openSlot("source", 0);
        long[] names = engineHashes(NAMED).stream().mapToLong(Long::longValue).toArray();
        index.stored(
                source,
                Tier.DEVICE,
                true,
                0,
                names,
                LongStream.rangeClosed(1, NAMED).toArray(),
                0,
                NAMED);
    }

    @Override
    public void close() {
        if (index != null) {
            index.close();
        }
    }

    IndexReaders readers() {
        return (model, blockSize) -> model == 3 && blockSize == BLOCK ? index.reader() : null;
    }

    FetchHints hints(int mostBlocks) {
        return new FetchHints(log, readers(), mostBlocks, PREFIX, new AtomicLong());
    }

    static WorkerEndpoint target() {
        return endpoint(0, "target", new HintSite(HintWay.NIXL, "", null, "engine", "127.0.0.1", 1));
    }

    private static WorkerEndpoint endpoint(int slot, String name, HintSite hints) {
        return new WorkerEndpoint(slot, name, 0, 1, "127.0.0.1", 1, "", "vllm", hints);
    }

    void fill(HintOrder order, int blocks, int held) {
        order.of(decision());
        order.fetch.blocks = blocks;
        order.fetch.held = held;
    }

    DecisionRecord decision() {
        DecisionRecord record = new DecisionRecord();
        record.kind = DecisionRecord.Kind.DECIDED;
        record.fetch.slot = 1;
        record.fetch.indexSlot = source;
        record.fetch.blocks = NAMED;
        record.fetch.held = 4;
        record.fetch.source = endpoint(1, "source", new HintSite(HintWay.NONE, "", "tcp://source:7", null, null, 0));
        record.endpoint = target();
        record.model = 3;
        record.blockSize = BLOCK;
        record.hashes = sequences;
        record.requestId = "r-1";
        record.agent = AgentContext.NONE;
        return record;
    }

    long count(Counter counter) {
        return counts.get(counter.ordinal());
    }

    static void until(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + 20_000_000_000L;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within 20 s: " + what);
            }
            Thread.yield();
        }
    }

    @Override
    public boolean note(TraceRecord trace) {
        return rows.add(trace);
    }

    @Override
    public boolean route(RouteRequest request) {
        throw new UnsupportedOperationException("hints place nothing");
    }

    @Override
    public boolean firstToken(long ticket) {
        throw new UnsupportedOperationException("hints place nothing");
    }

    @Override
    public boolean progress(long ticket, int outputTokens) {
        throw new UnsupportedOperationException("hints place nothing");
    }

    @Override
    public boolean finished(long ticket, Outcome outcome, int outputTokens, int cachedTokens, TraceRecord trace) {
        throw new UnsupportedOperationException("hints place nothing");
    }

    /** Takes rows and keeps none. */
    private static final class Deaf implements RequestPort {
        @Override
        public boolean note(TraceRecord trace) {
            return true;
        }

        @Override
        public boolean route(RouteRequest request) {
            return false;
        }

        @Override
        public boolean firstToken(long ticket) {
            return false;
        }

        @Override
        public boolean progress(long ticket, int outputTokens) {
            return false;
        }

        @Override
        public boolean finished(long ticket, Outcome outcome, int outputTokens, int cachedTokens, TraceRecord trace) {
            return false;
        }
    }
}
