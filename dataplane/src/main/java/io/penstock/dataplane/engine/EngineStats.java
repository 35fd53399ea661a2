package io.penstock.dataplane.engine;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What one rank counts, under the meanings of vLLM's metrics.
 *
 * <p><b>Threading:</b> one writer (the engine thread), many readers.
 */
final class EngineStats {
    private static final double[] SECONDS = {
        0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0, 20.0, 40.0, 80.0,
        160.0, 640.0, 2560.0
    };
    private static final double[] REQUEST_SECONDS = {
        0.3, 0.5, 0.8, 1.0, 1.5, 2.0, 2.5, 5.0, 10.0, 15.0, 20.0, 30.0, 40.0, 50.0, 60.0, 120.0, 240.0, 480.0, 960.0,
        1920.0, 7680.0
    };
    private static final double[] TOKENS = {
        1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000
    };

    final LatencyHistogram timeToFirstToken = new LatencyHistogram(SECONDS);
    final LatencyHistogram interTokenLatency = new LatencyHistogram(SECONDS);
    final LatencyHistogram endToEnd = new LatencyHistogram(REQUEST_SECONDS);
    final LatencyHistogram queueTime = new LatencyHistogram(REQUEST_SECONDS);
    final LatencyHistogram promptTokensPerRequest = new LatencyHistogram(TOKENS);
    final LatencyHistogram outputTokensPerRequest = new LatencyHistogram(TOKENS);
    final AtomicLong prefixQueries = new AtomicLong();
    final AtomicLong prefixHits = new AtomicLong();
    final AtomicLong promptTokens = new AtomicLong();
    final AtomicLong outputTokens = new AtomicLong();
    final AtomicLong preemptions = new AtomicLong();
    final AtomicLongArray finished = new AtomicLongArray(FinishReason.values().length);
    private volatile int running;
    private volatile int waiting;
    private volatile int usedBlocks;
    private volatile int usableBlocks = 1;

    void queues(int nowRunning, int nowWaiting, int used, int usable) {
        running = nowRunning;
        waiting = nowWaiting;
        usedBlocks = used;
        usableBlocks = usable;
    }

    /**
     * A sequence got its blocks. Only its first admission counts as a query, as in vLLM's cached tokens of a request.
     */
    void admitted(Sequence s, int hitTokens, long nowNs) {
        if (s.cachedTokens >= 0) {
            return;
        }
        s.cachedTokens = hitTokens;
        s.admittedNs = nowNs;
        prefixQueries.addAndGet(s.promptLength());
        prefixHits.addAndGet(hitTokens);
        promptTokens.addAndGet(s.promptLength());
        queueTime.record(Math.max(0, nowNs - s.arrivalNs) / 1e9);
    }

    void token(Sequence s, long nowNs) {
        outputTokens.incrementAndGet();
        if (s.firstTokenNs == 0) {
            s.firstTokenNs = nowNs;
            timeToFirstToken.record((nowNs - s.arrivalNs) / 1e9);
        } else {
            interTokenLatency.record((nowNs - s.lastTokenNs) / 1e9);
        }
        s.lastTokenNs = nowNs;
    }

    void finished(Sequence s, FinishReason reason) {
        finished.incrementAndGet(reason.ordinal());
        if (reason != FinishReason.ABORT && reason != FinishReason.ERROR) {
            endToEnd.record((s.lastTokenNs - s.arrivalNs) / 1e9);
            promptTokensPerRequest.record(s.promptLength());
            outputTokensPerRequest.record(s.outputs());
        }
    }

    void preempted() {
        preemptions.incrementAndGet();
    }

    int running() {
        return running;
    }

    int waiting() {
        return waiting;
    }

    int usedBlocks() {
        return usedBlocks;
    }

    /** Blocks that sequences hold, as part of all; idle cached blocks do not count. */
    double kvUsage() {
        return (double) usedBlocks / usableBlocks;
    }
}
