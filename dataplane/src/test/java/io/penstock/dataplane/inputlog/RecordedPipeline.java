package io.penstock.dataplane.inputlog;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.dataplane.core.CoreConfig;
import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.metrics.CounterFile;
import io.penstock.dataplane.pipeline.BlockBuffer;
import io.penstock.dataplane.pipeline.CoreTap;
import io.penstock.dataplane.pipeline.Outcome;
import io.penstock.dataplane.pipeline.PipelineConfig;
import io.penstock.dataplane.pipeline.PrefixIndexFactory;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.pipeline.RouterPipeline;
import io.penstock.dataplane.pipeline.SlotPosition;
import io.penstock.dataplane.pipeline.WaitMode;
import io.penstock.dataplane.pipeline.WorkerAddition;
import io.penstock.dataplane.pipeline.WorkerReply;
import io.penstock.dataplane.pool.PoolObjects;
import io.penstock.dataplane.routing.BusyThresholds;
import io.penstock.dataplane.routing.PolicyKind;
import io.penstock.dataplane.routing.RoutingConfig;
import io.penstock.dataplane.workers.WorkerEndpoint;
import io.penstock.index.ChainHash;
import io.penstock.index.IndexConfig;
import io.penstock.index.OffHeapIndex;
import io.penstock.index.PrefixIndex;
import io.penstock.index.Tier;
import io.penstock.index.pool.PageIndex;
import io.penstock.index.reference.ReferencePageIndex;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A running pipeline with index files, and a script of everything that it takes. */
final class RecordedPipeline implements AutoCloseable, WorkerReply {
    static final CoreConfig CORE = new CoreConfig(64, 96, 1 << 16, 300, 40, 64, 1, 48, 1, 1, true, 0.3, 0);
    static final RoutingConfig ROUTING = new RoutingConfig(
            PolicyKind.KV, 1, 0.5, 1, 0.5, 0.75, 0.25, 0.5, 0, true, BusyThresholds.defaults(), 7, 0.5, 1, null);
    static final PipelineConfig RINGS = new PipelineConfig(256, 1_024, 64, WaitMode.BLOCKING, 64, 5);

    private static final int BLOCK = 4;
    private static final int PAGE = 6;
    private static final int WORKERS = 8;

    final CounterFile counters;
    final RouterPipeline pipeline;
    final ConcurrentHashMap<Integer, List<SlotPosition>> slots = new ConcurrentHashMap<>();
    final ConcurrentLinkedQueue<RouteRequest> answered = new ConcurrentLinkedQueue<>();
    final List<Long> decided = new ArrayList<>();
    final ConcurrentLinkedQueue<String> refused = new ConcurrentLinkedQueue<>();
    private final List<Long> tickets = new ArrayList<>();

    RecordedPipeline(Path folder, CounterFile counters, CoreTap tap) {
        this.counters = counters;
        pipeline = new RouterPipeline(RINGS, CORE, ROUTING, new Files(folder), counters, tap, counters::error);
        pipeline.start();
    }

    /** Index files in a folder; a small pool, so that pages give way. */
    private record Files(Path folder) implements PrefixIndexFactory {
        @Override
        public PrefixIndex open(int model, int blockSize) {
            return OffHeapIndex.open(new IndexConfig(
                    folder.resolve("index-" + model + "-" + blockSize + ".pst"), blockSize, 1 << 14, 1 << 16, 64));
        }

        @Override
        public PageIndex openPages(int pool, int pageSize, int objectsPerPage) {
            return new ReferencePageIndex(200, objectsPerPage, 1);
        }
    }

    /** Half of the workers serve model 0, the others model 1; one has no events, one another block size, one two ranks. */
    void addWorkers() {
        for (int worker = 0; worker < WORKERS; worker++) {
            add(worker);
        }
        await(() -> slots.size() == WORKERS);
    }

    private void add(int worker) {
        int ranks = worker == 3 ? 2 : 1;
        List<WorkerEndpoint> endpoints = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            endpoints.add(new WorkerEndpoint(-1, "w" + worker, rank, ranks, "127.0.0.1", 8_000 + worker, "/v"));
        }
        WorkerAddition addition = new WorkerAddition(
                worker,
                "w" + worker,
                worker % 4 == 2 ? 1 : 0,
                worker == 5 ? 2 * BLOCK : BLOCK,
                worker != 4,
                endpoints,
                worker % 2 == 0 ? List.of(1, 70) : List.of(),
                worker % 3,
                500,
                4_096,
                this);
        await(() -> pipeline.membership().addWorker(addition));
    }

    @Override
    public void added(int workerNumber, List<SlotPosition> ranks) {
        slots.put(workerNumber, ranks);
    }

    @Override
    public void refused(int workerNumber, String why) {
        refused.add(why);
    }

    /** {@code steps} inputs of all kinds, by a seed. */
    void play(Random random, int steps) {
        for (int step = 0; step < steps; step++) {
            step(random);
        }
        settle();
    }

    /** Waits for all answers. */
    void settle() {
        long asked = pending;
        await(() -> {
            collect();
            return decided.size() >= asked;
        });
    }

    private long pending;

    private void collect() {
        for (RouteRequest request = answered.poll(); request != null; request = answered.poll()) {
            decided.add(request.decision.seq);
            if (request.decision.ticket >= 0) {
                tickets.add(request.decision.ticket);
            }
        }
    }

    private void step(Random random) {
        collect();
        int worker = random.nextInt(WORKERS);
        int slot = slotOf(worker, random);
        switch (random.nextInt(30)) {
            case 0, 1, 2, 3, 4, 5 -> batch(random, slot);
            case 6 -> changeMembership(random, worker);
            case 7 -> lifeOfSlot(random, slot);
            case 8, 9, 10, 11, 12 -> lifeOfRequest(random);
            case 14, 15, 16, 17 -> pool(random);
            case 13 -> LockSupport.parkNanos(random.nextInt(2_000_000));
            default -> route(random);
        }
    }

    private int slotOf(int worker, Random random) {
        List<SlotPosition> ranks = slots.get(worker);
        return ranks.get(random.nextInt(ranks.size())).slot();
    }

    private void batch(Random random, int slot) {
        for (int events = 1 + random.nextInt(3); events > 0; events--) {
            long[] locals = prompt(random);
            int from = random.nextInt(4) == 0 ? random.nextInt(locals.length - 1) : 0;
            int to = from + 1 + random.nextInt(locals.length - from);
            boolean store = random.nextInt(4) > 0;
            BlockBuffer buffer = pipeline.events().acquire(to - from);
            long[] chain = chain(locals);
            System.arraycopy(chain, from, buffer.engineHashes, 0, to - from);
            System.arraycopy(locals, from, buffer.localHashes, 0, to - from);
            buffer.count = to - from;
            int tier = random.nextInt(3) == 0 ? Tier.HOST + random.nextInt(3) : Tier.DEVICE;
            await(() -> store
                    ? pipeline.events().stored(slot, tier, from == 0, from == 0 ? 0 : chain[from - 1], buffer)
                    : pipeline.events().removed(slot, tier, buffer));
        }
        long sequence = random.nextInt(1_000);
        await(() -> pipeline.events().batchEnd(slot, sequence, 3, 4));
    }

    private void pool(Random random) {
        switch (random.nextInt(12)) {
            case 0 -> await(() -> pipeline.pools().layout(0, PAGE, 1 + random.nextInt(2)));
            case 1 -> await(() -> pipeline.pools().doubted(0));
            case 2 -> await(() -> pipeline.pools().listing(0));
            case 3, 4 -> await(() -> pipeline.pools().listed(0));
            case 5 -> await(() -> pipeline.pools().cleared(0));
            default -> {
                long[] keys = pageKeys(prompt(random));
                int pages = keys.length / PageIndex.KEY_WORDS;
                BlockBuffer buffer = pipeline.pools().acquire(Math.max(1, pages));
                for (int page = 0; page < pages; page++) {
                    PoolObjects.add(buffer, keys, page * PageIndex.KEY_WORDS, random.nextInt(8) / 7);
                }
                boolean store = random.nextInt(4) > 0;
                await(() -> store
                        ? pipeline.pools().stored(0, buffer)
                        : pipeline.pools().removed(0, buffer));
            }
        }
    }

    /** Pages of one and a half blocks, each named by the block that it ends in. */
    private static long[] pageKeys(long[] locals) {
        long[] keys = new long[locals.length * BLOCK / PAGE * PageIndex.KEY_WORDS];
        for (int page = 0; page < keys.length / PageIndex.KEY_WORDS; page++) {
            keys[page * PageIndex.KEY_WORDS] = locals[((page + 1) * PAGE - 1) / BLOCK];
        }
        return keys;
    }

    private void changeMembership(Random random, int worker) {
        switch (random.nextInt(7)) {
            case 0 -> {
                if (random.nextInt(4) == 0) {
                    await(() -> pipeline.membership().remove(worker));
                }
                add(worker);
            }
            case 1 -> {
                await(() -> pipeline.membership().drain(worker));
                add(worker);
            }
            case 2, 3 -> await(() -> pipeline.membership().setHealthy(worker, random.nextInt(4) > 0));
            case 4 ->
                await(() -> pipeline.membership()
                        .setBusyThresholds(
                                random.nextInt(2),
                                new BusyThresholds(
                                        random.nextInt(2) == 0 ? -1 : 0.9, random.nextInt(3) == 0 ? 9_000 : -1, -1)));
            default -> add(worker);
        }
    }

    private void lifeOfSlot(Random random, int slot) {
        switch (random.nextInt(6)) {
            case 0 -> await(() -> pipeline.events().cleared(slot));
            case 1 -> await(() -> pipeline.events().cold(slot));
            case 2 -> await(() -> pipeline.events().doubted(slot));
            default -> await(() -> pipeline.events().proven(slot));
        }
    }

    private void lifeOfRequest(Random random) {
        if (tickets.isEmpty()) {
            return;
        }
        long ticket = tickets.get(random.nextInt(tickets.size()));
        switch (random.nextInt(4)) {
            case 0 -> await(() -> pipeline.requests().firstToken(ticket));
            case 1 -> await(() -> pipeline.requests().progress(ticket, random.nextInt(200)));
            default -> {
                tickets.remove(ticket);
                await(() -> pipeline.requests()
                        .finished(
                                ticket, Outcome.COMPLETED, 9, random.nextInt(3) == 0 ? -1 : random.nextInt(400), null));
            }
        }
    }

    private void route(Random random) {
        RouteRequest request = new RouteRequest(answered::add);
        long[] locals = prompt(random);
        request.addHashing(BLOCK, chain(locals), locals.length);
        if (random.nextInt(3) > 0) {
            request.addHashing(2 * BLOCK, chain(locals), locals.length / 2);
        }
        if (random.nextInt(4) > 0) {
            long[] keys = pageKeys(locals);
            request.addPages(0, PAGE, keys, keys.length / PageIndex.KEY_WORDS);
        }
        request.promptTokens = locals.length * BLOCK + random.nextInt(BLOCK);
        request.model = random.nextInt(12) == 0 ? 5 : random.nextInt(3) == 0 ? 1 : 0;
        request.exact = random.nextInt(8) > 0;
        request.adapter = random.nextInt(6) == 0 ? 70 : RouteRequest.NONE;
        request.policy = random.nextInt(3) == 0 ? PolicyKind.values()[random.nextInt(4)] : null;
        request.temperature = random.nextInt(4) == 0 ? 0.5 : Double.NaN;
        request.overlapCredit = random.nextInt(6) == 0 ? 2 : Double.NaN;
        request.preferredTaints = random.nextInt(4) == 0 ? 2 : 0;
        request.preferredWeights = random.nextBoolean() ? new double[] {0.5, 0.25} : null;
        request.requiredTaints = random.nextInt(10) == 0 ? 1 : 0;
        request.pinnedWorker = random.nextInt(10) == 0 ? random.nextInt(WORKERS) : RouteRequest.NONE;
        request.sessionKey = random.nextLong();
        if (random.nextInt(6) == 0) {
            request.exclude(random.nextInt(8));
        }
        pending++;
        await(() -> pipeline.requests().route(request));
    }

    /** One of a few stems, forked somewhere. */
    private static long[] prompt(Random random) {
        int blocks = 2 + random.nextInt(random.nextInt(20) == 0 ? 400 : 60);
        long stem = random.nextInt(6);
        long other = 100 + random.nextInt(50);
        int shared = random.nextInt(blocks + 1);
        long[] locals = new long[blocks];
        for (int i = 0; i < blocks; i++) {
            locals[i] = (i < shared ? stem : other) * 1_000_003 + i + 1;
        }
        return locals;
    }

    private static long[] chain(long[] locals) {
        long[] chain = locals.clone();
        for (int i = 1; i < chain.length; i++) {
            chain[i] = ChainHash.next(chain[i - 1], locals[i]);
        }
        return chain;
    }

    long count(Counter counter) {
        return counters.value(counter);
    }

    static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadline, "not in time");
            LockSupport.parkNanos(200_000);
        }
    }

    @Override
    public void close() {
        pipeline.close();
    }
}
