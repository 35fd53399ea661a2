package io.penstock.perf.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.index.IndexConfig;
import io.penstock.index.OffHeapIndex;
import io.penstock.index.RecoveryReport;
import io.penstock.index.Tier;
import io.penstock.index.image.ImageReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * What a checkpoint image costs: the writer's longest stop, the copying beside it, the write to the disk, bytes, and the
 * restore. Prefixes of 256 blocks in events of 64, each held by two of 16 workers; the writer rests, or stores and removes
 * at full speed.
 *
 * <p><b>Threading:</b> main thread is the writer, images are taken by another.
 */
@Command(
        name = "image",
        description = "Takes checkpoint images of an index at rest and beside a busy writer, and restores one.",
        mixinStandardHelpOptions = true)
final class ImageBenchCommand implements Callable<Integer> {
    private static final int WORKERS = 16;
    private static final int PREFIX = 256;
    private static final int EVENT = 64;
    private static final long PATIENCE_NS = 5_000_000_000L;
    private static final String BOOT = "penstock.index.bootId";

    @Option(names = "--blocks", paramLabel = "N", description = "Distinct blocks. Default: ${DEFAULT-VALUE}.")
    private int blocks = 1 << 20;

    @Option(names = "--rounds", paramLabel = "N", description = "Images taken each way. Default: ${DEFAULT-VALUE}.")
    private int rounds = 9;

    @Option(names = "--folder", paramLabel = "DIR", description = "Where; default: a temporary folder.")
    private Path folder;

    @Option(names = "--json", description = "Prints one object as the last line.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    private final long[] engine = new long[PREFIX];
    private final long[] local = new long[PREFIX];
    private long events;

    @Override
    public Integer call() throws IOException {
        Path in = folder == null ? Files.createTempDirectory("penstock-image") : folder;
        Path file = in.resolve("bench-image.pst");
        Files.deleteIfExists(file);
        IndexConfig config = new IndexConfig(file, 16, blocks, 1 << 22, WORKERS);
        OffHeapIndex index = OffHeapIndex.open(config);
        fill(index);
        List<ImageReport> idle = take(index, false);
        List<ImageReport> busy = take(index, true);
        long held = busy.getLast().blocks();
        index.abandon();
        System.setProperty(BOOT, "00000000-0000-0000-0000-000000000002");
        OffHeapIndex restored = OffHeapIndex.open(config);
        RecoveryReport report = restored.recovery();
        boolean right = report.outcome() == RecoveryReport.Outcome.RESTORED_IMAGE && restored.blockCount() == held;
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("blocks", held);
        figures(result, "idle", idle);
        figures(result, "busy", busy);
        result.put(
                "bytesPerBlock",
                round((double) idle.getLast().bytes() / idle.getLast().blocks()));
        result.put("restoreMsPerMillion", round((report.openNs() - restored.mapOpenNs()) / (double) held));
        result.put("restored", right);
        restored.close();
        PrintWriter out = spec.commandLine().getOut();
        result.forEach((name, value) -> out.printf(Locale.ROOT, "%-28s %12s%n", name, value));
        if (json) {
            out.println(new ObjectMapper().writeValueAsString(result));
        }
        out.flush();
        return right ? 0 : 1;
    }

    private static void figures(Map<String, Object> result, String how, List<ImageReport> images) {
        result.put(how + "StopMs", median(images, image -> image.stopNs() / 1e6));
        result.put(
                how + "StopWorstMs",
                round(images.stream().mapToLong(ImageReport::stopNs).max().orElse(0) / 1e6));
        result.put(how + "StopFirstMs", round(images.getFirst().stopNs() / 1e6));
        result.put(how + "StopRuns", median(images, ImageReport::stopRuns));
        result.put(how + "CopyMsPerMillion", median(images, image -> image.copyNs() / (double) image.blocks()));
        result.put(how + "WriteMsPerMillion", median(images, image -> image.writeNs() / (double) image.blocks()));
    }

    private List<ImageReport> take(OffHeapIndex index, boolean busy) {
        List<ImageReport> images = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            CompletableFuture<ImageReport> image = CompletableFuture.supplyAsync(() -> {
                try {
                    return index.checkpoint(PATIENCE_NS);
                } catch (IOException failed) {
                    throw new UncheckedIOException(failed);
                }
            });
            while (!image.isDone()) {
                if (busy) {
                    change(index);
                } else {
                    Thread.onSpinWait();
                }
                index.atRest();
            }
            images.add(image.join());
        }
        return images;
    }

    private void fill(OffHeapIndex index) {
        for (int worker = 0; worker < WORKERS; worker++) {
            index.openSlot("http://worker-" + worker, 0);
        }
        for (int prefix = 0; prefix < blocks / PREFIX; prefix++) {
            store(index, prefix);
        }
    }

    /** One prefix leaves and is stored again. */
    private void change(OffHeapIndex index) {
        int prefix = (int) (events++ * 7919 % (blocks / PREFIX));
        hashes(prefix);
        for (int holder = 0; holder < 2; holder++) {
            index.removed((prefix + holder * 5) % WORKERS, Tier.DEVICE, engine, 0, PREFIX);
        }
        store(index, prefix);
    }

    private void hashes(int prefix) {
        SplittableRandom random = new SplittableRandom(prefix);
        for (int i = 0; i < PREFIX; i++) {
            engine[i] = random.nextLong();
            local[i] = random.nextLong();
        }
    }

    private void store(OffHeapIndex index, int prefix) {
        hashes(prefix);
        for (int holder = 0; holder < 2; holder++) {
            int slot = (prefix + holder * 5) % WORKERS;
            for (int from = 0; from < PREFIX; from += EVENT) {
                long parent = from == 0 ? 0 : engine[from - 1];
                index.stored(slot, Tier.DEVICE, from == 0, parent, engine, local, from, EVENT);
            }
        }
    }

    private static double median(List<ImageReport> images, ToDoubleFunction<ImageReport> figure) {
        double[] sorted = images.stream().mapToDouble(figure).toArray();
        Arrays.sort(sorted);
        return round(sorted[sorted.length / 2]);
    }

    private static double round(double value) {
        return Math.round(value * 100) / 100.0;
    }
}
