package io.penstock.dataplane.pipeline;

import io.penstock.bindings.harness.AgentContext;
import io.penstock.index.pool.PageRanges;
import java.util.Arrays;

/**
 * A request for a placement: filled by a front thread, read by the core, answered through {@link RouteReply}.
 *
 * <p>Text is resolved to numbers before (adapters, taints, sessions): the core compares, it does not parse. Sequence
 * hashes are given once per block size of the model's fleet.
 *
 * <p><b>Threading:</b> written by the front until {@link RequestPort#route}, by the core until the reply, by the front
 * after.
 */
public final class RouteRequest {
    /** No pin, no adapter, unknown. */
    public static final int NONE = -1;

    /** Answer's receiver; called once, on the core's thread. */
    public final RouteReply reply;

    /** Filled by the core before the reply. */
    public final Decision decision = new Decision();

    /** Index of the base model ({@code Models}). */
    public int model;

    /** Number of entries in {@link #blockSizes} and {@link #sequenceHashes}; 0 when the prompt has no tokens. */
    public int hashings;

    /** Block size of each hashing, tokens. */
    public int[] blockSizes = new int[2];

    /** Chained hashes of the full blocks, per hashing. */
    public long[][] sequenceHashes = new long[2][];

    /** Full blocks, per hashing. */
    public int[] blockCounts = new int[2];

    /**
     * Trace hashes of the full blocks (chained without adapter and salt), per hashing; null where they are the sequence
     * hashes. The core does not look at them.
     */
    public long[][] traceHashes = new long[2][];

    /** Trace hash of the last block where it is not full, per hashing; 0 where all are full. */
    public long[] partialHashes = new long[2];

    /** Number of entries in {@link #pools} and {@link #pageKeys}; 0 when no pool's keys are known of the prompt. */
    public int poolings;

    /** Pool of each entry ({@link io.penstock.dataplane.pool.PoolConfig#layouts}). */
    public int[] pools = new int[1];

    /** Tokens of a page, per entry. */
    public int[] pageSizes = new int[1];

    /** Keys of the prompt's full pages in order, {@link io.penstock.index.pool.PageIndex#KEY_WORDS} words each, per entry. */
    public long[][] pageKeys = new long[1][];

    /** Full pages, per entry. */
    public int[] pageCounts = new int[1];

    /** Which of the pages the pool holds, per entry: the core's answer, until it has decided. */
    public PageRanges[] pageRanges = new PageRanges[1];

    /**
     * Whether the hashes are those of the tokens that the engine will see. Others (chunks of text) are never named by an
     * engine's events: what a worker got is then assumed to stay there for a while.
     */
    public boolean exact = true;

    /** Prompt length in tokens; an estimate when the prompt could not be tokenised. */
    public int promptTokens;

    /** Output tokens the client allows, or {@link #NONE}. */
    public int expectedOutputTokens = NONE;

    /** Adapter number ({@code Names}), or {@link #NONE} for the base model. */
    public int adapter = NONE;

    /** Worker number that must serve it, or {@link #NONE}. */
    public int pinnedWorker = NONE;

    /** Rank that must serve it, or {@link #NONE}. */
    public int pinnedRank = NONE;

    /** Taints that a worker must have, one bit each. */
    public long requiredTaints;

    /** Taints that are liked, one bit each; weights in {@link #preferredWeights}. */
    public long preferredTaints;

    /** Weight per bit of {@link #preferredTaints}, or null. */
    public double[] preferredWeights;

    /** Policy of this request only, or null. */
    public io.penstock.dataplane.routing.PolicyKind policy;

    /** Credit per device overlap block for this request only, or NaN. */
    public double overlapCredit = Double.NaN;

    /** Softmax temperature for this request only, or NaN. */
    public double temperature = Double.NaN;

    /** Slots that already failed for this request. */
    public int[] excludedSlots = {};

    /** The router's own name of the request, or null. */
    public String requestId;

    /** Who sends it. */
    public AgentContext agent = AgentContext.NONE;

    /** Session as the agent names it, or null. */
    public String session;

    /** XXH3-64 of the session, 0 for none. */
    public long sessionKey;

    /** XXH3-64 of the parent session, 0 for none. */
    public long parentKey;

    /** A request whose reply goes to {@code reply}. */
    public RouteRequest(RouteReply reply) {
        this.reply = reply;
    }

    /** Adds the hashes for one block size, of which no trace is to be made. */
    public void addHashing(int blockSize, long[] hashes, int blocks) {
        addHashing(blockSize, hashes, blocks, null, 0);
    }

    /**
     * Adds the hashes for one block size. The arrays are not written after: traces share them.
     *
     * @param hashes sequence hashes of the full blocks
     * @param blocks full blocks
     * @param traces trace hashes of the full blocks, null where they are the sequence hashes
     * @param partial trace hash of the last block where it is not full, else 0
     */
    public void addHashing(int blockSize, long[] hashes, int blocks, long[] traces, long partial) {
        if (hashings == blockSizes.length) {
            blockSizes = Arrays.copyOf(blockSizes, hashings * 2);
            sequenceHashes = Arrays.copyOf(sequenceHashes, hashings * 2);
            blockCounts = Arrays.copyOf(blockCounts, hashings * 2);
            traceHashes = Arrays.copyOf(traceHashes, hashings * 2);
            partialHashes = Arrays.copyOf(partialHashes, hashings * 2);
        }
        blockSizes[hashings] = blockSize;
        sequenceHashes[hashings] = hashes;
        blockCounts[hashings] = blocks;
        traceHashes[hashings] = traces;
        partialHashes[hashings] = partial;
        hashings++;
    }

    /**
     * Adds the keys under which a shared pool would hold the prompt's pages. The array is not written after: sessions share
     * it.
     *
     * @param pageSize tokens of a page
     * @param keys at least {@code pages} keys
     */
    public void addPages(int pool, int pageSize, long[] keys, int pages) {
        if (poolings == pools.length) {
            pools = Arrays.copyOf(pools, poolings * 2);
            pageSizes = Arrays.copyOf(pageSizes, poolings * 2);
            pageKeys = Arrays.copyOf(pageKeys, poolings * 2);
            pageCounts = Arrays.copyOf(pageCounts, poolings * 2);
            pageRanges = Arrays.copyOf(pageRanges, poolings * 2);
        }
        pools[poolings] = pool;
        pageSizes[poolings] = pageSize;
        pageKeys[poolings] = keys;
        pageCounts[poolings] = pages;
        pageRanges[poolings] = null;
        poolings++;
    }

    /** Excludes a slot from the next try. */
    public void exclude(int slot) {
        excludedSlots = Arrays.copyOf(excludedSlots, excludedSlots.length + 1);
        excludedSlots[excludedSlots.length - 1] = slot;
    }
}
