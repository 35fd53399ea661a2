package io.penstock.perf.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.perf.index.Comparison;
import io.penstock.perf.index.LadderTable;
import io.penstock.perf.index.Peers;
import io.penstock.perf.index.ScaleCurves;
import io.penstock.perf.index.StreamTable;
import io.penstock.perf.index.Summary;
import io.penstock.perf.index.Surroundings;
import io.penstock.perf.index.TargetTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The index and the published ones on one deterministic stream, in turn, each in a fresh process; ratios against kv-index's
 * chain of the same round.
 *
 * <p><b>Threading:</b> main thread.
 */
@Command(
        name = "index",
        description = "Applies and queries a stream of KV events, side by side with published indexes.",
        mixinStandardHelpOptions = true)
final class IndexBenchCommand implements Callable<Integer> {
    private static final int QUICK_ROUNDS = 7;
    private static final long QUICK_NS = TimeUnit.SECONDS.toNanos(240);

    @Option(names = "--peers", paramLabel = "DIR", description = "A built copy of the peers' programs, with ops_*.bin.")
    private Path peers;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Rounds peer, Penstock, peer. Default: 3, with --quick as many as fit in four minutes.")
    private int rounds;

    @Option(
            names = "--quick",
            description = "Fewer passes, only the streams of the targets, no ladder; under five minutes.")
    private boolean quick;

    @Option(names = "--json", description = "Prints one object as the last line.")
    private boolean json;

    @Option(names = "--scale", description = "Instead: how cost grows with workers, blocks, depth and holders.")
    private boolean scale;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        Peers built = scale ? null : peers();
        Surroundings.print(scale ? "not run" : built.version(), out);
        Path folder = Files.createTempDirectory("penstock-bench");
        PrintWriter progress = spec.commandLine().getErr();
        try {
            if (scale) {
                new ScaleCurves(Files.createDirectory(folder.resolve("scale")), out).run();
                return 0;
            }
            Comparison comparison = new Comparison(built, folder, quick, what -> {
                progress.println(what);
                progress.flush();
            });
            long begin = System.nanoTime();
            comparison.once();
            int planned = rounds > 0 ? rounds : quick ? QUICK_ROUNDS : 3;
            for (int round = 0; round < planned; round++) {
                long before = System.nanoTime();
                comparison.round(round);
                long now = System.nanoTime();
                if (quick && rounds == 0 && now - begin + (now - before) > QUICK_NS) {
                    break;
                }
            }
            return report(comparison, out);
        } finally {
            BenchFolders.delete(folder);
        }
    }

    private Peers peers() {
        if (peers == null) {
            throw new ParameterException(
                    spec.commandLine(), "the peers' programs are missing: name a built copy with --peers=DIR");
        }
        try {
            return new Peers(peers);
        } catch (IllegalArgumentException missing) {
            throw new ParameterException(spec.commandLine(), missing.getMessage());
        }
    }

    private int report(Comparison comparison, PrintWriter out) throws IOException {
        Map<String, Object> summary = Summary.of(comparison.figures());
        StreamTable.print(comparison.figures(), out);
        LadderTable.print(comparison.figures(), out);
        TargetTable.print(summary, out);
        comparison.notes().forEach(out::println);
        if (json) {
            out.println(new ObjectMapper().writeValueAsString(summary));
        }
        out.flush();
        return summary.get("wrongAnswers").equals(0L)
                        && summary.get("peerWrongAnswers").equals(0L)
                ? 0
                : 1;
    }
}
