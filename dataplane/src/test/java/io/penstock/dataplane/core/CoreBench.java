package io.penstock.dataplane.core;

import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.metrics.Counting;
import io.penstock.dataplane.pipeline.BlockBuffer;
import io.penstock.dataplane.pipeline.BlockBuffers;
import io.penstock.dataplane.pipeline.Decision;
import io.penstock.dataplane.pipeline.PrefixIndexFactory;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.pipeline.SlotPosition;
import io.penstock.dataplane.pipeline.WorkerAddition;
import io.penstock.dataplane.pipeline.WorkerReply;
import io.penstock.dataplane.pool.PoolObjects;
import io.penstock.dataplane.routing.RoutingConfig;
import io.penstock.dataplane.workers.HintSite;
import io.penstock.dataplane.workers.WorkerEndpoint;
import io.penstock.index.ChainHash;
import io.penstock.index.PrefixIndex;
import io.penstock.index.pool.PageIndex;
import io.penstock.index.reference.ReferenceIndex;
import io.penstock.index.reference.ReferencePageIndex;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** A core on the bench: reference indexes, a clock that stands until moved, blocks of four tokens. */
final class CoreBench implements WorkerReply {
    static final int BLOCK = 4;
    static final long MS = 1_000_000;

    final long[] counts = new long[Counter.values().length];
    final Counting counting = (counter, amount) -> counts[counter.ordinal()] += amount;
    final Map<Integer, PrefixIndex> indexes = new HashMap<>();
    final Map<Integer, List<SlotPosition>> slots = new HashMap<>();
    final List<String> refusals = new ArrayList<>();
    final List<Integer> replays = new ArrayList<>();
    final BlockBuffers buffers = new BlockBuffers();
    final RouterCore core;
    long nowMs = 1_000;

    CoreBench() {
        this(RoutingConfig.defaults(), config());
    }

    CoreBench(RoutingConfig routing, CoreConfig config) {
        core = new RouterCore(config, routing, new References(), counting, 0);
        time();
    }

    /** Indexes in plain collections; pools of a hundred pages. */
    private final class References implements PrefixIndexFactory {
        @Override
        public PrefixIndex open(int model, int blockSize) {
            return indexes.computeIfAbsent(
                    model * 1_000 + blockSize, key -> new ReferenceIndex(blockSize, 1 << 20, 1_024));
        }

        @Override
        public PageIndex openPages(int pool, int pageSize, int objectsPerPage) {
            return new ReferencePageIndex(100, objectsPerPage, 60);
        }
    }

    /** Defaults with room for a test. */
    static CoreConfig config() {
        return new CoreConfig(64, 256, 1 << 16, 1_000, 2_000, 128, 120, 128, 300, 30, true, 0.5, 60);
    }

    long count(Counter counter) {
        return counts[counter.ordinal()];
    }

    void later(long ms) {
        nowMs += ms;
        time();
    }

    private void time() {
        core.time(nowMs * MS);
    }

    int worker(int number) {
        return worker(number, 0, BLOCK, true, List.of(), 0)[0];
    }

    int[] worker(int number, int model, int blockSize, boolean events, List<Integer> adapters, long taints) {
        return worker(number, model, blockSize, 1, events, adapters, taints);
    }

    int[] worker(int number, int model, int blockSize, int ranks, boolean events, List<Integer> adapters, long taints) {
        slots.remove(number);
        core.addWorker(addition(number, model, blockSize, ranks, events, adapters, taints, this), null);
        return slots.getOrDefault(number, List.of()).stream()
                .mapToInt(SlotPosition::slot)
                .toArray();
    }

    /** A worker of one rank with a part in hints. */
    int worker(int number, HintSite hints) {
        slots.remove(number);
        WorkerEndpoint endpoint =
                new WorkerEndpoint(-1, "w" + number, 0, 1, "127.0.0.1", 8_000 + number, "", "vllm", hints);
        core.addWorker(
                new WorkerAddition(
                        number, "w" + number, 0, BLOCK, true, List.of(endpoint), List.of(), 0, 1_000, 0, this),
                null);
        return slots.get(number).getFirst().slot();
    }

    static WorkerAddition addition(
            int number,
            int model,
            int blockSize,
            int ranks,
            boolean events,
            List<Integer> adapters,
            long taints,
            WorkerReply reply) {
        List<WorkerEndpoint> endpoints = IntStream.range(0, ranks)
                .mapToObj(rank -> new WorkerEndpoint(-1, "w" + number, rank, ranks, "127.0.0.1", 8_000 + number, ""))
                .toList();
        return new WorkerAddition(
                number, "w" + number, model, blockSize, events, endpoints, adapters, taints, 1_000, 0, reply);
    }

    @Override
    public void added(int workerNumber, List<SlotPosition> ranks) {
        slots.put(workerNumber, ranks);
    }

    @Override
    public void refused(int workerNumber, String why) {
        refusals.add(why);
    }

    @Override
    public void replayWanted(int slot) {
        replays.add(slot);
    }

    /** A prompt of {@code blocks} blocks: its local hashes are {@code stem}, {@code stem + 1} and so on. */
    static long[] locals(long stem, int blocks) {
        long[] locals = new long[blocks];
        for (int i = 0; i < blocks; i++) {
            locals[i] = stem * 1_000_003 + i + 1;
        }
        return locals;
    }

    /** The first {@code shared} blocks of one prompt, then another's. */
    static long[] fork(long[] stem, int shared, long other, int blocks) {
        long[] locals = locals(other, blocks);
        System.arraycopy(stem, 0, locals, 0, shared);
        return locals;
    }

    static long[] chain(long[] locals) {
        long[] chain = locals.clone();
        for (int i = 1; i < chain.length; i++) {
            chain[i] = ChainHash.next(chain[i - 1], locals[i]);
        }
        return chain;
    }

    static RouteRequest request(long[] locals) {
        RouteRequest request = new RouteRequest(answered -> {});
        request.addHashing(BLOCK, chain(locals), locals.length);
        request.promptTokens = locals.length * BLOCK + 1;
        return request;
    }

    Decision route(RouteRequest request) {
        core.match(request);
        core.route(request);
        return request.decision;
    }

    Decision route(long[] locals) {
        return route(request(locals));
    }

    /** The engine stores the prompt's blocks {@code from} to {@code to}; engine hash = sequence hash. */
    void store(int slot, int tier, long[] locals, int from, int to) {
        long[] chain = chain(locals);
        BlockBuffer buffer = buffers.acquire(to - from);
        System.arraycopy(chain, from, buffer.engineHashes, 0, to - from);
        System.arraycopy(locals, from, buffer.localHashes, 0, to - from);
        buffer.count = to - from;
        core.stored(slot, tier, from == 0, from == 0 ? 0 : chain[from - 1], buffer);
        finish(buffer);
    }

    /** Pool 0, of one object a page, was listed and holds these pages of the prompt. */
    void pool(int pageSize, long stem, int... pages) {
        core.pagePools().layout(0, pageSize, 1);
        core.pagePools().listing(0);
        objects(stem, true, pages);
        core.pagePools().listed(0);
    }

    /** Object 0 of pages of the prompt comes to pool 0, or leaves it. */
    void objects(long stem, boolean stored, int... pages) {
        BlockBuffer buffer = buffers.acquire(pages.length * PoolObjects.ENTRIES);
        for (int page : pages) {
            PoolObjects.add(buffer, pageKeys(stem, page + 1), page * PageIndex.KEY_WORDS, 0);
        }
        if (stored) {
            core.pagePools().stored(0, buffer);
        } else {
            core.pagePools().removed(0, buffer);
        }
        finish(buffer);
    }

    /** Keys of a prompt's first pages. */
    static long[] pageKeys(long stem, int pages) {
        long[] keys = new long[pages * PageIndex.KEY_WORDS];
        for (int page = 0; page < pages; page++) {
            keys[page * PageIndex.KEY_WORDS] = stem;
            keys[page * PageIndex.KEY_WORDS + 3] = page;
        }
        return keys;
    }

    void remove(int slot, int tier, long[] locals, int from, int to) {
        BlockBuffer buffer = buffers.acquire(to - from);
        System.arraycopy(chain(locals), from, buffer.engineHashes, 0, to - from);
        buffer.count = to - from;
        core.removed(slot, tier, buffer);
        finish(buffer);
    }

    private void finish(BlockBuffer buffer) {
        while (core.isPending()) {
            core.advance(7);
        }
        buffers.release(buffer);
    }

    SlotBoard board() {
        SlotBoard board = new SlotBoard(64);
        core.show(board);
        return board;
    }
}
