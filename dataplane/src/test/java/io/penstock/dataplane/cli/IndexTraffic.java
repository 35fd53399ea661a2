package io.penstock.dataplane.cli;

import io.penstock.index.ChainHash;
import io.penstock.index.IndexConfig;
import io.penstock.index.OffHeapIndex;
import io.penstock.index.PrefixIndex;
import io.penstock.index.Tier;
import java.nio.file.Path;
import java.util.Random;

/**
 * Seeded traffic of more than 64 workers on an index: shared prefixes, tiers, copies, holes, cleared and removed slots,
 * engines that call the same block otherwise. Killed with its process, as a child, or stopped.
 *
 * <p><b>Threading:</b> owned by a test.
 */
final class IndexTraffic {
    static final int SLOTS = 90;
    private static final int NODES = 1500;
    private static final int LONGEST = 300;

    private final Random random;
    private final int[] parents = new int[NODES];
    private final long[] locals = new long[NODES];
    private final long[] sequences = new long[NODES];
    private long batch;

    IndexTraffic(long seed) {
        random = new Random(seed);
        for (int node = 0; node < NODES; node++) {
            parents[node] = node > 0 && random.nextInt(25) > 0 ? node - 1 : random.nextInt(node + 1) - 1;
            locals[node] = random.nextLong();
            sequences[node] = parents[node] < 0 ? locals[node] : ChainHash.next(sequences[parents[node]], locals[node]);
        }
    }

    static IndexConfig config(Path file) {
        return new IndexConfig(file, 16, 1 << 13, 1 << 16, 2 * SLOTS);
    }

    /** Works until the process is killed. */
    public static void main(String[] arguments) {
        OffHeapIndex index = OffHeapIndex.open(config(Path.of(arguments[0])));
        IndexTraffic traffic = new IndexTraffic(Long.parseLong(arguments[1]));
        traffic.open(index);
        for (int i = 0; i < 2000; i++) {
            traffic.step(index);
        }
        System.out.println("warm");
        while (true) {
            traffic.step(index);
        }
    }

    void open(PrefixIndex index) {
        for (int slot = 0; slot < SLOTS; slot++) {
            index.openSlot("gpu-" + slot / 2, slot % 2);
        }
    }

    /** One operation. */
    void step(PrefixIndex index) {
        int slot = random.nextInt(SLOTS);
        int dice = random.nextInt(100);
        if (dice < 60) {
            stored(index, slot);
        } else if (dice < 90) {
            removed(index, slot);
        } else if (dice < 95) {
            index.batchBegun(slot);
            index.position(slot, ++batch, Double.doubleToRawLongBits(1.7e9 + batch / 8.0), batch * 31);
        } else if (dice < 96) {
            index.clearSlot(slot);
        } else if (dice < 97) {
            index.removeSlot(slot);
            index.openSlot("late-" + random.nextInt(20), 0);
        } else {
            index.sweep(1 + random.nextInt(50));
        }
    }

    private void stored(PrefixIndex index, int slot) {
        int[] path = path(random.nextInt(NODES));
        int from = random.nextInt(4) == 0 ? random.nextInt(path.length) : 0;
        int count = Math.min(path.length - from, 1 + random.nextInt(LONGEST));
        index.stored(
                slot,
                tier(),
                from == 0,
                from == 0 ? 0 : name(slot, path[from - 1]),
                names(slot, path, from, count),
                of(locals, path, from, count),
                0,
                count);
    }

    private void removed(PrefixIndex index, int slot) {
        int[] path = path(random.nextInt(NODES));
        int from = random.nextInt(path.length);
        int count = random.nextInt(3) == 0 ? 1 : path.length - from;
        index.removed(slot, tier(), names(slot, path, from, count), 0, count);
    }

    private int tier() {
        return random.nextInt(3) > 0 ? Tier.DEVICE : random.nextInt(Tier.COUNT);
    }

    private long[] names(int slot, int[] path, int from, int count) {
        long[] names = new long[count];
        for (int i = 0; i < count; i++) {
            names[i] = name(slot, path[from + i]);
        }
        return names;
    }

    /** Every ninth worker has engine hashes of its own. */
    private long name(int slot, int node) {
        return sequences[node] * 31 + (slot % 9 == 0 ? slot : 0);
    }

    private static long[] of(long[] all, int[] path, int from, int count) {
        long[] some = new long[count];
        for (int i = 0; i < count; i++) {
            some[i] = all[path[from + i]];
        }
        return some;
    }

    private int[] path(int node) {
        int depth = 0;
        for (int at = node; at >= 0; at = parents[at]) {
            depth++;
        }
        int[] path = new int[depth];
        for (int at = node; at >= 0; at = parents[at]) {
            path[--depth] = at;
        }
        return path;
    }

    /** Sequence hashes of the path to some node; every third leaves the tree at its end. */
    long[] query() {
        int[] path = path(random.nextInt(NODES));
        long[] query = of(sequences, path, 0, path.length);
        if (random.nextInt(3) == 0) {
            query[query.length - 1] = random.nextLong();
        }
        return query;
    }
}
