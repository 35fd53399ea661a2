package io.penstock.perf.index;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * How cost grows with workers, blocks, depth and holders, one at a time, each point in a fresh JVM.
 *
 * <p><b>Threading:</b> owned by the benchmark's thread.
 */
public final class ScaleCurves {
    private static final long MILLION = 1_000_000;

    private final Programs programs;
    private final Path folder;
    private final PrintWriter out;

    /** Curves to be printed. */
    public ScaleCurves(Path folder, PrintWriter out) {
        programs = new Programs(folder.getParent());
        this.folder = folder;
        this.out = out;
    }

    /** Measures and prints; a point that the machine has no room for is said. */
    public void run() throws InterruptedException {
        title("workers (1 M blocks, 512 deep, 1 holder)");
        for (int workers : List.of(8, 64, 256, 1_024, 4_096)) {
            point(workers, workers, MILLION, 512, 1);
        }
        title("blocks (64 workers, 512 deep, 1 holder)");
        for (long blocks : List.of(10_000L, 100_000L, MILLION, 10 * MILLION, 50 * MILLION)) {
            point(blocks, 64, blocks, 512, 1);
        }
        title("depth (64 workers, 1 M blocks, 1 holder)");
        for (int depth : List.of(64, 512, 1_024, 4_096, 16_384)) {
            point(depth, 64, MILLION, depth, 1);
        }
        title("holders (4,096 workers, 512 deep, at most 8 M pairs)");
        for (int holders : List.of(1, 8, 64, 512, 4_096)) {
            point(holders, 4_096, Math.min(MILLION, 8 * MILLION / holders), 512, holders);
        }
    }

    private void title(String curve) {
        out.printf(
                "%n%-54s %10s %10s %10s %10s %10s%n",
                curve, "stored ns", "removed ns", "p50 ns", "p99 ns", "bytes/pair");
    }

    private void point(long at, int workers, long blocks, int depth, int holders) throws InterruptedException {
        List<String> command = Programs.java(
                List.of(),
                ScaleChild.class,
                folder.toString(),
                Integer.toString(workers),
                Long.toString(blocks),
                Integer.toString(depth),
                Integer.toString(holders));
        try {
            JsonNode line = programs.run(command, folder).getLast();
            out.printf(
                    Locale.ROOT,
                    "%,54d %10.1f %10.1f %,10d %,10d %10.1f%n",
                    at,
                    line.path("storedNs").asDouble(),
                    line.path("removedNs").asDouble(),
                    line.path("p50Ns").asLong(),
                    line.path("p99Ns").asLong(),
                    line.path("bytesPerPair").asDouble());
        } catch (IOException failed) {
            out.printf(Locale.ROOT, "%,54d not measured: %s%n", at, failed.getMessage());
        }
        out.flush();
    }
}
