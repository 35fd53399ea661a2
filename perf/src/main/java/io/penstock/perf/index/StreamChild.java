package io.penstock.perf.index;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.index.IndexConfig;
import io.penstock.index.OffHeapIndex;
import io.penstock.index.PrefixIndex;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * One measurement of the off-heap index in a process of its own: {@code StreamChild MODE OPS FOLDER PASSES}, a JSON line
 * per pass. The index is the product's, in a Chronicle Map file made in the folder.
 *
 * <p><b>Threading:</b> main thread.
 */
public final class StreamChild {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final OpsStream ops;
    private final Path folder;

    private StreamChild(OpsStream ops, Path folder) {
        this.ops = ops;
        this.folder = folder;
    }

    /** Runs the passes. */
    public static void main(String[] args) throws IOException {
        OpsStream ops = OpsStream.read(Path.of(args[1]));
        StreamChild child = new StreamChild(ops, Path.of(args[2]));
        StreamRun run = new StreamRun(ops, child::fresh);
        for (int pass = 0; pass < Integer.parseInt(args[3]); pass++) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("mode", args[0]);
            line.put("pass", pass);
            switch (args[0]) {
                case "apply" -> put(line, run.apply());
                case "query" -> put(line, run.query());
                case "depth" -> {
                    for (int holders : new int[] {1, ops.workers}) {
                        line.put(
                                "fullHit8192P50Ns_" + holders,
                                run.fullHit(holders, 8_192).getValueAtPercentile(50));
                    }
                }
                default -> throw new IllegalArgumentException("unknown mode: mode=" + args[0]);
            }
            System.out.println(JSON.writeValueAsString(line));
        }
    }

    private static void put(Map<String, Object> line, StreamRun.Apply apply) {
        line.put("blocksPerSecond", Math.round(apply.blocksPerSecond()));
        line.put("storedNsPerBlock", apply.storedNsPerBlock());
        line.put("removedNsPerBlock", apply.removedNsPerBlock());
        line.put("bytesPerPair", apply.bytesPerPair());
        line.put("worstEventNs", apply.worstEventNs());
        line.put("allocatedBytesPerEvent", apply.allocatedBytesPerEvent());
    }

    private static void put(Map<String, Object> line, StreamRun.Query query) {
        Histogram latency = query.latencyNs();
        line.put("p50Ns", latency.getValueAtPercentile(50));
        line.put("p99Ns", latency.getValueAtPercentile(99));
        line.put("p999Ns", latency.getValueAtPercentile(99.9));
        line.put("wrong", query.wrong());
        line.put("checked", query.checked());
    }

    /** An empty index file; the one of the pass before is gone. */
    private PrefixIndex fresh() {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Files.delete(file);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        IndexConfig defaults = IndexConfig.defaults();
        // The streams hold up to 4.2 M (block, worker) pairs; distinct blocks are fewer.
        long capacity = Math.max(defaults.capacityBlocks(), ops.livePairs);
        return OffHeapIndex.open(new IndexConfig(
                folder.resolve("bench.pst"), ops.blockSize, capacity, defaults.pageBytes(), Math.max(64, ops.workers)));
    }
}
