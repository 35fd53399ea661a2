package io.penstock.dataplane.demo;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;

/**
 * What the clients of one policy have seen so far.
 *
 * <p><b>Threading:</b> thread-safe: sessions write, the view reads; a figure may be newer than the one beside it.
 */
final class ReplayStats {
    private static final long HIGHEST_NS = 3_600_000_000_000L;

    private final ConcurrentHistogram ttftNs = new ConcurrentHistogram(1_000, HIGHEST_NS, 3);
    private final LongAdder answered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder interrupted = new LongAdder();
    private final LongAdder cut = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private final LongAdder withoutUsage = new LongAdder();
    private final LongAdder promptTokens = new LongAdder();
    private final LongAdder cachedTokens = new LongAdder();
    private final LongAdder outputTokens = new LongAdder();
    private final AtomicInteger active = new AtomicInteger();
    private final AtomicReference<String> firstFailure = new AtomicReference<>();
    private final long startNs = System.nanoTime();
    private volatile long lastAnswerNs = startNs;

    void sessionStarted() {
        active.incrementAndGet();
    }

    void sessionEnded() {
        active.decrementAndGet();
    }

    void record(Exchange exchange) {
        retries.add(exchange.retries());
        switch (exchange.end()) {
            case ANSWERED -> answered(exchange);
            case INTERRUPTED -> interrupted.increment();
            case CUT -> {
                cut.increment();
                ttft(exchange);
            }
            case FAILED -> {
                failed.increment();
                firstFailure.compareAndSet(null, exchange.cause());
            }
        }
    }

    private void answered(Exchange exchange) {
        answered.increment();
        ttft(exchange);
        lastAnswerNs = System.nanoTime();
        if (exchange.promptTokens() < 0) {
            withoutUsage.increment();
            return;
        }
        promptTokens.add(exchange.promptTokens());
        cachedTokens.add(exchange.cachedTokens());
        outputTokens.add(exchange.outputTokens());
    }

    /** A wait that the end of the replay cut short counts as it stands: leaving it out would flatter a slow policy. */
    private void ttft(Exchange exchange) {
        ttftNs.recordValue(Math.clamp(exchange.ttftNs(), 1, HIGHEST_NS));
    }

    /** The figures now. */
    Snapshot snapshot() {
        double seconds = Math.max(1e-3, (lastAnswerNs - startNs) / 1e9);
        long prompt = promptTokens.sum();
        return new Snapshot(
                answered.sum() + failed.sum() + cut.sum(),
                answered.sum(),
                failed.sum(),
                interrupted.sum(),
                cut.sum(),
                retries.sum(),
                withoutUsage.sum(),
                prompt == 0 ? 0 : (double) cachedTokens.sum() / prompt,
                ttftNs.getValueAtPercentile(50) / 1e6,
                ttftNs.getValueAtPercentile(99) / 1e6,
                outputTokens.sum() / seconds,
                prompt / seconds,
                active.get(),
                seconds,
                firstFailure.get());
    }

    /**
     * Figures of one moment.
     *
     * @param requests answered, failed and cut off
     * @param answered to the end
     * @param failed never answered within the retries, or refused
     * @param interrupted streams that broke after their first byte and were asked again
     * @param cut open when the time was up
     * @param retries tries after the first, of requests without a first byte
     * @param withoutUsage answers that carried no usage: their hits are unknown
     * @param hitRate cached / prompt tokens as the engines report
     * @param ttftP50Ms median time to first token
     * @param ttftP99Ms 99th percentile of it
     * @param tokensPerSecond generated tokens a second
     * @param promptTokensPerSecond prompt tokens answered a second
     * @param activeSessions at work or between two turns
     * @param seconds from the start to the last answer
     * @param firstFailure cause of the first failure, or null
     */
    record Snapshot(
            long requests,
            long answered,
            long failed,
            long interrupted,
            long cut,
            long retries,
            long withoutUsage,
            double hitRate,
            double ttftP50Ms,
            double ttftP99Ms,
            double tokensPerSecond,
            double promptTokensPerSecond,
            int activeSessions,
            double seconds,
            String firstFailure) {}
}
