package io.penstock.index;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * Applies made-up events to a scratch index and looks prefixes up, so that the compiler has seen both before the first
 * request: interpreted, a look-up costs ten times as much.
 *
 * <p>Conversations grow, share their beginning, are held by several workers, lose their tails, end. The same each time.
 *
 * <p><b>Threading:</b> any one thread; touches nothing of other indexes.
 */
public final class Exercise {
    private static final int SESSIONS = 64;
    private static final int SLOTS = 16;
    private static final int LONGEST = 2_048;
    private static final int SHARED = 96;
    private static final long CAPACITY = 1 << 16;
    private static final int PAGE_BYTES = 1 << 20;
    private static final int SEED = 1;

    private final PrefixIndex index;
    private final SplittableRandom random = new SplittableRandom(SEED);
    private final long[][] locals = new long[SESSIONS][LONGEST];
    private final long[][] sequences = new long[SESSIONS][LONGEST];
    private final int[] lengths = new int[SESSIONS];
    private final Overlaps out = new Overlaps(SLOTS);
    private long found;

    private Exercise(PrefixIndex index) {
        this.index = index;
    }

    /**
     * Exercises for about {@code budgetNs} in a file of its own in {@code folder}, which is deleted.
     *
     * @return look-ups made
     */
    public static long run(Path folder, long budgetNs) {
        try {
            Path scratch = Files.createTempDirectory(folder, "exercise");
            try {
                return in(scratch, budgetNs);
            } finally {
                delete(scratch);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot exercise: folder=" + folder, failed);
        }
    }

    private static long in(Path scratch, long budgetNs) {
        IndexConfig config = new IndexConfig(scratch.resolve("scratch.pst"), 16, CAPACITY, PAGE_BYTES, SLOTS);
        try (OffHeapIndex index = OffHeapIndex.open(config)) {
            for (int slot = 0; slot < SLOTS; slot++) {
                index.openSlot("exercise-" + slot, 0);
            }
            Exercise exercise = new Exercise(index);
            long end = System.nanoTime() + budgetNs;
            long steps = 0;
            while (System.nanoTime() - end < 0) {
                exercise.turn();
                steps++;
            }
            return steps;
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    /** A turn of some session: looked up, then taken in by a worker. */
    private void turn() {
        int session = random.nextInt(SESSIONS);
        int before = lengths[session];
        int after = Math.min(LONGEST, before + 1 + random.nextInt(before == 0 ? 512 : 160));
        if (before == LONGEST) {
            end(session);
            return;
        }
        extend(session, before, after);
        index.match(sequences[session], after, out);
        found += out.size();
        int home = session % SLOTS;
        int slot = random.nextInt(8) == 0 ? random.nextInt(SLOTS) : home;
        boolean newcomer = slot != home || before == 0;
        store(slot, session, newcomer ? 0 : before, after, random.nextInt(4) == 0);
        if (random.nextInt(16) == 0) {
            int tail = random.nextInt(after);
            index.removed(slot, Tier.DEVICE, sequences[session], tail, after - tail);
            store(slot, session, tail, after, false);
        }
        index.sweep(8);
    }

    private void extend(int session, int from, int to) {
        long[] local = locals[session];
        long[] sequence = sequences[session];
        for (int i = from; i < to; i++) {
            // All begin alike, as under one system prompt.
            local[i] = i < SHARED ? i + 1 : random.nextLong();
            sequence[i] = i == 0 ? local[i] : ChainHash.next(sequence[i - 1], local[i]);
        }
        lengths[session] = to;
    }

    private void store(int slot, int session, int from, int to, boolean oneByOne) {
        int step = oneByOne ? 1 : to - from;
        long[] names = sequences[session];
        for (int i = from; i < to; i += Math.max(1, step)) {
            long parent = i == 0 ? 0 : names[i - 1];
            // The same work twice: as the router applies it, and with the chain at hand.
            index.stored(slot, Tier.DEVICE, i == 0, parent, names, locals[session], i, step);
            index.storedChained(slot, Tier.DEVICE, i == 0, parent, names, names, i, step);
            index.removed(slot, Tier.DEVICE, names, i, step);
        }
    }

    private void end(int session) {
        for (int slot = 0; slot < SLOTS; slot++) {
            index.removed(slot, Tier.DEVICE, sequences[session], 0, lengths[session]);
        }
        lengths[session] = 0;
    }

    /** Keeps the answers alive for the compiler. */
    long found() {
        return found;
    }
}
