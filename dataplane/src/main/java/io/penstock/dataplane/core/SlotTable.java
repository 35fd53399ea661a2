package io.penstock.dataplane.core;

import io.penstock.dataplane.pipeline.SlotPosition;
import io.penstock.dataplane.pipeline.WorkerAddition;
import io.penstock.dataplane.pipeline.WorkerReply;
import io.penstock.dataplane.workers.WorkerEndpoint;
import java.util.Arrays;
import java.util.List;

/**
 * What the core knows of each slot, in columns: who it is, what it may take, what it is doing.
 *
 * <p>I1: a free slot number is given again only when its requests are gone and its rest is over, so that late events
 * and tickets find nobody.
 *
 * <p><b>Threading:</b> owned by the core.
 */
final class SlotTable {
    private static final WorkerEndpoint NOWHERE = new WorkerEndpoint(-1, "", 0, 1, "", 0, "");

    /** Receiver of a replay's slots: nobody. */
    private static final WorkerReply SILENT = new WorkerReply() {
        @Override
        public void added(int workerNumber, List<SlotPosition> ranks) {}

        @Override
        public void refused(int workerNumber, String why) {}
    };

    final int capacity;
    final Pool[] pool;
    final int[] indexSlot;
    final int[] worker;
    final String[] name;
    final int[] dpRank;
    final WorkerEndpoint[] endpoint;
    final WorkerReply[] reply;
    final long[][] adapters;
    final long[] taints;
    final long[] totalKvBlocks;
    final long[] maxBatchedTokens;
    final boolean[] healthy;
    final boolean[] draining;
    final boolean[] approximate;
    final boolean[] proven;
    /** Whether events of a batch came whose end has not come. */
    final boolean[] batchOpen;
    /** Until when an unproven slot has the stale credit. */
    final long[] staleUntilNs;

    final long[] replayAskedNs;

    final long[] prefillTokens;
    final long[] decodeBlocks;
    final int[] activeRequests;

    private final long[] restUntilNs;
    private int limit;

    SlotTable(int capacity) {
        this.capacity = capacity;
        pool = new Pool[capacity];
        indexSlot = new int[capacity];
        worker = new int[capacity];
        name = new String[capacity];
        dpRank = new int[capacity];
        endpoint = new WorkerEndpoint[capacity];
        reply = new WorkerReply[capacity];
        adapters = new long[capacity][];
        taints = new long[capacity];
        totalKvBlocks = new long[capacity];
        maxBatchedTokens = new long[capacity];
        healthy = new boolean[capacity];
        draining = new boolean[capacity];
        approximate = new boolean[capacity];
        proven = new boolean[capacity];
        batchOpen = new boolean[capacity];
        staleUntilNs = new long[capacity];
        replayAskedNs = new long[capacity];
        prefillTokens = new long[capacity];
        decodeBlocks = new long[capacity];
        activeRequests = new int[capacity];
        restUntilNs = new long[capacity];
        Arrays.fill(worker, -1);
        Arrays.fill(restUntilNs, Long.MIN_VALUE);
    }

    /** Highest slot ever given plus one. */
    int limit() {
        return limit;
    }

    boolean isOpen(int slot) {
        return slot >= 0 && slot < limit && worker[slot] >= 0;
    }

    /** A number that nobody has, or -1. */
    int free(long nowNs) {
        for (int slot = 0; slot < limit; slot++) {
            if (worker[slot] < 0 && activeRequests[slot] == 0 && restUntilNs[slot] <= nowNs) {
                return slot;
            }
        }
        return limit < capacity ? limit++ : -1;
    }

    void open(int slot, WorkerAddition addition, int rank, Pool ofPool, int inIndex) {
        pool[slot] = ofPool;
        indexSlot[slot] = inIndex;
        worker[slot] = addition.number();
        name[slot] = addition.name();
        dpRank[slot] = rank;
        approximate[slot] = !addition.kvEvents();
        healthy[slot] = true;
        batchOpen[slot] = false;
        replayAskedNs[slot] = Long.MIN_VALUE;
        prefillTokens[slot] = 0;
        decodeBlocks[slot] = 0;
        limit = Math.max(limit, slot + 1);
        describe(slot, addition, rank);
    }

    /** Takes over what may change while a worker is there. */
    void describe(int slot, WorkerAddition addition, int rank) {
        WorkerEndpoint given = addition.endpoints().get(rank);
        endpoint[slot] = new WorkerEndpoint(
                slot,
                given.worker(),
                rank,
                given.dpSize(),
                given.host(),
                given.port(),
                given.basePath(),
                given.engine(),
                given.hints());
        reply[slot] = addition.reply();
        adapters[slot] = bits(addition);
        taints[slot] = addition.taints();
        totalKvBlocks[slot] = addition.totalKvBlocks();
        maxBatchedTokens[slot] = addition.maxBatchedTokens();
        draining[slot] = false;
    }

    void close(int slot, long restUntil) {
        worker[slot] = -1;
        name[slot] = null;
        pool[slot] = null;
        endpoint[slot] = null;
        reply[slot] = null;
        restUntilNs[slot] = restUntil;
    }

    boolean serves(int slot, int adapter) {
        long[] bits = adapters[slot];
        return adapter < 0 || (adapter >> 6 < bits.length && (bits[adapter >> 6] >>> adapter & 1) != 0);
    }

    private static long[] bits(WorkerAddition addition) {
        int words = 0;
        for (int adapter : addition.adapters()) {
            words = Math.max(words, (adapter >> 6) + 1);
        }
        long[] bits = new long[words];
        for (int adapter : addition.adapters()) {
            bits[adapter >> 6] |= 1L << adapter;
        }
        return bits;
    }

    /** Carries all slots ever given; replies are not carried, a replay's engines are asked for nothing. */
    void carry(StateTape tape, List<Pool> pools) {
        limit = tape.carry(limit);
        tape.carry(indexSlot, limit);
        tape.carry(worker, limit);
        tape.carry(dpRank, limit);
        tape.carry(taints, limit);
        tape.carry(totalKvBlocks, limit);
        tape.carry(maxBatchedTokens, limit);
        tape.carry(healthy, limit);
        tape.carry(draining, limit);
        tape.carry(approximate, limit);
        tape.carry(proven, limit);
        tape.carry(batchOpen, limit);
        tape.carry(staleUntilNs, limit);
        tape.carry(replayAskedNs, limit);
        tape.carry(prefillTokens, limit);
        tape.carry(decodeBlocks, limit);
        tape.carry(activeRequests, limit);
        tape.carry(restUntilNs, limit);
        for (int slot = 0; slot < limit; slot++) {
            if (worker[slot] >= 0) {
                carryWorker(tape, slot, pools);
            }
        }
    }

    private void carryWorker(StateTape tape, int slot, List<Pool> pools) {
        name[slot] = tape.carry(name[slot]);
        int id = tape.carry(tape.isReading() ? 0 : pool[slot].id);
        int words = tape.carry(tape.isReading() ? 0 : adapters[slot].length);
        if (tape.isReading()) {
            pool[slot] = pools.get(id);
            adapters[slot] = new long[words];
            reply[slot] = SILENT;
        }
        tape.carry(adapters[slot], words);
        WorkerEndpoint at = tape.isReading() ? NOWHERE : endpoint[slot];
        String of = tape.carry(at.worker());
        int dpSize = tape.carry(at.dpSize());
        String host = tape.carry(at.host());
        int port = tape.carry(at.port());
        String basePath = tape.carry(at.basePath());
        String engine = tape.carry(at.engine());
        if (tape.isReading()) {
            endpoint[slot] = new WorkerEndpoint(slot, of, dpRank[slot], dpSize, host, port, basePath, engine);
        }
    }
}
