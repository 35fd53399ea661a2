package io.penstock.perf.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * Runs the rows of {@code bench journal}. Each row writes a folder of its own, which is deleted after it.
 *
 * <p><b>Threading:</b> main thread.
 */
public final class JournalBench {
    private static final int WARM = 50_000;
    private static final long PACE_NS = TimeUnit.MICROSECONDS.toNanos(10);
    private static final long REST_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final int SLOW_REQUESTS = 6_000;
    private static final long GAP_NS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final long SLOW_APPEND_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private JournalBench() {}

    /**
     * The figures by name: {@code append*} and {@code bytesPerRecord} at 8 blocks, 100,000 appends a second; after the thread
     * has slept for 50 µs; at full speed; with other numbers of blocks; then bytes of a session, then the slow disk.
     *
     * @param parent where the folders are made, or null for the temporary folder
     * @param records appends of each row
     */
    public static Map<String, Object> run(Path parent, int records) throws IOException {
        Map<String, Object> result = new LinkedHashMap<>();
        for (int blocks : new int[] {8, 1_024, 8_192}) {
            in(parent, folder -> append(result, blocks == 8 ? "" : blocks + "Blocks", folder, blocks, records));
        }
        in(parent, folder -> {
            SessionBytes.Bytes bytes = SessionBytes.measure(folder);
            result.put("bytesPerTurn150k", Math.round(bytes.perTurn()));
            result.put("bytesOfATurnAt150k", bytes.lastTurn());
            result.put("bytesOfAFullListAt150k", bytes.fullList());
        });
        in(parent, folder -> slow(result, "disk", folder, 0));
        in(parent, folder -> slow(result, "slowDisk", folder, SLOW_APPEND_NS));
        return result;
    }

    private static void append(Map<String, Object> result, String row, Path folder, int blocks, int records) {
        try (AppendRun run = new AppendRun(folder, blocks)) {
            run.run(WARM, 0, 0);
            run.run(WARM, PACE_NS, 0);
            AppendRun.Figures paced = run.run(records, PACE_NS, 0);
            AppendRun.Figures rested = run.run(records / 4, 0, REST_NS);
            AppendRun.Figures full = run.run(records, 0, 0);
            result.put("bytesPerRecord" + row, Math.round(paced.bytesPerRecord()));
            result.put("allocatedPerRecord" + row, Math.round(paced.allocatedPerRecord() * 100) / 100.0);
            times(result, "append", row, paced.ns());
            times(result, "appendAfterRest", row, rested.ns());
            times(result, "appendFullSpeed", row, full.ns());
            result.put("appendDropped" + row, paced.dropped() + rested.dropped() + full.dropped());
        }
    }

    private static void slow(Map<String, Object> result, String row, Path folder, long appendNs) {
        SlowDiskRun.Figures figures = SlowDiskRun.run(folder, SLOW_REQUESTS, GAP_NS, appendNs);
        result.put(row + "AnswerP50Ns", figures.ns().getValueAtPercentile(50));
        result.put(row + "AnswerP99Ns", figures.ns().getValueAtPercentile(99));
        result.put(row + "RecordsSent", figures.sent());
        result.put(row + "RecordsDropped", figures.dropped());
    }

    private static void times(Map<String, Object> result, String name, String row, Histogram ns) {
        result.put(name + "P50Ns" + row, ns.getValueAtPercentile(50));
        result.put(name + "P99Ns" + row, ns.getValueAtPercentile(99));
        result.put(name + "P999Ns" + row, ns.getValueAtPercentile(99.9));
        result.put(name + "MaxNs" + row, ns.getMaxValue());
    }

    private interface Row {
        void run(Path folder) throws IOException;
    }

    private static void in(Path parent, Row row) throws IOException {
        Path folder = parent == null
                ? Files.createTempDirectory("penstock-journal")
                : Files.createTempDirectory(Files.createDirectories(parent), "journal");
        try {
            row.run(folder);
        } finally {
            try (Stream<Path> all = Files.walk(folder)) {
                List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
                for (Path path : deepestFirst) {
                    Files.deleteIfExists(path);
                }
            }
        }
    }
}
