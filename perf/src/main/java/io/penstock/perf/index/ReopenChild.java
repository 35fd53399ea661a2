package io.penstock.perf.index;

import io.penstock.index.OffHeapIndex;
import io.penstock.index.Overlaps;
import io.penstock.index.Tier;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Builds an index of ten million blocks, or opens it and looks up: {@code ReopenChild build|churn|open|halt FOLDER}. A
 * build is closed in order; churn builds and then removes and stores one sequence until it is killed; open closes in
 * order, halt leaves the file as a kill does.
 *
 * <p><b>Threading:</b> main thread.
 */
public final class ReopenChild {
    private static final long BLOCKS = 10_000_000;
    private static final int SEQUENCE = 512;
    private static final long SEQUENCES = BLOCKS / SEQUENCE;
    private static final int WORKERS = 64;
    private static final int BLOCK_SIZE = 16;
    private static final int CHECKED = 1_000;
    private static final int TOLD = 1_000;

    private final BenchFolder folder;
    private final long[] hashes = new long[SEQUENCE];
    private final Overlaps out = new Overlaps(WORKERS);

    private ReopenChild(BenchFolder folder) {
        this.folder = folder;
    }

    /** Does what the first argument says. */
    public static void main(String[] args) throws IOException {
        long start = System.nanoTime();
        ReopenChild child = new ReopenChild(new BenchFolder(Path.of(args[1])));
        switch (args[0]) {
            case "build" -> child.build().close();
            case "churn" -> child.churn(child.build());
            case "open" -> child.open(start).close();
            case "halt" -> {
                child.open(start);
                System.out.flush();
                Runtime.getRuntime().halt(0);
            }
            default -> throw new IllegalArgumentException("unknown mode: mode=" + args[0]);
        }
    }

    private OffHeapIndex build() throws IOException {
        OffHeapIndex index = folder.fresh(BLOCK_SIZE, BLOCKS, WORKERS);
        for (long number = 0; number < SEQUENCES; number++) {
            store(index, number);
        }
        System.out.println("{\"blocks\":" + index.blockCount() + "}");
        return index;
    }

    private void store(OffHeapIndex index, long number) {
        SyntheticBlocks.fill(number, hashes);
        int worker = (int) (number % WORKERS);
        if (index.storedChained(worker, Tier.DEVICE, true, 0, hashes, hashes, 0, SEQUENCE) != SEQUENCE) {
            throw new IllegalStateException("the index did not take a sequence: number=" + number);
        }
    }

    private void churn(OffHeapIndex index) {
        long last = SEQUENCES - 1;
        for (int round = 0; ; round++) {
            SyntheticBlocks.fill(last, hashes);
            index.removed((int) (last % WORKERS), Tier.DEVICE, hashes, 0, SEQUENCE);
            store(index, last);
            if (round % TOLD == 0) {
                System.out.println("{\"churned\":" + round + "}");
            }
        }
    }

    private OffHeapIndex open(long start) {
        OffHeapIndex index = OffHeapIndex.open(folder.config(BLOCK_SIZE, BLOCKS, WORKERS));
        long wrong = exact(index, 1) ? 0 : 1;
        long took = System.nanoTime() - start;
        // The last sequence is the one that is churned.
        for (int i = 0; i < CHECKED; i++) {
            wrong += exact(index, i * (SEQUENCES - 1) / CHECKED) ? 0 : 1;
        }
        System.out.println("{\"outcome\":\"" + index.recovery().outcome() + "\",\"ms\":"
                + (took - index.mapOpenNs()) / 1e6 + ",\"chronicleMs\":" + index.mapOpenNs() / 1e6 + ",\"wrong\":"
                + wrong + "}");
        return index;
    }

    private boolean exact(OffHeapIndex index, long number) {
        SyntheticBlocks.fill(number, hashes);
        return index.match(hashes, SEQUENCE, out) == 1
                && out.slot(0) == number % WORKERS
                && out.blocks(0, Tier.DEVICE) == SEQUENCE;
    }
}
