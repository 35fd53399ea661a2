package io.penstock.perf.index;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.index.Exercise;
import io.penstock.index.IndexConfig;
import io.penstock.index.OffHeapIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * One measurement of the off-heap index in a process of its own: {@code StreamChild MODE VARIANT OPS FOLDER PASSES}, a
 * JSON line per pass. The index is the product's, in a Chronicle Map file made in the folder. MODE: apply, query, depth,
 * busy.
 *
 * <p><b>Threading:</b> main thread; busy has a writer thread.
 */
public final class StreamChild {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final long EXERCISE_NS = 500_000_000;

    private final String mode;
    private final OpsStream ops;
    private final BenchFolder folder;
    private final int passes;

    private StreamChild(String mode, OpsStream ops, BenchFolder folder, int passes) {
        this.mode = mode;
        this.ops = ops;
        this.folder = folder;
        this.passes = passes;
    }

    /** Runs the passes. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Variant variant = Variant.valueOf(args[1].toUpperCase(Locale.ROOT));
        OpsStream ops = OpsStream.read(Path.of(args[2]));
        new StreamChild(args[0], ops, new BenchFolder(Path.of(args[3])), Integer.parseInt(args[4])).run(variant);
    }

    private void run(Variant variant) throws IOException, InterruptedException {
        // As the router does before it is ready.
        Exercise.run(folder.path(), EXERCISE_NS);
        ApplyRun apply = new ApplyRun(ops, variant);
        QueryRun query = new QueryRun(ops, variant);
        BusyRun busy = mode.equals("busy") ? new BusyRun(ops) : null;
        for (int pass = 0; pass < passes; pass++) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("mode", mode);
            line.put("pass", pass);
            try (OffHeapIndex index = fresh()) {
                switch (mode) {
                    case "apply" -> apply.pass(index, line);
                    case "query" -> query.pass(index, line);
                    case "busy" -> busy.pass(index, line);
                    case "depth" -> new DepthRun(ops).run(index, StreamChild::print);
                    default -> throw new IllegalArgumentException("unknown mode: mode=" + mode);
                }
            }
            if (!mode.equals("depth")) {
                print(line);
            }
        }
    }

    private static void print(Map<String, Object> line) {
        try {
            System.out.println(JSON.writeValueAsString(line));
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private OffHeapIndex fresh() throws IOException {
        // The streams hold up to 4.2 M (block, worker) pairs; distinct blocks are fewer.
        long capacity = Math.max(IndexConfig.defaults().capacityBlocks(), ops.livePairs);
        return folder.fresh(ops.blockSize, capacity, ops.workers);
    }
}
