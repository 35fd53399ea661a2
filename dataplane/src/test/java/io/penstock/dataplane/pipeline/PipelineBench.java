package io.penstock.dataplane.pipeline;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.dataplane.core.CoreConfig;
import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.metrics.CounterFile;
import io.penstock.dataplane.routing.RoutingConfig;
import io.penstock.dataplane.workers.WorkerEndpoint;
import io.penstock.index.ChainHash;
import io.penstock.index.PrefixIndex;
import io.penstock.index.reference.ReferenceIndex;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.IntStream;

/** A running pipeline over reference indexes, blocks of four tokens. */
final class PipelineBench implements AutoCloseable, WorkerReply {
    static final int BLOCK = 4;
    static final PipelineConfig CONFIG = new PipelineConfig(64, 1_024, 64, WaitMode.BLOCKING, 2_048, 10);
    static final CoreConfig CORE =
            new CoreConfig(64, 256, 1 << 16, 1_000, 2_000, 128, 120, 128, 300, 30, true, 0.5, 60);

    final CounterFile counters;
    final RouterPipeline pipeline;
    /** Closes what hears the core, between pipeline and counters. */
    Runnable afterPipeline = () -> {};

    final ConcurrentHashMap<Integer, List<SlotPosition>> slots = new ConcurrentHashMap<>();
    final List<Integer> added = new CopyOnWriteArrayList<>();
    final List<String> refused = new CopyOnWriteArrayList<>();
    final List<Throwable> fatal = new CopyOnWriteArrayList<>();

    PipelineBench(Path folder, PipelineConfig config, PrefixIndexFactory indexes) {
        this(folder, config, indexes, counters -> CoreTap.NONE);
    }

    PipelineBench(Path folder, PipelineConfig config, PrefixIndexFactory indexes, Function<CounterFile, CoreTap> tap) {
        counters = CounterFile.create(folder.resolve("counters.dat"));
        pipeline = new RouterPipeline(
                config, CORE, RoutingConfig.defaults(), indexes, counters, tap.apply(counters), fatal::add);
    }

    static PrefixIndex index(int model, int blockSize) {
        return new ReferenceIndex(blockSize, 1 << 22, 1_024);
    }

    PipelineBench start() {
        pipeline.start();
        return this;
    }

    void worker(int number) {
        worker(number, true);
    }

    void worker(int number, boolean events) {
        int before = added.size() + refused.size();
        assertTrue(pipeline.membership().addWorker(addition(number, events)));
        await(() -> added.size() + refused.size() > before);
    }

    WorkerAddition addition(int number, boolean events) {
        List<WorkerEndpoint> endpoints = IntStream.range(0, 1)
                .mapToObj(rank -> new WorkerEndpoint(-1, "w" + number, rank, 1, "127.0.0.1", 8_000 + number, ""))
                .toList();
        return new WorkerAddition(number, "w" + number, 0, BLOCK, events, endpoints, List.of(), 0, 1_000, 0, this);
    }

    int slot(int number) {
        return slots.get(number).getFirst().slot();
    }

    @Override
    public void added(int workerNumber, List<SlotPosition> ranks) {
        slots.put(workerNumber, ranks);
        added.add(workerNumber);
    }

    @Override
    public void refused(int workerNumber, String why) {
        refused.add(why);
    }

    long count(Counter counter) {
        return counters.value(counter);
    }

    /** A prompt whose local hashes are {@code stem} and those after it. */
    static RouteRequest request(long stem, int blocks, RouteReply reply) {
        RouteRequest request = new RouteRequest(reply);
        long[] chain = IntStream.range(0, blocks).mapToLong(i -> stem + i).toArray();
        for (int i = 1; i < blocks; i++) {
            chain[i] = ChainHash.next(chain[i - 1], stem + i);
        }
        request.addHashing(BLOCK, chain, blocks);
        request.promptTokens = blocks * BLOCK + 1;
        return request;
    }

    /** Routes and waits for the answer. */
    Decision route(long stem, int blocks) {
        CountDownLatch answered = new CountDownLatch(1);
        RouteRequest request = request(stem, blocks, done -> answered.countDown());
        assertTrue(pipeline.requests().route(request));
        try {
            assertTrue(answered.await(20, TimeUnit.SECONDS), "no answer");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return request.decision;
    }

    /** The engine stores the prompt; engine hash = sequence hash. */
    boolean store(int slot, long stem, int blocks) {
        BlockBuffer buffer = pipeline.events().acquire(blocks);
        if (buffer == null) {
            return false;
        }
        for (int i = 0; i < blocks; i++) {
            buffer.localHashes[i] = stem + i;
            buffer.engineHashes[i] = i == 0 ? stem : ChainHash.next(buffer.engineHashes[i - 1], stem + i);
        }
        buffer.count = blocks;
        if (pipeline.events().stored(slot, 0, true, 0, buffer)) {
            return true;
        }
        pipeline.events().release(buffer);
        return false;
    }

    static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadline, "not in time");
            LockSupport.parkNanos(200_000);
        }
    }

    @Override
    public void close() {
        pipeline.close();
        afterPipeline.run();
        counters.close();
    }
}
