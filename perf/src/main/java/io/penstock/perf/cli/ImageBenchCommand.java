package io.penstock.perf.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.index.IndexConfig;
import io.penstock.index.OffHeapIndex;
import io.penstock.index.RecoveryReport;
import io.penstock.index.Tier;
import io.penstock.index.image.Checkpoint;
import io.penstock.index.image.ImageLayout;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * What a checkpoint image costs: the writer's stop, the write to the disk, bytes, and the restore. Prefixes of 256 blocks in
 * events of 64, each held by two of 16 workers.
 *
 * <p><b>Threading:</b> main thread.
 */
@Command(
        name = "image",
        description = "Takes checkpoint images of an index and restores one.",
        mixinStandardHelpOptions = true)
final class ImageBenchCommand implements Callable<Integer> {
    private static final int WORKERS = 16;
    private static final int PREFIX = 256;
    private static final int EVENT = 64;
    private static final String BOOT = "penstock.index.bootId";

    @Option(names = "--blocks", paramLabel = "N", description = "Distinct blocks. Default: ${DEFAULT-VALUE}.")
    private int blocks = 1 << 20;

    @Option(names = "--rounds", paramLabel = "N", description = "Images taken. Default: ${DEFAULT-VALUE}.")
    private int rounds = 9;

    @Option(names = "--folder", paramLabel = "DIR", description = "Where; default: a temporary folder.")
    private Path folder;

    @Option(names = "--json", description = "Prints one object as the last line.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        Path in = folder == null ? Files.createTempDirectory("penstock-image") : folder;
        Path file = in.resolve("bench-image.pst");
        Files.deleteIfExists(file);
        IndexConfig config = new IndexConfig(file, 16, blocks, 1 << 22, WORKERS);
        double[] copy = new double[rounds];
        double[] write = new double[rounds];
        long bytes = 0;
        OffHeapIndex index = OffHeapIndex.open(config);
        fill(index);
        long held = index.blockCount();
        try (Checkpoint image = index.checkpoints()) {
            for (int round = 0; round < rounds; round++) {
                image.prepare();
                long begin = System.nanoTime();
                boolean whole = image.copy();
                long copied = System.nanoTime();
                bytes = image.write(ImageLayout.beside(file));
                write[round] = ms(copied, System.nanoTime()) * 1e6 / held;
                copy[round] = ms(begin, copied) * 1e6 / held;
                if (!whole) {
                    throw new IllegalStateException("image has no room: bytes=" + bytes);
                }
            }
        }
        index.abandon();
        System.setProperty(BOOT, "00000000-0000-0000-0000-000000000002");
        OffHeapIndex restored = OffHeapIndex.open(config);
        RecoveryReport report = restored.recovery();
        boolean right = report.outcome() == RecoveryReport.Outcome.RESTORED_IMAGE && restored.blockCount() == held;
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("blocks", held);
        result.put("copyMsPerMillion", median(copy));
        result.put("copyWorstMsPerMillion", round(Arrays.stream(copy).max().orElse(0)));
        result.put("writeMsPerMillion", median(write));
        result.put("bytesPerBlock", round((double) bytes / held));
        result.put("restoreMsPerMillion", round((report.openNs() - restored.mapOpenNs()) / (double) held));
        result.put("restored", right);
        restored.close();
        PrintWriter out = spec.commandLine().getOut();
        result.forEach((name, value) -> out.printf(Locale.ROOT, "%-24s %12s%n", name, value));
        if (json) {
            out.println(new ObjectMapper().writeValueAsString(result));
        }
        out.flush();
        return right ? 0 : 1;
    }

    private void fill(OffHeapIndex index) {
        SplittableRandom random = new SplittableRandom(1);
        for (int worker = 0; worker < WORKERS; worker++) {
            index.openSlot("http://worker-" + worker, 0);
        }
        long[] engine = new long[PREFIX];
        long[] local = new long[PREFIX];
        for (int prefix = 0; prefix < blocks / PREFIX; prefix++) {
            for (int i = 0; i < PREFIX; i++) {
                engine[i] = random.nextLong();
                local[i] = random.nextLong();
            }
            for (int holder = 0; holder < 2; holder++) {
                int slot = (prefix + holder * 5) % WORKERS;
                for (int from = 0; from < PREFIX; from += EVENT) {
                    long parent = from == 0 ? 0 : engine[from - 1];
                    index.stored(slot, Tier.DEVICE, from == 0, parent, engine, local, from, EVENT);
                }
            }
        }
    }

    private static double ms(long begin, long end) {
        return (end - begin) / 1e6;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return round(sorted[sorted.length / 2]);
    }

    private static double round(double value) {
        return Math.round(value * 100) / 100.0;
    }
}
