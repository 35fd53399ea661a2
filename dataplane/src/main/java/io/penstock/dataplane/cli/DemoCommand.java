package io.penstock.dataplane.cli;

import io.penstock.dataplane.demo.Demo;
import io.penstock.dataplane.demo.DemoSettings;
import io.penstock.dataplane.trace.ReplayScale;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code penstock demo}: agents, router and engines on this machine, under one policy after the other. */
@Command(
        name = "demo",
        description = {
            "Replays agent sessions over HTTP through a router in front of simulated engines, under one policy after the"
                    + " other, and puts what the clients saw side by side.",
            "Exits with 1 when a request failed."
        },
        mixinStandardHelpOptions = true,
        showDefaultValues = true)
final class DemoCommand implements Callable<Integer> {
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

    @Option(names = "--seconds", paramLabel = "N", description = "How long everything takes, 30 to 120.")
    private int seconds = 100;

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            arity = "1..*",
            description =
                    "Claude Code session files or one Mooncake trace, plain or gzipped; without, sessions are generated.")
    private List<Path> traces = new ArrayList<>();

    @Option(
            names = "--sessions",
            paramLabel = "N",
            description = "Sessions (rows of a Mooncake trace); 0 = 48 (1,000).")
    private int sessions;

    @Option(names = "--engines", paramLabel = "N", description = "Simulated engines.")
    private int engines = 4;

    @Option(
            names = "--policies",
            paramLabel = "P",
            split = ",",
            description = "Policies: round-robin, kv, least-loaded, random.",
            defaultValue = "round-robin,kv")
    private List<String> policies = new ArrayList<>();

    @Option(
            names = "--scale",
            paramLabel = "K",
            description = "Divides contexts and outputs; a divisor of the trace's block size.")
    private int scale = ReplayScale.defaults().contextDivisor();

    @Option(names = "--speedup", paramLabel = "S", description = "Divides tool and think times.")
    private double speedup = ReplayScale.defaults().gapDivisor();

    @Option(
            names = "--gap-cap",
            paramLabel = "SECONDS",
            description = "Longest tool or think time, before it is divided.")
    private double gapCap = ReplayScale.defaults().gapCapMs() / 1_000;

    @Option(
            names = "--engine-speedup",
            paramLabel = "S",
            description = "How much faster than real the engines compute.")
    private double engineSpeedup = 1;

    @Option(
            names = "--pool",
            paramLabel = "X",
            description = "KV blocks of all engines together, in unique working sets.")
    private double pool = 1;

    @Option(names = "--block-size", paramLabel = "TOKENS", description = "Tokens of a KV block.")
    private int blockSize = 16;

    @Option(
            names = "--full",
            description =
                    "Replays the trace whole and unscaled, however long it takes; --sessions is then how many work at once.")
    private boolean full;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of choice and generation.")
    private long seed = 1;

    @Option(names = "--keep", description = "Leaves engines and router of the last policy running until Ctrl-C.")
    private boolean keep;

    @Option(names = "--json", description = "Makes the last line a JSON object: per policy what was measured.")
    private boolean json;

    @Option(
            names = "--kill-engine-at",
            paramLabel = "SECONDS",
            description = "Kills an engine so long after each policy's start; -1 = never.")
    private double killEngineAt = -1;

    @Option(
            names = "--kill-router-at",
            paramLabel = "SECONDS",
            description = "Kills the router so long after each policy's start; -1 = never.")
    private double killRouterAt = -1;

    @Option(
            names = "--run-folder",
            paramLabel = "DIR",
            description = "Where configuration, logs and results go; default: .penstock/demo-TIME.")
    private Path runFolder;

    @Override
    public Integer call() throws IOException, InterruptedException {
        JvmFlags flags = JvmFlags.load();
        DemoSettings settings = new DemoSettings(
                traces,
                full ? 0 : seconds,
                engines,
                sessions,
                new ReplayScale(full ? 1 : scale, speedup, gapCap * 1_000),
                engineSpeedup,
                pool,
                blockSize,
                policies,
                seed,
                keep,
                json,
                killEngineAt,
                killRouterAt,
                (runFolder == null ? defaultFolder() : runFolder).toAbsolutePath(),
                JavaCommand.engine(flags, full),
                JavaCommand.router(flags));
        return new Demo(
                        settings,
                        System.out,
                        System.console() != null && System.console().isTerminal())
                .run();
    }

    private static Path defaultFolder() {
        Path name = Path.of(".penstock", "demo-" + LocalDateTime.now().format(STAMP));
        Path home = Path.of(System.getProperty("penstock.home", "."));
        return Files.isWritable(home)
                ? home.resolve(name)
                : Path.of(System.getProperty("java.io.tmpdir")).resolve(name);
    }
}
