package io.penstock.index;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A seeded script of everything engines do to an index, chosen without looking at the index, so that two processes with
 * the same seed do the same.
 *
 * <p>Contents are nodes of a random tree; an engine's hash of a node depends on its flavour: 0 is what most engines
 * compute, others disagree, and the colliding one gives many nodes the same hash.
 *
 * <p><b>Threading:</b> owned by a test.
 */
final class Traffic {
    private static final int COLLIDING = 9;

    /** One operation, repeatable on another index and on a part of its blocks. */
    record Operation(
            Kind kind,
            int slot,
            int tier,
            boolean root,
            long parent,
            long[] engine,
            long[] local,
            String worker,
            int rank) {
        enum Kind {
            STORED,
            REMOVED,
            CLEAR,
            REMOVE_SLOT,
            OPEN,
            POSITION,
            BATCH,
            SWEEP
        }

        int blocks() {
            return engine == null ? 0 : engine.length;
        }

        long apply(PrefixIndex index) {
            return apply(index, blocks());
        }

        long apply(PrefixIndex index, int count) {
            switch (kind) {
                case STORED -> {
                    return index.stored(slot, tier, root, parent, engine, local, 0, count);
                }
                case REMOVED -> {
                    return index.removed(slot, tier, engine, 0, count);
                }
                case CLEAR -> index.clearSlot(slot);
                case REMOVE_SLOT -> index.removeSlot(slot);
                case OPEN -> {
                    return index.openSlot(worker, rank);
                }
                case POSITION -> index.position(slot, parent, parent * 3, parent * 7);
                case BATCH -> index.batchBegun(slot);
                case SWEEP -> index.sweep(rank);
            }
            return 0;
        }

        @Override
        public String toString() {
            return kind + " slot=" + slot + " tier=" + tier + " root=" + root + " parent=" + parent + " blocks="
                    + blocks() + " worker=" + worker;
        }
    }

    private final Random random;
    private final int[] parentOf;
    private final long[] localOf;
    private final long[] sequenceOf;
    private final int workers;
    private final int maxBlocks;
    private final int[] flavourOfSlot = new int[4096];
    private int openEstimate;

    Traffic(long seed, int nodes, int workers, int maxBlocks) {
        random = new Random(seed);
        this.workers = workers;
        this.maxBlocks = maxBlocks;
        parentOf = new int[nodes];
        localOf = new long[nodes];
        sequenceOf = new long[nodes];
        int branching = 2 + random.nextInt(40);
        for (int node = 0; node < nodes; node++) {
            int parent = node == 0 || random.nextInt(branching) > 0 ? node - 1 : random.nextInt(node + 1) - 1;
            parentOf[node] = parent;
            localOf[node] = random.nextLong();
            sequenceOf[node] = parent < 0 ? localOf[node] : ChainHash.next(sequenceOf[parent], localOf[node]);
        }
    }

    /** The first operations: every worker is there. */
    List<Operation> opening() {
        List<Operation> all = new ArrayList<>();
        for (int worker = 0; worker < workers; worker++) {
            all.add(open(worker));
        }
        return all;
    }

    private Operation open(int worker) {
        openEstimate = Math.max(openEstimate, worker + 1);
        return new Operation(
                Operation.Kind.OPEN, 0, 0, false, 0, null, null, "http://worker-" + worker / 2 + ":8000", worker % 2);
    }

    Operation next() {
        int slot = random.nextInt(openEstimate + (random.nextInt(50) == 0 ? 1 : 0));
        int dice = random.nextInt(1000);
        if (dice < 560) {
            return stored(slot);
        }
        if (dice < 900) {
            return removed(slot);
        }
        if (dice < 915) {
            return plain(Operation.Kind.CLEAR, slot, 0, 0);
        }
        if (dice < 930) {
            return plain(Operation.Kind.REMOVE_SLOT, slot, 0, 0);
        }
        if (dice < 960) {
            return open(random.nextInt(workers));
        }
        if (dice < 970) {
            flavourOfSlot[slot] = flavour();
        }
        if (dice < 985) {
            return plain(Operation.Kind.POSITION, slot, random.nextInt(1000), 0);
        }
        return plain(Operation.Kind.SWEEP, slot, 0, 1 + random.nextInt(20));
    }

    private int flavour() {
        int dice = random.nextInt(20);
        return dice < 12 ? 0 : dice < 19 ? 1 + random.nextInt(3) : COLLIDING;
    }

    private static Operation plain(Operation.Kind kind, int slot, long parent, int rank) {
        return new Operation(kind, slot, 0, false, parent, null, null, null, rank);
    }

    private Operation stored(int slot) {
        int[] path = path(random.nextInt(parentOf.length));
        int from = random.nextInt(3) == 0 ? random.nextInt(path.length) : 0;
        int count = Math.min(path.length - from, 1 + random.nextInt(random.nextInt(4) == 0 ? 3 : maxBlocks));
        long parent = from == 0 ? random.nextInt(5) : hash(slot, path[from - 1]);
        if (random.nextInt(40) == 0) {
            parent = random.nextLong();
        }
        return blocks(Operation.Kind.STORED, slot, from == 0, parent, path, from, count, false);
    }

    private Operation removed(int slot) {
        int[] path = path(random.nextInt(parentOf.length));
        int dice = random.nextInt(6);
        if (dice == 0) {
            for (int i = 0; i < path.length; i++) {
                path[i] = random.nextInt(parentOf.length);
            }
        }
        int from = random.nextInt(path.length);
        int count = Math.min(path.length - from, 1 + random.nextInt(dice == 1 ? 2 : maxBlocks));
        return blocks(Operation.Kind.REMOVED, slot, false, 0, path, from, count, dice > 3);
    }

    private Operation blocks(
            Operation.Kind kind,
            int slot,
            boolean root,
            long parent,
            int[] path,
            int from,
            int count,
            boolean backwards) {
        long[] engine = new long[count];
        long[] local = new long[count];
        for (int i = 0; i < count; i++) {
            int node = path[backwards ? from + count - 1 - i : from + i];
            engine[i] = hash(slot, node);
            local[i] = localOf[node];
        }
        int tier = random.nextInt(3) > 0 ? Tier.DEVICE : random.nextInt(Tier.COUNT);
        return new Operation(kind, slot, tier, root, parent, engine, local, null, 0);
    }

    private long hash(int slot, int node) {
        int flavour = flavourOfSlot[slot];
        if (random.nextInt(200) == 0) {
            flavour = flavour();
        }
        return flavour == COLLIDING ? sequenceOf[node] % 23 : sequenceOf[node] * 31 + flavour;
    }

    private int[] path(int node) {
        int depth = 0;
        for (int at = node; at >= 0; at = parentOf[at]) {
            depth++;
        }
        int[] path = new int[depth];
        for (int at = node; at >= 0; at = parentOf[at]) {
            path[--depth] = at;
        }
        return path;
    }

    int nodes() {
        return parentOf.length;
    }

    /** Sequence hashes of the path to a node. */
    long[] query(int node) {
        int[] path = path(node);
        long[] query = new long[path.length];
        for (int i = 0; i < path.length; i++) {
            query[i] = sequenceOf[path[i]];
        }
        return query;
    }

    /** A path that leaves the tree somewhere. */
    long[] strayQuery() {
        long[] query = query(random.nextInt(parentOf.length));
        for (int i = random.nextInt(query.length); i < query.length; i++) {
            query[i] = random.nextLong();
        }
        return query;
    }

    int anyNode() {
        return random.nextInt(parentOf.length);
    }
}
