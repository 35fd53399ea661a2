package io.penstock.dataplane.tail;

import io.penstock.dataplane.journal.TraceRecord;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Requests, tokens and hit rate of the last {@value #WINDOW} seconds, by the time that records arrived.
 *
 * <p>Hit rate: cached tokens over prompt tokens, of the requests for which both are known.
 *
 * <p><b>Threading:</b> one thread.
 */
final class Rates {
    static final int WINDOW = 10;

    private final Second[] seconds = new Second[WINDOW];
    private long firstMs = -1;

    void add(TraceRecord record, long nowMs) {
        if (record.kind != TraceRecord.Kind.REQUEST_END) {
            return;
        }
        start(nowMs);
        Second second = second(nowMs / 1_000);
        second.requests++;
        second.output += Math.max(0, record.outputTokens);
        second.input += Math.max(0, record.inputTokens);
        int cached = HitRate.cachedTokens(record);
        if (cached >= 0 && record.inputTokens > 0) {
            second.known += record.inputTokens;
            second.cached += Math.min(cached, record.inputTokens);
        }
        if (record.agent.session() != null) {
            second.sessions.add(record.agent.session());
        }
    }

    /** Begins to count, so that the first seconds are not divided by a whole window. */
    void start(long nowMs) {
        if (firstMs < 0) {
            firstMs = nowMs;
        }
    }

    private Second second(long number) {
        int at = (int) (number % WINDOW);
        if (seconds[at] == null || seconds[at].number != number) {
            seconds[at] = new Second(number);
        }
        return seconds[at];
    }

    /** One line of less than 80 characters. */
    String line(long nowMs) {
        start(nowMs);
        Second sum = new Second(0);
        for (Second second : seconds) {
            if (second != null && second.number > nowMs / 1_000 - WINDOW) {
                sum.add(second);
            }
        }
        // The window begins with a whole second.
        double span = Math.clamp((nowMs - firstMs) / 1e3, 1.0, WINDOW - 1 + nowMs % 1_000 / 1e3);
        return String.format(
                Locale.ROOT,
                "%.1f requests/s  %s in  %s out tokens/s  hit rate %s  %,d sessions",
                sum.requests / span,
                rate(sum.input / span),
                rate(sum.output / span),
                sum.known == 0 ? "-" : String.format(Locale.ROOT, "%.1f%%", 100.0 * sum.cached / sum.known),
                sum.sessions.size());
    }

    private static String rate(double value) {
        return value < 100_000
                ? String.format(Locale.ROOT, "%,.0f", value)
                : String.format(Locale.ROOT, "%,.0fk", value / 1e3);
    }

    private static final class Second {
        private final long number;
        private final Set<String> sessions = new HashSet<>();
        private long requests;
        private long input;
        private long output;
        private long known;
        private long cached;

        Second(long number) {
            this.number = number;
        }

        void add(Second other) {
            requests += other.requests;
            input += other.input;
            output += other.output;
            known += other.known;
            cached += other.cached;
            sessions.addAll(other.sessions);
        }
    }
}
