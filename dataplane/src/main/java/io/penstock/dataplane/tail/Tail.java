package io.penstock.dataplane.tail;

import io.penstock.dataplane.journal.TraceReader;
import io.penstock.dataplane.journal.TraceRecord;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Prints a journal's records as they are written. A journal has no signal for readers in other processes, so it is asked
 * {@value #POLLS_A_SECOND} times a second; a line is late by half of that interval on average.
 *
 * <p><b>Threading:</b> {@link #run} on one thread; {@link #stop} from any.
 */
public final class Tail {
    private static final int POLLS_A_SECOND = 1_000;
    private static final long POLL_NS = 1_000_000_000 / POLLS_A_SECOND;
    private static final long LOOK_AGAIN_NS = TimeUnit.SECONDS.toNanos(1);

    /** Lines between two flushes while catching up. */
    private static final int BATCH = 256;

    private final TailSource source;
    private final TailFilter filter;
    private final TailOptions options;
    private final LineFormat format;
    private final TailScreen screen;
    private final InstantSource clock;
    private final Lineage lineage = new Lineage();
    private final Rates rates = new Rates();
    private final Histogram latencyUs = new Histogram(3);
    private long fresh;
    private boolean reading = true;
    private volatile boolean stopped;

    Tail(
            TailSource source,
            TailFilter filter,
            TailOptions options,
            LineFormat format,
            TailScreen screen,
            InstantSource clock) {
        this.source = source;
        this.filter = filter;
        this.options = options;
        this.format = format;
        this.screen = screen;
        this.clock = clock;
    }

    /** Ends {@link #run} soon. */
    public void stop() {
        stopped = true;
    }

    /**
     * Prints until all is printed, or with {@code follow} until stopped or nobody reads the lines any more.
     *
     * @throws IllegalStateException if the journal is damaged, with the position
     */
    public void run() {
        TraceReader reader = source.open();
        try {
            if (reader == null && options.follow()) {
                screen.note("no journal yet, waiting for one");
                screen.flush();
            }
            if (reader != null) {
                past(reader);
            }
            if (options.follow()) {
                reader = follow(reader);
            }
        } finally {
            if (reader != null) {
                reader.close();
            }
            screen.finish();
        }
    }

    /** What was written before. The lineage of sessions is in it, so it is read also when little of it is shown. */
    private void past(TraceReader reader) {
        if (options.sinceMs() < 0 && options.lines() == 0 && filter.sessions().isEmpty()) {
            reader.toEnd();
            return;
        }
        Deque<String> last = new ArrayDeque<>();
        for (TraceRecord record = reader.next(); record != null && isOn(); record = reader.next()) {
            lineage.learn(record.agent);
            if (!filter.accepts(record, lineage)) {
                continue;
            }
            if (options.sinceMs() >= 0) {
                if (record.epochMs >= options.sinceMs()) {
                    print(record);
                }
            } else if (options.lines() > 0) {
                if (last.size() == options.lines()) {
                    last.removeFirst();
                }
                last.addLast(line(record));
            }
        }
        last.forEach(screen::line);
        reading = screen.flush();
    }

    private TraceReader follow(TraceReader first) {
        TraceReader reader = first;
        long nextLookNs = System.nanoTime() + LOOK_AGAIN_NS;
        long nextRatesMs = 0;
        while (isOn()) {
            boolean moved = reader != null && drain(reader);
            long nowMs = clock.millis();
            if (options.hasRates() && nowMs >= nextRatesMs) {
                screen.rates(rates.line(nowMs));
                nextRatesMs = nowMs + options.ratesEvery().toMillis();
            }
            reading &= screen.flush();
            if (!moved && System.nanoTime() - nextLookNs >= 0) {
                reader = look(reader);
                nextLookNs = System.nanoTime() + LOOK_AGAIN_NS;
            }
            if (!moved) {
                LockSupport.parkNanos(POLL_NS);
            }
        }
        return reader;
    }

    /** Goes over to a new journal, from its start, when the old one was taken away. */
    private TraceReader look(TraceReader reader) {
        if (reader != null && !source.replaced()) {
            return reader;
        }
        TraceReader found = source.open();
        if (reader == null || found == null) {
            return found == null ? reader : found;
        }
        reader.close();
        screen.note("another journal lies here now, reading that");
        return found;
    }

    private boolean drain(TraceReader reader) {
        TraceRecord record = null;
        for (int i = 0; i < BATCH && (record = reader.next()) != null; i++) {
            lineage.learn(record.agent);
            if (filter.accepts(record, lineage)) {
                print(record);
                rates.add(record, clock.millis());
                reading &= screen.flush();
                late(record);
            }
        }
        return record != null;
    }

    private void print(TraceRecord record) {
        screen.line(line(record));
    }

    private String line(TraceRecord record) {
        return format.line(record, lineage.depth(record.agent.session()));
    }

    private void late(TraceRecord record) {
        long nowUs = ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
        latencyUs.recordValue(Math.max(0, nowUs - record.epochMs * 1_000));
        fresh++;
    }

    private boolean isOn() {
        return reading && !stopped;
    }

    /** How late the lines were that came while following: from the record's time to the line handed on. */
    public String latency() {
        return fresh == 0
                ? "latency: nothing ended while following"
                : String.format(
                        Locale.ROOT,
                        "latency from request end to line, %,d lines: p50 %.1f ms, p99 %.1f ms, max %.1f ms"
                                + " (a record's time has 1 ms resolution)",
                        fresh,
                        latencyUs.getValueAtPercentile(50) / 1e3,
                        latencyUs.getValueAtPercentile(99) / 1e3,
                        latencyUs.getMaxValue() / 1e3);
    }
}
