package io.penstock.index;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * A quick look at costs, thread CPU time: {@code java -cp ... io.penstock.index.Speed [conversations] [workers]}. Not a
 * benchmark: one synthetic stream of growing conversations over a shared system prompt.
 */
final class Speed {
    private static final int TURNS = 8;
    private static final int TURN_BLOCKS = 90;
    private static final int PROMPT_BLOCKS = 300;

    private Speed() {}

    public static void main(String[] arguments) throws IOException {
        int conversations = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1000;
        int workers = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 64;
        Path folder = Files.createTempDirectory("speed");
        IndexConfig config = new IndexConfig(
                folder.resolve("index"), 16, (long) conversations * TURNS * TURN_BLOCKS + 4096, 1 << 22, 1024);
        long opened = System.nanoTime();
        try (OffHeapIndex index = OffHeapIndex.open(config)) {
            System.out.printf(
                    "create %d ms, file %d MiB%n",
                    (System.nanoTime() - opened) / 1_000_000, Files.size(config.file()) >> 20);
            for (int repetition = 0; repetition < 5; repetition++) {
                run(index, conversations, workers, repetition);
            }
        }
        opened = System.nanoTime();
        try (OffHeapIndex index = OffHeapIndex.open(config)) {
            System.out.printf("reopen %d ms, %s%n", (System.nanoTime() - opened) / 1_000_000, index.recovery());
        }
    }

    private static void run(OffHeapIndex index, int conversations, int workers, long seed) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Random random = new Random(seed);
        long[][] local = new long[conversations][PROMPT_BLOCKS + TURNS * TURN_BLOCKS];
        long[][] engine = new long[conversations][];
        for (int c = 0; c < conversations; c++) {
            Random shared = new Random(c % 7);
            for (int i = 0; i < local[c].length; i++) {
                local[c][i] = i < PROMPT_BLOCKS ? shared.nextLong() : random.nextLong();
            }
            engine[c] = local[c].clone();
            for (int i = 1; i < local[c].length; i++) {
                engine[c][i] = ChainHash.next(engine[c][i - 1], local[c][i]);
            }
        }
        for (int w = 0; w < workers; w++) {
            index.openSlot("w" + w, 0);
        }
        Overlaps overlaps = new Overlaps(1024);
        long[] latencies = new long[conversations * TURNS];
        long allocated = threads.getCurrentThreadAllocatedBytes();
        long storedNs = 0;
        long storedBlocks = 0;
        int queries = 0;
        for (int turn = 0; turn < TURNS; turn++) {
            long begin = threads.getCurrentThreadCpuTime();
            for (int c = 0; c < conversations; c++) {
                int slot = (int) (engine[c][PROMPT_BLOCKS] >>> 33) % workers;
                int from = turn == 0 ? 0 : PROMPT_BLOCKS + turn * TURN_BLOCKS;
                int to = PROMPT_BLOCKS + (turn + 1) * TURN_BLOCKS;
                index.stored(
                        slot, 0, turn == 0, turn == 0 ? 0 : engine[c][from - 1], engine[c], local[c], from, to - from);
                storedBlocks += to - from;
            }
            storedNs += threads.getCurrentThreadCpuTime() - begin;
            for (int c = 0; c < conversations; c++) {
                int to = Math.min(PROMPT_BLOCKS + (turn + 2) * TURN_BLOCKS, engine[c].length);
                long at = System.nanoTime();
                index.match(engine[c], to, overlaps);
                latencies[queries++] = System.nanoTime() - at;
            }
        }
        long used = index.usedBytes();
        long held = 0;
        for (int w = 0; w < workers; w++) {
            held += index.heldBlocks(w, 0);
        }
        long removedBlocks = 0;
        long begin = threads.getCurrentThreadCpuTime();
        for (int c = 0; c < conversations; c++) {
            int slot = (int) (engine[c][PROMPT_BLOCKS] >>> 33) % workers;
            removedBlocks += index.removed(slot, 0, engine[c], PROMPT_BLOCKS, engine[c].length - PROMPT_BLOCKS);
        }
        long removedNs = threads.getCurrentThreadCpuTime() - begin;
        allocated = threads.getCurrentThreadAllocatedBytes() - allocated;
        java.util.Arrays.sort(latencies);
        System.out.printf(
                "stored %.1f ns/block, removed %.1f ns/block, match p50 %d ns p99 %d ns, %d B allocated, %.1f B a holding, used %d KiB%n",
                (double) storedNs / storedBlocks,
                (double) removedNs / removedBlocks,
                latencies[queries / 2],
                latencies[queries * 99 / 100],
                allocated,
                (double) used / held,
                used >> 10);
        for (int w = 0; w < workers; w++) {
            index.removeSlot(w);
        }
        long sweep = threads.getCurrentThreadCpuTime();
        while (index.sweep(1000) > 0) {
            // until nothing dead is left
        }
        System.out.printf("  sweep %d us%n", (threads.getCurrentThreadCpuTime() - sweep) / 1000);
    }
}
