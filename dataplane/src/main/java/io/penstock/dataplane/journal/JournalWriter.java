package io.penstock.dataplane.journal;

import com.lmax.disruptor.EventHandler;
import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.metrics.Counting;
import io.penstock.dataplane.pipeline.DecisionRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import net.openhft.chronicle.core.time.SystemTimeProvider;
import net.openhft.chronicle.core.time.TimeProvider;

/**
 * Appends what the decision ring carries of traces to the journal. Behind a slow disk the ring fills, and records are
 * dropped and counted before they get here; no request waits.
 *
 * <p>An append allocates nothing. The queue is opened on the consumer's thread, while the router starts.
 *
 * <p><b>Threading:</b> events on the consumer's thread; {@link #details} and {@link #problem} from any.
 */
public final class JournalWriter implements EventHandler<DecisionRecord>, AutoCloseable {
    private static final long RETRY_NS = 1_000_000_000L;

    private final Path folder;
    private final JournalRoll roll;
    private final TimeProvider time;
    private final Counting counters;
    private final Consumer<Throwable> onFailure;
    private final FileChannel lock;
    private final JournalKeeper keeper;
    private final TraceEncoder encoder;
    private final PagesAhead ahead = new PagesAhead();
    private final AtomicLong records = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private QueueDocuments queue;
    private long retryNs;
    private volatile String failure;

    /**
     * Takes the journal's folder.
     *
     * @param dataDir the router's folder, for the default place
     * @param counters where dropped records are counted
     * @param onFailure told of a failure once, on the consumer's thread
     * @throws IllegalArgumentException in one line, if the folder cannot be had
     */
    public JournalWriter(JournalConfig config, Path dataDir, Counting counters, Consumer<Throwable> onFailure) {
        this(config, folder(config, dataDir), counters, onFailure, SystemTimeProvider.INSTANCE);
    }

    JournalWriter(
            JournalConfig config, Path folder, Counting counters, Consumer<Throwable> onFailure, TimeProvider time) {
        this.folder = folder;
        this.counters = counters;
        this.onFailure = onFailure;
        lock = JournalFolder.take(folder);
        JournalRoll own = JournalFolder.roll(folder);
        roll = own == null ? config.rollCycle() : own;
        // Were an older file written again, readers that have left it would not see it.
        this.time = new ForwardTime(time, JournalFolder.files(folder, roll), roll);
        encoder = new TraceEncoder(new SessionBases(), HashSalt.of(config.salt()), config.fullEvery());
        keeper = new JournalKeeper(folder, roll, config, time, ahead, onFailure);
    }

    /** Where the journal lies. */
    public static Path folder(JournalConfig config, Path dataDir) {
        return config.folder().isEmpty() ? dataDir.resolve("journal") : Path.of(config.folder());
    }

    @Override
    public void onStart() {
        open();
        keeper.start();
    }

    @Override
    public void onEvent(DecisionRecord event, long sequence, boolean endOfBatch) {
        TraceRecord trace = event.trace;
        if (trace != null) {
            append(trace);
        }
    }

    /** Writes one record, or counts it as dropped. */
    void append(TraceRecord trace) {
        if (!keeper.mayWrite() || queue == null && !reopened()) {
            counters.increment(Counter.TRACES_DROPPED);
            return;
        }
        try {
            // One writer; the readers may see them a little later.
            bytes.setRelease(bytes.getPlain() + encoder.write(trace, queue));
            records.setRelease(records.getPlain() + 1);
        } catch (Throwable failed) {
            // Also InternalError: a mapped page that the disk has no room for.
            counters.increment(Counter.TRACES_DROPPED);
            failed(failed);
        }
    }

    private boolean reopened() {
        if (System.nanoTime() - retryNs < 0) {
            return false;
        }
        open();
        return queue != null;
    }

    private void open() {
        try {
            queue = QueueDocuments.open(folder, roll, time, ahead);
            failure = null;
        } catch (RuntimeException | Error failed) {
            failed(failed);
        }
    }

    private void failed(Throwable cause) {
        retryNs = System.nanoTime() + RETRY_NS;
        if (failure == null) {
            onFailure.accept(cause);
        }
        failure = cause.toString();
        QueueDocuments broken = queue;
        queue = null;
        if (broken != null) {
            try {
                broken.abandon();
                broken.close();
            } catch (RuntimeException | Error again) {
                cause.addSuppressed(again);
            }
        }
    }

    @Override
    public void onShutdown() {
        QueueDocuments open = queue;
        queue = null;
        if (open != null) {
            open.close();
        }
    }

    /** Does now the housekeeping that is done every second. */
    void tidy() {
        keeper.look();
    }

    /** What is wrong, in one line, or null. */
    public String problem() {
        String now = failure;
        if (now != null) {
            return "trace journal is not written: " + now;
        }
        return keeper.mayWrite() ? null : "trace journal is not written, the disk is full: folder=" + folder;
    }

    /** For the health report. */
    public Map<String, Object> details() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("folder", folder.toString());
        all.put("rollCycle", roll.name().toLowerCase(Locale.ROOT).replace('_', '-'));
        all.put("records", records.get());
        all.put("bytes", bytes.get());
        all.put("files", keeper.files());
        all.put("filesBytes", keeper.filesBytes());
        all.put("filesDeleted", keeper.deleted());
        String problem = problem();
        all.put("state", problem == null ? "written" : "stopped");
        return all;
    }

    /** Stops the housekeeping and gives the folder back; the consumer has ended before. */
    @Override
    public void close() {
        keeper.close();
        try {
            lock.close();
        } catch (IOException failed) {
            throw new UncheckedIOException("journal folder is not given back: " + folder, failed);
        }
    }
}
