package io.penstock.dataplane.demo;

import io.penstock.dataplane.demo.ReplayStats.Snapshot;
import io.penstock.dataplane.trace.GeneratorProfile;
import io.penstock.dataplane.trace.ReplayPlan;
import io.penstock.dataplane.trace.SessionGenerator;
import io.penstock.dataplane.trace.TraceFiles;
import io.penstock.dataplane.trace.TraceSet;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Runs the demo: plans a replay, and for each policy starts a cold fleet, replays, and compares.
 *
 * <p><b>Threading:</b> one thread; a shutdown hook ends the processes when the JVM is told to stop.
 */
public final class Demo {
    private static final int AGENTS = 48;
    private static final int ROWS = 1_000;
    private static final int SPARE_BLOCKS = 64;

    private final DemoSettings settings;
    private final PrintStream out;
    private final boolean terminal;
    private final Map<String, Snapshot> results = new LinkedHashMap<>();
    private final Map<String, RouterRestart> restarts = new LinkedHashMap<>();
    private volatile LocalFleet fleet;
    private long windowMs;

    /**
     * A demo.
     *
     * @param terminal whether {@code out} can be redrawn
     */
    public Demo(DemoSettings settings, PrintStream out, boolean terminal) {
        this.settings = settings;
        this.out = out;
        this.terminal = terminal;
    }

    /** Runs to the end; the exit status is 0 when every request was answered. */
    public int run() throws IOException, InterruptedException {
        Thread hook = new Thread(this::endProcesses, "demo-end");
        ReplayPlan plan = plan();
        Files.createDirectories(settings.runFolder());
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            long blocksPerEngine = announce(plan);
            for (int i = 0; i < settings.policies().size(); i++) {
                boolean last = i == settings.policies().size() - 1;
                replay(plan, settings.policies().get(i), blocksPerEngine, last);
            }
            report();
            return status();
        } finally {
            endProcesses();
            if (!settings.keep()) {
                removeData();
            }
        }
    }

    private ReplayPlan plan() {
        TraceSet trace;
        int sessions = settings.sessions();
        if (settings.traces().isEmpty()) {
            sessions = sessions == 0 ? AGENTS : sessions;
            trace = new SessionGenerator(GeneratorProfile.defaults(), settings.seed()).sessions(sessions);
        } else {
            trace = TraceFiles.read(settings.traces());
            int usual = settings.whole() ? trace.sessions().size() : trace.openLoop() ? ROWS : AGENTS;
            sessions = sessions == 0 ? usual : sessions;
        }
        double window = settings.whole() ? Double.POSITIVE_INFINITY : settings.windowMs();
        return ReplayPlan.of(trace, settings.scale(), sessions, window, settings.blockSize(), settings.seed());
    }

    private long announce(ReplayPlan plan) {
        long share = Math.round(plan.workingSet().blocks() * settings.pool() / settings.engines());
        long least = plan.workingSet().largestBlocks();
        long blocks = Math.max(share, least) + SPARE_BLOCKS;
        say("");
        plan.description().forEach(line -> say("  " + line));
        say(format(
                "  pool       %.2f x the unique tokens: %d engines of %,d blocks of %d tokens, %.3g times as fast as real",
                settings.pool(), settings.engines(), blocks, settings.blockSize(), settings.engineSpeedup()));
        if (share < least) {
            say("             enlarged: the longest request needs " + least + " blocks");
        }
        say("  seed       " + settings.seed() + ", the same sessions under each policy");
        say("  files      " + settings.runFolder());
        say("");
        return blocks;
    }

    private void replay(ReplayPlan plan, String policy, long blocksPerEngine, boolean last)
            throws IOException, InterruptedException {
        Path folder = Files.createDirectories(settings.runFolder().resolve(policy));
        long startNs = System.nanoTime();
        fleet = LocalFleet.start(settings, policy, blocksPerEngine, folder);
        WarmUp.run(fleet.router(), settings.blockSize());
        double startSeconds = (System.nanoTime() - startNs) / 1e9;
        if (results.isEmpty()) {
            // Set by the first policy's start: all get the same time.
            windowMs = settings.windowMs(startSeconds);
        }
        say(format("  %-12s engines and router ready after %.1f s", policy, startSeconds));
        say("               live: penstock tail --follow "
                + folder.resolve("data").resolve("journal"));
        ToolReports tools = new ToolReports(fleet.toolEvents());
        Replay replay = new Replay(plan, fleet.router(), LocalFleet.MODEL, RetryPolicy.defaults(), tools);
        try (tools;
                LiveView view =
                        LiveView.start(out, terminal, policy, plan.sessions().size(), windowMs, fleet, replay.stats());
                Chaos chaos = new Chaos(fleet, view::note)) {
            chaos.plan(settings);
            replay.run(windowMs);
            if (chaos.restart() != null) {
                restarts.put(policy, chaos.restart());
            }
        }
        results.put(policy, replay.stats().snapshot());
        if (last && settings.keep()) {
            return;
        }
        endProcesses();
    }

    private void report() throws IOException, InterruptedException {
        say("");
        DemoReport.table(results).forEach(this::say);
        say("");
        results.forEach((policy, result) -> {
            if (result.firstFailure() != null) {
                say("  first failure under " + policy + ": " + result.firstFailure());
            }
        });
        String json = DemoReport.json(results, restarts);
        Files.writeString(settings.runFolder().resolve("results.json"), json + "\n");
        say("  files: " + settings.runFolder() + " (results.json, and per policy router.yaml, logs and data/journal)");
        if (settings.keep()) {
            say("  router " + fleet.router() + ", admin " + fleet.admin() + ", model " + LocalFleet.MODEL
                    + ": running until Ctrl-C");
        }
        if (settings.json()) {
            say(json);
        }
        if (settings.keep()) {
            Thread.currentThread().join();
        }
    }

    private int status() {
        boolean good = results.values().stream()
                .allMatch(r -> r.answered() > 0 && r.failed() == 0 && (r.interrupted() == 0 || settings.chaos()));
        return good ? 0 : 1;
    }

    private void endProcesses() {
        LocalFleet running = fleet;
        if (running != null) {
            running.close();
        }
    }

    /** The index files are large and of no use once the engines are gone; logs, journals and results stay. */
    private void removeData() throws IOException {
        for (String policy : settings.policies()) {
            Path index = settings.runFolder().resolve(policy).resolve("data").resolve("index");
            if (!Files.exists(index)) {
                continue;
            }
            List<Path> all;
            try (Stream<Path> files = Files.walk(index)) {
                all = files.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path path : all) {
                Files.delete(path);
            }
        }
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
