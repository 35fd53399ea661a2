package io.penstock.dataplane.core;

import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.metrics.Counting;
import io.penstock.dataplane.pipeline.RouteRequest;

/**
 * What slots are busy with: prompt tokens until the first token, blocks of requests in flight with shared prefixes
 * counted once, output blocks as they grow. All of it ends with the request, or when nothing is heard of it.
 *
 * <p><b>Threading:</b> owned by the core. <b>Cost:</b> nothing allocated.
 */
final class Load {
    private static final long NS_PER_SECOND = 1_000_000_000L;

    private final CoreConfig config;
    private final SlotTable slots;
    private final PathTree paths;
    private final HolderLeases predicted;
    private final HolderLeases recent;
    private final ActiveRequests active;
    private final OverlapTrust trust;
    private final PagePools pools;
    private final Counting counters;
    private long nextExpiryCheckNs = Long.MIN_VALUE;

    Load(
            CoreConfig config,
            SlotTable slots,
            PathTree paths,
            HolderLeases predicted,
            HolderLeases recent,
            ActiveRequests active,
            OverlapTrust trust,
            PagePools pools,
            Counting counters) {
        this.config = config;
        this.slots = slots;
        this.paths = paths;
        this.predicted = predicted;
        this.recent = recent;
        this.active = active;
        this.trust = trust;
        this.pools = pools;
        this.counters = counters;
    }

    /**
     * Books a request on its slot.
     *
     * @param hashing entry of the request's hashes for the slot's block size, or -1
     * @param blocks full blocks of the prompt
     * @param prefillTokens prompt tokens that the slot will have to compute
     * @param heldBlocks leading blocks that the index knows the slot to hold
     * @param ownTokens tokens that the slot's own tiers are expected to give
     * @param predictedTokens the same with what {@code reach} promises
     * @return the ticket, or -1 when the table is full
     */
    long book(
            RouteRequest request,
            int slot,
            int hashing,
            int blocks,
            long prefillTokens,
            int heldBlocks,
            int ownTokens,
            int predictedTokens,
            PoolReach reach,
            long nowNs) {
        int i = active.take(slot, nowNs);
        if (i == ActiveRequests.NONE) {
            counters.increment(Counter.REQUESTS_UNTRACKED);
            return -1;
        }
        active.promptBlocks[i] = blocks;
        active.promptTokens[i] = request.promptTokens;
        active.predictedTokens[i] = request.exact ? predictedTokens : ActiveRequests.NONE;
        active.ownTokens[i] = ownTokens;
        promise(i, request, reach);
        active.prefillTokens[i] = prefillTokens;
        active.node[i] = PathTree.NONE;
        int newBlocks = blocks;
        if (hashing >= 0 && blocks > 0) {
            int node = hold(slot, request, hashing, blocks, heldBlocks, nowNs);
            if (node == PathTree.NONE) {
                counters.increment(Counter.PATHS_UNTRACKED);
            } else {
                active.node[i] = node;
                newBlocks = paths.newlyActive;
            }
        }
        slots.activeRequests[slot]++;
        slots.prefillTokens[slot] += prefillTokens;
        slots.decodeBlocks[slot] += newBlocks;
        return active.ticket(i);
    }

    /** Notes which pages the engine should find; of the prompt's last token it computes at least one. */
    private void promise(int i, RouteRequest request, PoolReach reach) {
        if (reach.entry < 0 || !request.exact || request.pageKeys[reach.entry] == null) {
            return;
        }
        int pageSize = request.pageSizes[reach.entry];
        int to = Math.min(reach.toPage, Math.max(0, request.promptTokens - 1) / pageSize);
        if (to > reach.fromPage) {
            active.promisedPool[i] = request.pools[reach.entry];
            active.promisedPageSize[i] = pageSize;
            active.promisedFrom[i] = reach.fromPage;
            active.promisedTo[i] = to;
            active.promisedKeys[i] = request.pageKeys[reach.entry];
            counters.add(Counter.POOL_PAGES_PROMISED, to - reach.fromPage);
        }
    }

    private int hold(int slot, RouteRequest request, int hashing, int blocks, int heldBlocks, long nowNs) {
        long[] hashes = request.sequenceHashes[hashing];
        boolean approximate = slots.approximate[slot] || !request.exact;
        boolean predict = !approximate && heldBlocks < blocks && config.predictedTtlMs() > 0;
        int kinds = 1 << PathTree.ACTIVE
                | (approximate ? 1 << PathTree.RECENT : 0)
                | (predict ? 1 << PathTree.PREDICTED : 0);
        int pool = slots.pool[slot].id;
        int node = paths.add(pool, slot, hashes, blocks, kinds);
        // What is only assumed gives way to what is in flight.
        while (node == PathTree.NONE && (recent.endOldest() || predicted.endOldest())) {
            node = paths.add(pool, slot, hashes, blocks, kinds);
        }
        if (node != PathTree.NONE && predict) {
            predicted.add(slot, node, hashes, blocks, nowNs + config.predictedTtlMs() * 1_000_000L);
        } else if (node != PathTree.NONE && approximate) {
            recent.add(slot, node, hashes, blocks, nowNs + config.approximateTtlSeconds() * NS_PER_SECOND);
        }
        return node;
    }

    void firstToken(long ticket, long nowNs) {
        int i = find(ticket);
        if (i != ActiveRequests.NONE) {
            endPrefill(i);
            active.heard(i, nowNs);
        }
    }

    void progress(long ticket, int outputTokens, long nowNs) {
        int i = find(ticket);
        if (i == ActiveRequests.NONE) {
            return;
        }
        active.heard(i, nowNs);
        if (config.trackOutputBlocks()) {
            int slot = active.slot[i];
            int blockSize = slots.pool[slot] == null ? 0 : slots.pool[slot].blockSize;
            if (blockSize > 0) {
                int total = (active.promptTokens[i] % blockSize + Math.max(0, outputTokens)) / blockSize;
                int grown = Math.max(0, total - active.outputBlocks[i]);
                active.outputBlocks[i] += grown;
                slots.decodeBlocks[slot] += grown;
            }
        }
    }

    void finished(long ticket, int cachedTokens) {
        int i = find(ticket);
        if (i == ActiveRequests.NONE) {
            return;
        }
        if (cachedTokens >= 0 && active.predictedTokens[i] >= 0) {
            trust.reported(active.slot[i], active.ownTokens[i], active.predictedTokens[i], cachedTokens);
            heard(i, cachedTokens);
        }
        end(i);
    }

    /**
     * Holds the engine's count against the promise. An engine that lacked some of its own prefix may never have asked for the
     * pages behind it: they are then not found missing.
     */
    private void heard(int i, int cachedTokens) {
        long[] keys = active.promisedKeys[i];
        if (keys == null || cachedTokens < active.ownTokens[i]) {
            return;
        }
        int first = Math.max(active.promisedFrom[i], cachedTokens / active.promisedPageSize[i]);
        int missing = active.promisedTo[i] - first;
        if (missing > 0) {
            pools.missed(active.promisedPool[i], active.promisedPageSize[i], keys, first, missing);
        }
    }

    private int find(long ticket) {
        int i = active.find(ticket);
        if (i == ActiveRequests.NONE) {
            counters.increment(Counter.TICKETS_STALE);
        }
        return i;
    }

    private void endPrefill(int i) {
        slots.prefillTokens[active.slot[i]] -= active.prefillTokens[i];
        active.prefillTokens[i] = 0;
    }

    private void end(int i) {
        int slot = active.slot[i];
        endPrefill(i);
        int freed = active.node[i] == PathTree.NONE
                ? active.promptBlocks[i]
                : paths.release(active.node[i], slot, PathTree.ACTIVE);
        slots.decodeBlocks[slot] -= freed + active.outputBlocks[i];
        slots.activeRequests[slot]--;
        active.free(i);
    }

    /** Ends what is over: leases at every call, silent requests at their interval; at most {@code most} each. */
    void expire(long nowNs, int most) {
        int unconfirmed = predicted.expire(nowNs, most);
        if (unconfirmed > 0) {
            counters.add(Counter.PREDICTED_EXPIRED, unconfirmed);
        }
        recent.expire(nowNs, most);
        if (nowNs >= nextExpiryCheckNs) {
            long silentSince = nowNs - config.requestExpirySeconds() * NS_PER_SECOND;
            for (int n = 0; n < most; n++) {
                int i = active.oldest();
                if (i == ActiveRequests.NONE || active.heardNs[i] > silentSince) {
                    nextExpiryCheckNs = nowNs + config.expiryCheckSeconds() * NS_PER_SECOND;
                    return;
                }
                end(i);
                counters.increment(Counter.REQUESTS_EXPIRED);
            }
        }
    }

    /** Carries when silent requests are looked for next; the rest is others'. */
    void carry(StateTape tape) {
        nextExpiryCheckNs = tape.carry(nextExpiryCheckNs);
    }
}
