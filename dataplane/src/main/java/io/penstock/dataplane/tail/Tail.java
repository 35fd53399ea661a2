package io.penstock.dataplane.tail;

import io.penstock.dataplane.journal.TraceReader;
import io.penstock.dataplane.journal.TraceRecord;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Prints a journal's records as they are written. A journal has no signal for readers in other processes, so it is asked
 * {@value #POLLS_A_SECOND} times a second; a line is late by half of that interval on average.
 *
 * <p><b>Threading:</b> {@link #run} on one thread, which an interrupt ends, too; {@link #stop} from any.
 */
public final class Tail {
    private static final int POLLS_A_SECOND = 1_000;
    private static final long POLL_NS = 1_000_000_000 / POLLS_A_SECOND;
    private static final long LOOK_AGAIN_NS = TimeUnit.SECONDS.toNanos(1);

    /** Where the last lines are looked for first, so that a long journal is not read for them. */
    private static final long RECENT_MS = TimeUnit.HOURS.toMillis(1);

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

    /**
     * A tail for the command line.
     *
     * @param json whether lines are JSON objects; else text
     * @param terminal whether the rates are redrawn in place
     * @param notes where rates and notes go, {@code out} itself or standard error
     * @param zone of times in text
     */
    public static Tail of(
            TailSource source,
            TailFilter filter,
            TailOptions options,
            boolean json,
            boolean terminal,
            ZoneId zone,
            PrintWriter out,
            PrintWriter notes) {
        boolean colour = terminal && System.getenv("NO_COLOR") == null;
        return new Tail(
                source,
                filter,
                options,
                json ? new TailJson() : new TailText(zone, colour),
                new TailScreen(out, notes, terminal),
                InstantSource.system());
    }

    /** Names of a text line's columns. */
    public static String titles() {
        return TailText.titles();
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
        TraceReader reader = source.open(0);
        try {
            if (reader == null) {
                screen.note(options.follow() ? "no journal yet, waiting for one" : "no journal yet");
                screen.flush();
            }
            if (reader != null) {
                reader = past(reader);
            }
            if (options.follow()) {
                reader = follow(reader);
            }
        } catch (UncheckedIOException failed) {
            // An interrupt that comes within a read closes the file beneath it: that is the end that was asked for.
            if (!(failed.getCause() instanceof ClosedByInterruptException)) {
                throw failed;
            }
        } finally {
            if (reader != null) {
                reader.close();
            }
            screen.finish();
        }
    }

    /**
     * Shows what was written before, and gives the reader that goes on behind it. The lineage of sessions is found in the
     * past, so for a session all of it is read.
     */
    private TraceReader past(TraceReader whole) {
        if (options.sinceMs() < 0 && options.lines() == 0 && filter.sessions().isEmpty()) {
            whole.toEnd();
            return whole;
        }
        TraceReader reader = whole;
        List<String> shown = List.of();
        if (filter.sessions().isEmpty()) {
            whole.close();
            long from = options.sinceMs() >= 0 ? options.sinceMs() : clock.millis() - RECENT_MS;
            reader = source.open(from);
            shown = read(reader);
            if (options.sinceMs() < 0 && shown.size() < options.lines()) {
                reader.close();
                reader = source.open(0);
                shown = read(reader);
            }
        } else {
            shown = read(reader);
        }
        shown.forEach(screen::line);
        reading = screen.flush();
        return reader;
    }

    /** Reads to the end; lines since the time asked for are printed at once, else the last are given back. */
    private List<String> read(TraceReader reader) {
        Deque<String> last = new ArrayDeque<>();
        for (TraceRecord record = reader.next(); record != null && isOn(); record = reader.next()) {
            lineage.learn(record.agent);
            if (!filter.accepts(record, lineage)) {
                continue;
            }
            if (options.sinceMs() < 0) {
                if (last.size() == options.lines()) {
                    last.pollFirst();
                }
                if (options.lines() > 0) {
                    last.addLast(line(record));
                }
            } else if (record.epochMs >= options.sinceMs()) {
                print(record);
            }
        }
        return List.copyOf(last);
    }

    private TraceReader follow(TraceReader first) {
        TraceReader reader = first;
        long nextLookNs = System.nanoTime() + LOOK_AGAIN_NS;
        long nextRatesMs = 0;
        while (isOn()) {
            boolean moved = reader != null && drained(reader);
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
        if (reader == null) {
            return source.open(0);
        }
        if (!source.replaced()) {
            return reader;
        }
        reader.close();
        TraceReader found = source.open(0);
        screen.note(
                found == null ? "the journal is gone, waiting for one" : "another journal lies here now, reading that");
        return found;
    }

    private boolean drained(TraceReader reader) {
        try {
            return drain(reader);
        } catch (IllegalStateException failed) {
            if (!source.replaced()) {
                throw failed;
            }
            return false;
        }
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
        return reading && !stopped && !Thread.currentThread().isInterrupted();
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
