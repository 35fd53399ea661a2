package io.penstock.dataplane.core;

import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.metrics.Counting;
import io.penstock.dataplane.pipeline.Decision;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.routing.BusyThresholds;
import io.penstock.dataplane.routing.Candidates;
import io.penstock.dataplane.routing.RoutingConfig;
import io.penstock.dataplane.routing.SharedPoolCounting;
import io.penstock.index.Overlaps;
import io.penstock.index.Tier;

/**
 * Finds the slots that may take a request and what each of them holds of it.
 *
 * <p><b>Threading:</b> owned by the core. <b>Cost:</b> nothing allocated; one look-up a pool, one pass over the model's
 * slots.
 */
final class Placement {
    private final CoreConfig config;
    private final RoutingConfig routing;
    private final SlotTable slots;
    private final PathTree paths;
    private final OverlapTrust trust;
    private final Counting counters;
    private final Candidates candidates;
    private final Overlaps overlaps;
    private final PoolReach reach = new PoolReach();
    private final Depths depths;
    private final int[] blocksInTier;
    private final int[] overlapStamp;
    private int stamp;

    Placement(
            CoreConfig config,
            RoutingConfig routing,
            SlotTable slots,
            PathTree paths,
            OverlapTrust trust,
            Counting counters) {
        this.config = config;
        this.routing = routing;
        this.slots = slots;
        this.paths = paths;
        this.trust = trust;
        this.counters = counters;
        candidates = new Candidates(config.maxSlots());
        overlaps = new Overlaps(config.maxSlots());
        depths = new Depths(config.maxSlots());
        blocksInTier = new int[config.maxSlots() * Tier.COUNT];
        overlapStamp = new int[config.maxSlots()];
    }

    /** The candidates of the last {@link #gather}. */
    Candidates candidates() {
        return candidates;
    }

    /**
     * Entry of the request's hashes for a block size.
     *
     * @return -1 if it has none, or too many blocks
     */
    int hashing(RouteRequest request, int blockSize) {
        for (int i = 0; i < request.hashings; i++) {
            if (request.blockSizes[i] == blockSize) {
                return request.blockCounts[i] <= config.maxBlocksPerRequest() ? i : -1;
            }
        }
        return -1;
    }

    /** Leading blocks of the last request that the slot is known to hold on device and host; 0 where that is not proven. */
    int prefix(int slot) {
        if (overlapStamp[slot] != stamp || !slots.proven[slot]) {
            return 0;
        }
        int at = slot * Tier.COUNT;
        return blocksInTier[at + Tier.DEVICE] + blocksInTier[at + Tier.HOST];
    }

    /** Fills the candidates; {@link Decision.Status#ROUTED} when there is at least one. */
    Decision.Status gather(RouteRequest request, Fleet fleet, long nowNs) {
        candidates.size = 0;
        boolean pinned = request.pinnedWorker >= 0 || request.pinnedRank >= 0;
        if (fleet == null || fleet.size == 0) {
            return pinned ? Decision.Status.PINNED_UNAVAILABLE : Decision.Status.NO_WORKER;
        }
        candidates.model = fleet.model;
        candidates.promptTokens = Math.max(0, request.promptTokens);
        look(request, fleet);
        boolean busy = false;
        for (int i = 0; i < fleet.size; i++) {
            int slot = fleet.slots[i];
            if (eligible(request, slot)) {
                if (busy(fleet.busy, slot)) {
                    busy = true;
                } else {
                    add(request, slot, nowNs);
                }
            }
        }
        if (candidates.size > 0) {
            return Decision.Status.ROUTED;
        }
        if (pinned) {
            return Decision.Status.PINNED_UNAVAILABLE;
        }
        return busy ? Decision.Status.ALL_BUSY : Decision.Status.NONE_ELIGIBLE;
    }

    private boolean eligible(RouteRequest request, int slot) {
        if (!slots.healthy[slot]
                || slots.draining[slot]
                || (request.pinnedWorker >= 0 && request.pinnedWorker != slots.worker[slot])
                || (request.pinnedRank >= 0 && request.pinnedRank != slots.dpRank[slot])
                || (request.requiredTaints & ~slots.taints[slot]) != 0
                || !slots.serves(slot, request.adapter)) {
            return false;
        }
        for (int excluded : request.excludedSlots) {
            if (excluded == slot) {
                return false;
            }
        }
        return true;
    }

    private boolean busy(BusyThresholds thresholds, int slot) {
        return thresholds.over(
                slots.decodeBlocks[slot],
                slots.totalKvBlocks[slot],
                slots.prefillTokens[slot],
                slots.maxBatchedTokens[slot]);
    }

    /** Asks every pool of the model, and the paths, who holds what. */
    private void look(RouteRequest request, Fleet fleet) {
        stamp++;
        depths.clear();
        for (int p = 0; p < fleet.pools.size(); p++) {
            Pool pool = fleet.pools.get(p);
            int hashing = hashing(request, pool.blockSize);
            if (hashing < 0) {
                counters.increment(
                        request.hashings > 0 && longest(request) > config.maxBlocksPerRequest()
                                ? Counter.REQUESTS_TOO_LONG
                                : Counter.REQUESTS_UNHASHED);
                continue;
            }
            long[] hashes = request.sequenceHashes[hashing];
            int blocks = request.blockCounts[hashing];
            if (blocks == 0) {
                continue;
            }
            paths.walk(pool.id, hashes, blocks, depths);
            pool.index.match(hashes, blocks, overlaps);
            if (overlaps.dropped() > 0) {
                counters.add(Counter.OVERLAPS_DROPPED, overlaps.dropped());
            }
            for (int i = 0; i < overlaps.size(); i++) {
                int slot = pool.coreSlot(overlaps.slot(i));
                if (slot >= 0) {
                    overlapStamp[slot] = stamp;
                    for (int tier = 0; tier < Tier.COUNT; tier++) {
                        blocksInTier[slot * Tier.COUNT + tier] = overlaps.blocks(i, tier);
                    }
                }
            }
        }
    }

    private static int longest(RouteRequest request) {
        int most = 0;
        for (int i = 0; i < request.hashings; i++) {
            most = Math.max(most, request.blockCounts[i]);
        }
        return most;
    }

    private void add(RouteRequest request, int slot, long nowNs) {
        Candidates c = candidates;
        int i = c.size++;
        Pool pool = slots.pool[slot];
        int hashing = hashing(request, pool.blockSize);
        int blocks = hashing >= 0 ? request.blockCounts[hashing] : c.promptTokens / pool.blockSize;
        c.slot[i] = slot;
        c.blockSize[i] = pool.blockSize;
        c.requestBlocks[i] = blocks;
        c.trust[i] = trust.trust(slot);
        overlap(i, slot, nowNs);
        c.sharedBeyond[i] = request.poolings == 0 ? 0 : beyond(request, i);
        c.prefillTokens[i] = slots.prefillTokens[slot];
        c.decodeBlocks[i] = slots.decodeBlocks[slot];
        c.potentialBlocks[i] = slots.decodeBlocks[slot] + blocks - depths.of(slot, PathTree.ACTIVE);
        c.activeRequests[i] = slots.activeRequests[slot];
        c.taintWeight[i] = taintWeight(request, slots.taints[slot]);
        c.cost[i] = 0;
    }

    private int beyond(RouteRequest request, int i) {
        return routing.sharedPoolCounting() == SharedPoolCounting.ALL
                ? PoolReach.all(request, candidates.device[i], candidates.blockSize[i], candidates.requestBlocks[i])
                : reach(request, i).blocks;
    }

    /** What candidate {@code i} can get of a shared pool; valid until the next call. */
    PoolReach reach(RouteRequest request, int i) {
        Candidates c = candidates;
        reach.follow(request, c.overlap(i), c.blockSize[i], c.requestBlocks[i]);
        return reach;
    }

    private void overlap(int i, int slot, long nowNs) {
        Candidates c = candidates;
        boolean known = overlapStamp[slot] == stamp;
        if (known && !slots.proven[slot]) {
            known = routing.staleCredit() > 0 && nowNs < slots.staleUntilNs[slot];
            c.trust[i] *= known ? routing.staleCredit() : 1;
        }
        int at = slot * Tier.COUNT;
        int device = known ? blocksInTier[at + Tier.DEVICE] : 0;
        int hostEnd = known ? device + blocksInTier[at + Tier.HOST] : 0;
        int diskEnd = known ? hostEnd + blocksInTier[at + Tier.DISK] : 0;
        int externalEnd = known ? diskEnd + blocksInTier[at + Tier.EXTERNAL] : 0;
        int assumed = Math.max(depths.of(slot, PathTree.PREDICTED), depths.of(slot, PathTree.RECENT));
        c.predicted[i] = Math.max(0, assumed - device);
        device = Math.max(device, assumed);
        hostEnd = Math.max(hostEnd, device);
        diskEnd = Math.max(diskEnd, hostEnd);
        externalEnd = Math.max(externalEnd, diskEnd);
        c.device[i] = device;
        c.host[i] = hostEnd - device;
        c.disk[i] = diskEnd - hostEnd;
        c.external[i] = externalEnd - diskEnd;
    }

    private static double taintWeight(RouteRequest request, long taints) {
        long liked = request.preferredTaints & taints;
        double sum = 0;
        while (liked != 0) {
            int bit = Long.numberOfTrailingZeros(liked);
            liked &= liked - 1;
            double weight = request.preferredWeights == null || bit >= request.preferredWeights.length
                    ? 1
                    : request.preferredWeights[bit];
            sum += Double.isFinite(weight) ? weight : 0;
        }
        return sum;
    }
}
