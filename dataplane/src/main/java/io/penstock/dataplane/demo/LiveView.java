package io.penstock.dataplane.demo;

import io.penstock.dataplane.demo.ReplayStats.Snapshot;
import java.io.PrintStream;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Shows a replay while it runs: redrawn in place on a terminal, a line every few seconds elsewhere.
 *
 * <p><b>Threading:</b> a thread of its own between {@link #start} and {@link #close}.
 */
final class LiveView implements AutoCloseable {
    private static final int BAR = 24;
    private static final long REDRAW_MS = 500;
    private static final int LINES_EVERY = 10;

    private final PrintStream out;
    private final boolean terminal;
    private final String policy;
    private final int sessions;
    private final long windowMs;
    private final LocalFleet fleet;
    private final ReplayStats stats;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final long startNs = System.nanoTime();
    private final Thread thread = Thread.ofPlatform().name("live-view").daemon().unstarted(this::loop);
    private int drawn;

    private LiveView(
            PrintStream out,
            boolean terminal,
            String policy,
            int sessions,
            long windowMs,
            LocalFleet fleet,
            ReplayStats stats) {
        this.out = out;
        this.terminal = terminal;
        this.policy = policy;
        this.sessions = sessions;
        this.windowMs = windowMs;
        this.fleet = fleet;
        this.stats = stats;
    }

    /** Begins to show. */
    static LiveView start(
            PrintStream out,
            boolean terminal,
            String policy,
            int sessions,
            long windowMs,
            LocalFleet fleet,
            ReplayStats stats) {
        LiveView view = new LiveView(out, terminal, policy, sessions, windowMs, fleet, stats);
        view.thread.start();
        return view;
    }

    private void loop() {
        try {
            for (int i = 1; !ended.await(REDRAW_MS, TimeUnit.MILLISECONDS); i++) {
                if (terminal || i % LINES_EVERY == 0) {
                    show();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void show() throws InterruptedException {
        List<EngineGauges> gauges = new ArrayList<>();
        for (int i = 0; i < fleet.engines(); i++) {
            gauges.add(EngineGauges.read(client, fleet.engine(i)));
        }
        Snapshot now = stats.snapshot();
        long second = (System.nanoTime() - startNs) / 1_000_000_000;
        print(frame(policy, second, windowMs / 1_000, sessions, now, gauges), line(policy, second, now, gauges));
    }

    /** Says something above the picture. */
    synchronized void note(String line) {
        out.println("  " + line);
        out.flush();
        drawn = 0;
    }

    private synchronized void print(List<String> frame, String line) {
        if (terminal) {
            redraw(frame);
        } else {
            out.println(line);
        }
        out.flush();
    }

    private void redraw(List<String> frame) {
        StringBuilder text = new StringBuilder();
        if (drawn > 0) {
            text.append("\033[").append(drawn).append('A');
        }
        for (String line : frame) {
            text.append("\033[2K").append(line).append('\n');
        }
        drawn = frame.size();
        out.print(text);
    }

    /** The picture of a moment. */
    static List<String> frame(
            String policy, long second, long seconds, int sessions, Snapshot now, List<EngineGauges> gauges) {
        List<String> lines = new ArrayList<>();
        lines.add(format("  %-12s %4d s%s", policy, second, seconds < 86_400 ? " of " + seconds + " s" : ""));
        lines.add(format(
                "  sessions     %4d of %d   requests %,d   failed %d   retries %d   broken off %d",
                now.activeSessions(), sessions, now.requests(), now.failed(), now.retries(), now.interrupted()));
        lines.add(format("  hit rate     %s %5.1f %%", bar(now.hitRate()), 100 * now.hitRate()));
        lines.add(format("  TTFT         p50 %,.0f ms   p99 %,.0f ms", now.ttftP50Ms(), now.ttftP99Ms()));
        lines.add(format("  output       %,.0f tokens/s", now.tokensPerSecond()));
        for (int i = 0; i < gauges.size(); i++) {
            EngineGauges engine = gauges.get(i);
            lines.add(
                    Double.isNaN(engine.kvUse())
                            ? format("  %-12s silent", LocalFleet.engineName(i))
                            : format(
                                    "  %-12s %s %5.1f %% KV   running %d   waiting %d",
                                    LocalFleet.engineName(i),
                                    bar(engine.kvUse()),
                                    100 * engine.kvUse(),
                                    engine.running(),
                                    engine.waiting()));
        }
        return lines;
    }

    /** The same in one line. */
    static String line(String policy, long second, Snapshot now, List<EngineGauges> gauges) {
        StringBuilder kv = new StringBuilder();
        for (EngineGauges engine : gauges) {
            kv.append(Double.isNaN(engine.kvUse()) ? " -" : format(" %.0f", 100 * engine.kvUse()));
        }
        return format(
                "  %-12s %3d s  sessions %d  requests %,d  failed %d  hit %.1f %%  TTFT p50 %,.0f ms p99 %,.0f ms  KV %%%s",
                policy,
                second,
                now.activeSessions(),
                now.requests(),
                now.failed(),
                100 * now.hitRate(),
                now.ttftP50Ms(),
                now.ttftP99Ms(),
                kv);
    }

    private static String bar(double share) {
        int full = (int) Math.round(Math.clamp(share, 0.0, 1.0) * BAR);
        return "█".repeat(full) + "·".repeat(BAR - full);
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    @Override
    public void close() {
        ended.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        client.shutdownNow();
    }
}
