package io.penstock.dataplane.core;

import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.metrics.Counting;
import io.penstock.dataplane.pipeline.BlockBuffer;
import io.penstock.dataplane.pipeline.Decision;
import io.penstock.dataplane.pipeline.PipelineView;
import io.penstock.dataplane.pipeline.PrefixIndexFactory;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.pipeline.WorkerAddition;
import io.penstock.dataplane.routing.BusyThresholds;
import io.penstock.dataplane.routing.Candidates;
import io.penstock.dataplane.routing.KvCost;
import io.penstock.dataplane.routing.Policies;
import io.penstock.dataplane.routing.RoutingConfig;
import io.penstock.dataplane.routing.SplitMix;
import io.penstock.index.PrefixIndex;
import io.penstock.index.pool.PageIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Decides where requests go: a function of its events. The server feeds it the wall clock, a simulator a virtual one,
 * a test a script; the same events give the same decisions.
 *
 * <p>Every event is preceded by {@link #time}. KV events are taken in slices: {@link #stored} and {@link #removed} only
 * note the event, {@link #advance} does the work, and the buffer is free when {@link #isPending} is false; no other KV
 * or membership event may be given before.
 *
 * <p><b>Threading:</b> owned by the core's thread. <b>Cost:</b> allocates when workers come, never for requests and KV
 * events; takes no lock, reads no clock.
 */
public final class RouterCore implements AutoCloseable {
    private static final int EXPIRIES = 256;

    private final RoutingConfig routing;
    private final PrefixIndexFactory factory;
    private final Counting counters;
    private final SlotTable slots;
    private final OverlapTrust trust;
    private final Membership membership;
    private final BlockEvents events;
    private final PathTree paths;
    private final HolderLeases predicted;
    private final HolderLeases recent;
    private final ActiveRequests active;
    private final Load load;
    private final Placement placement;
    private final PagePools pagePools;
    private final FetchSources sources;
    private final Policies policies;
    private final SplitMix random;
    private final Explanation explanation = new Explanation();
    private long nowNs = Long.MIN_VALUE;

    /**
     * A core without workers.
     *
     * @param life how often a core was made before in this process: tickets of another life are old in this one
     */
    public RouterCore(
            CoreConfig config, RoutingConfig routing, PrefixIndexFactory factory, Counting counters, int life) {
        this.routing = routing;
        this.factory = factory;
        this.counters = counters;
        slots = new SlotTable(config.maxSlots());
        int prompts = config.maxActiveRequests() + config.maxPredictedHolders() + config.maxApproximatePrompts();
        paths = new PathTree(prompts * 2, prompts * 4, config.pathHashes());
        predicted = new HolderLeases(paths, PathTree.PREDICTED, config.maxPredictedHolders(), config.maxSlots());
        recent = new HolderLeases(paths, PathTree.RECENT, config.maxApproximatePrompts(), config.maxSlots());
        trust = new OverlapTrust(config.maxSlots(), config.predictionErrorThreshold(), counters);
        membership = new Membership(config, routing, factory, slots, trust, predicted, recent, counters);
        events = new BlockEvents(slots, predicted, routing.staleTtlSeconds() * 1_000_000_000L, counters);
        pagePools = new PagePools(factory, counters);
        active = new ActiveRequests(config.maxActiveRequests(), life << 20);
        load = new Load(config, slots, paths, predicted, recent, active, trust, pagePools, counters);
        placement = new Placement(config, routing, slots, paths, trust, counters);
        sources = new FetchSources(slots, placement);
        policies = new Policies(routing, config.maxSlots());
        random = new SplitMix(routing.seed());
    }

    /** Time of the next event, nanoseconds of a monotonic clock; an earlier time than before is that of before. */
    public void time(long eventNs) {
        nowNs = Math.max(nowNs, eventNs);
    }

    /**
     * Asks the shared pools which of the prompt's pages they hold; before {@link #route}. The answer is an input like the
     * request itself: a log keeps it, and a replay needs no pool.
     */
    public void match(RouteRequest request) {
        pagePools.match(request);
    }

    /** Places a request: fills {@code request.decision} except for its waiting time. */
    public void route(RouteRequest request) {
        load.expire(nowNs, EXPIRIES);
        Decision decision = request.decision;
        decision.mode = Decision.Mode.NORMAL;
        decision.ticket = -1;
        decision.slot = -1;
        decision.endpoint = null;
        decision.blockSize = 0;
        decision.predictedCachedTokens = 0;
        decision.waitNs = 0;
        decision.candidates = 0;
        decision.fetch.clear();
        decision.status = placement.gather(request, membership.fleet(request.model), nowNs);
        if (decision.status == Decision.Status.ROUTED) {
            Candidates candidates = placement.candidates();
            int chosen = policies.of(request.policy).choose(request, candidates, random);
            explanation.write(candidates, chosen, decision);
            place(request, candidates, chosen);
        }
        counters.increment(counterOf(decision.status));
    }

    private void place(RouteRequest request, Candidates c, int chosen) {
        Decision decision = request.decision;
        int slot = c.slot[chosen];
        int blockSize = c.blockSize[chosen];
        int usable = Math.max(0, c.promptTokens - 1) / blockSize;
        decision.slot = slot;
        decision.endpoint = slots.endpoint[slot];
        decision.blockSize = blockSize;
        // Engines report what they fetched from a shared pool as cached: SGLang's prefix of the request has it, vLLM's
        // tokens computed at the first scheduling have it (decisions/0024).
        PoolReach reach = placement.reach(request, chosen);
        int own = Math.min(c.overlap(chosen), usable) * blockSize;
        decision.predictedCachedTokens = Math.min(c.overlap(chosen) + reach.blocks, usable) * blockSize;
        long prefill = Math.max(0, c.promptTokens - KvCost.cachedTokens(routing, c, chosen));
        decision.ticket = load.book(
                request,
                slot,
                placement.hashing(request, blockSize),
                c.requestBlocks[chosen],
                prefill,
                c.device[chosen] - c.predicted[chosen],
                own,
                decision.predictedCachedTokens,
                reach,
                nowNs);
        sources.find(request, membership.fleet(request.model), c, chosen, decision.fetch);
    }

    private static Counter counterOf(Decision.Status status) {
        return switch (status) {
            case ROUTED -> Counter.REQUESTS_ROUTED;
            case NO_WORKER -> Counter.REQUESTS_NO_WORKER;
            case NONE_ELIGIBLE -> Counter.REQUESTS_NONE_ELIGIBLE;
            case ALL_BUSY -> Counter.REQUESTS_ALL_BUSY;
            case PINNED_UNAVAILABLE -> Counter.REQUESTS_PINNED_UNAVAILABLE;
        };
    }

    /** The engine's first byte of output came. */
    public void firstToken(long ticket) {
        load.firstToken(ticket, nowNs);
    }

    /** The engine has produced {@code outputTokens} so far. */
    public void progress(long ticket, int outputTokens) {
        load.progress(ticket, outputTokens, nowNs);
    }

    /**
     * The request left its worker.
     *
     * @param cachedTokens the engine's own count of cached prompt tokens, or -1
     */
    public void finished(long ticket, int cachedTokens) {
        load.finished(ticket, cachedTokens);
    }

    /** Time went by. */
    public void tick() {
        load.expire(nowNs, EXPIRIES);
        for (int i = membership.pools.size() - 1; i >= 0; i--) {
            membership.pools.get(i).index.atRest();
        }
        pagePools.tick();
    }

    /** Blocks became resident; the work is done by {@link #advance}. */
    public void stored(int slot, int tier, boolean root, long parentEngineHash, BlockBuffer blocks) {
        events.stored(slot, tier, root, parentEngineHash, blocks);
    }

    /** One copy of each block left the tier; the work is done by {@link #advance}. */
    public void removed(int slot, int tier, BlockBuffer blocks) {
        events.removed(slot, tier, blocks);
    }

    /** The shared pools. An event of theirs with objects is only noted there, {@link #advance} does the work. */
    public PagePools pagePools() {
        return pagePools;
    }

    /** Whether an event is only partly applied. */
    public boolean isPending() {
        return events.isPending() || pagePools.isPending();
    }

    /**
     * Goes on with the event in hand.
     *
     * @return block or object steps used, at most {@code mostSteps}
     */
    public int advance(int mostSteps) {
        return pagePools.isPending() ? pagePools.advance(mostSteps, nowNs) : events.advance(mostSteps, nowNs);
    }

    /** The engine dropped all its blocks. */
    public void cleared(int slot) {
        events.cleared(slot);
    }

    /** The slot's past is lost: forget it, count what comes. */
    public void cold(int slot) {
        events.cold(slot);
    }

    /** The slot's blocks are unproven until it is proven or cold. */
    public void doubted(int slot) {
        events.doubted(slot, nowNs);
    }

    /** The engine proved to be the one we knew. */
    public void proven(int slot) {
        events.proven(slot);
    }

    /** Position of the engine's events. */
    public void batchEnd(int slot, long sequence, long timestampBits, long batchHash) {
        events.batchEnd(slot, sequence, timestampBits, batchHash);
    }

    /**
     * Returns memory of dead blocks.
     *
     * @return steps used; 0 when nothing is left to do
     */
    public int sweep(int mostSteps) {
        int used = 0;
        List<Pool> pools = membership.pools;
        for (int i = 0; i < pools.size() && used < mostSteps; i++) {
            Pool pool = pools.get(i);
            if (pool.sweepDue) {
                int steps = pool.index.sweep(mostSteps - used);
                pool.sweepDue = steps > 0;
                used += steps;
            }
        }
        return used;
    }

    /**
     * Returns memory of a shared pool's pages that are gone or too old.
     *
     * @return steps used; 0 when nothing is left to do
     */
    public int sweepPages(int mostSteps) {
        return pagePools.sweep(mostSteps, nowNs);
    }

    /** Takes a worker in; {@code wanted} gives slot numbers of a former life per rank, or null. */
    public void addWorker(WorkerAddition worker, int[] wanted) {
        membership.add(worker, wanted, nowNs);
    }

    /** Sends nothing new to the worker. */
    public void drain(int workerNumber) {
        membership.drain(workerNumber);
    }

    /** Forgets the worker. */
    public void remove(int workerNumber) {
        membership.remove(workerNumber, nowNs);
    }

    /** Whether the worker may take requests. */
    public void setHealthy(int workerNumber, boolean healthy) {
        membership.healthy(workerNumber, healthy);
    }

    /** Busy thresholds of a model. */
    public void setBusyThresholds(int model, BusyThresholds thresholds) {
        membership.thresholds(model, thresholds);
    }

    /** Shows all slots, identity and figures, on the board. */
    public void show(SlotBoard board) {
        board.show(slots, trust);
    }

    /** Figures of the indexes; allocates. */
    public List<PipelineView.IndexFigures> indexes() {
        List<PipelineView.IndexFigures> figures = new ArrayList<>();
        for (Pool pool : membership.pools) {
            figures.add(new PipelineView.IndexFigures(
                    pool.model,
                    pool.blockSize,
                    pool.index.blockCount(),
                    pool.index.capacityBlocks(),
                    pool.index.usedBytes()));
        }
        return List.copyOf(figures);
    }

    /**
     * Carries the state of a core that has no KV event in hand: into memory, or into a core just made with the same
     * settings and the same number of lives. The indexes are not carried; what they held then they must hold again. Nor are
     * shared pools: what they answered comes with the requests.
     *
     * @param indexes for reading: the index of a pool by its number, in the order in which the pools were opened
     */
    public void carry(StateTape tape, IntFunction<PrefixIndex> indexes) {
        membership.carry(tape, indexes);
        paths.carry(tape);
        predicted.carry(tape);
        recent.carry(tape);
        active.carry(tape);
        load.carry(tape);
        nowNs = tape.carry(nowNs);
        random.resume(tape.carry(random.state()));
        int models = tape.carry(policies.inTurn().turns().length);
        if (tape.isReading()) {
            policies.inTurn().resume(new int[models]);
        }
        tape.carry(policies.inTurn().turns(), models);
    }

    /** Number of pools, each with an index. */
    public int pools() {
        return membership.pools.size();
    }

    /** What the next lot depends on. */
    public long randomState() {
        return random.state();
    }

    /** The candidates of the last {@link #route}, all of them, until the next. */
    public Candidates candidates() {
        return placement.candidates();
    }

    /** The slots' names, as {@code worker} or {@code worker/rank}; allocates. */
    public String nameOf(int slot) {
        String name = slots.isOpen(slot) ? slots.name[slot] : null;
        return name == null
                ? "slot " + slot
                : slots.endpoint[slot].dpSize() > 1 ? name + "/" + slots.dpRank[slot] : name;
    }

    /** Slot in a ticket, good or old. */
    public static int slotOf(long ticket) {
        return ActiveRequests.slotOf(ticket);
    }

    /** Closes the indexes; the first failure is thrown after all were tried. */
    @Override
    public void close() {
        letGo(PrefixIndex::close, factory::close);
    }

    /** Lets go of the indexes after a failure ({@link PrefixIndexFactory#abandon}). */
    public void abandon() {
        letGo(factory::abandon, factory::abandon);
    }

    /** Pages first; one that fails does not keep the others. */
    private void letGo(Consumer<PrefixIndex> how, Consumer<PageIndex> howPages) {
        List<Runnable> ends = new ArrayList<>();
        pagePools.indexes().forEach(pages -> ends.add(() -> howPages.accept(pages)));
        membership.pools.forEach(pool -> ends.add(() -> how.accept(pool.index)));
        RuntimeException failure = null;
        for (Runnable end : ends) {
            try {
                end.run();
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
