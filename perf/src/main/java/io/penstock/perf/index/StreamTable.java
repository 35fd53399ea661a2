package io.penstock.perf.index;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/**
 * Both sides' figures of each stream, with their ratio.
 *
 * <p><b>Threading:</b> stateless.
 */
public final class StreamTable {
    private record Row(String title, String ours, String theirs) {}

    private static final List<Row> ROWS = List.of(
            new Row("applied, blocks/s", "given.%s.apply.blocksPerSecond", "chain.%s.apply.blocks_s"),
            new Row("  chain inside", "chain.%s.apply.blocksPerSecond", "chain.%s.apply.blocks_s"),
            new Row("  doubled", "doubled.%s.apply.blocksPerSecond", "chain.%s.apply.blocks_s"),
            new Row("  domains", "domains.%s.apply.blocksPerSecond", "chain.%s.apply.blocks_s"),
            new Row("stored, ns a block", "given.%s.apply.storedNsPerBlock", "chain.%s.apply.stored_ns_block"),
            new Row("removed, ns a block", "given.%s.apply.removedNsPerBlock", "chain.%s.apply.removed_ns_block"),
            new Row("bytes a pair", "given.%s.apply.bytesPerPair", "chain.%s.apply.bytes_pair"),
            new Row("look-up p50, ns", "given.%s.query.p50Ns", "chain.%s.query.p50_ns"),
            new Row("look-up p99, ns", "given.%s.query.p99Ns", "chain.%s.query.p99_ns"),
            new Row("  by score_into, p50", "given.%s.query.p50Ns", "chainscore.%s.query.p50_ns"),
            new Row("  by score_into, p99", "given.%s.query.p99Ns", "chainscore.%s.query.p99_ns"),
            new Row("  first pass, p99", "given.%s.query.first.p99Ns", "chain.%s.query.p99_ns"),
            new Row("  chain inside, p50", "chain.%s.query.p50Ns", "chain.%s.query.p50_ns"),
            new Row("  chain inside, p99", "chain.%s.query.p99Ns", "chain.%s.query.p99_ns"),
            new Row("beside a writer, p50, ns", "given.%s.busy.p50Ns", "chain.%s.conc.p50_ns"),
            new Row("beside a writer, p99, ns", "given.%s.busy.p99Ns", "chain.%s.conc.p99_ns"),
            new Row(
                    "  its writer, blocks/s",
                    "given.%s.busy.writerBlocksPerSecond",
                    "chain.%s.conc.writer_blocks_s_wall"),
            hit(1, 512),
            hit(1, 8_192),
            hit(64, 512),
            hit(64, 8_192));

    private StreamTable() {}

    private static Row hit(int holders, int depth) {
        String at = "%s.depth." + depth + "." + holders + ".full_hit.p50";
        return new Row(
                "full hit of " + depth + ", " + holders + " held by, ns", "given." + at + "Ns", "chain." + at + "_ns");
    }

    /** Prints a table for each stream of which there is something. */
    public static void print(Figures figures, PrintWriter out) {
        for (String stream : List.of("ops_w64", "ops_w64_dec", "ops_w8", "ops_w256")) {
            if (Double.isNaN(figures.median("given." + stream + ".apply.blocksPerSecond"))) {
                continue;
            }
            out.printf("%n%-32s %14s %14s %8s%n", stream, "kv-index", "Penstock", "ratio");
            for (Row row : ROWS) {
                double ours = figures.median(String.format(row.ours, stream));
                double theirs = figures.median(String.format(row.theirs, stream));
                double ratio = figures.ratio(String.format(row.ours, stream), String.format(row.theirs, stream));
                if (!Double.isNaN(ours)) {
                    out.printf(Locale.ROOT, "%-32s %,14.1f %,14.1f %8.3f%n", row.title, theirs, ours, ratio);
                }
            }
        }
    }
}
