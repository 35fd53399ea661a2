package io.penstock.dataplane.inputlog;

import io.penstock.dataplane.core.CoreConfig;
import io.penstock.dataplane.metrics.Counting;
import io.penstock.dataplane.pipeline.CoreTap;
import io.penstock.dataplane.routing.RoutingConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The flight recorder: hears what the core takes and decides, and writes it to a folder, with checkpoints to begin a replay
 * from. Numbers go on from those of the folder's last run.
 *
 * <p>Given to a pipeline as its {@link #tap}, closed after it.
 *
 * <p><b>Threading:</b> thread-safe; the tap belongs to the core.
 */
public final class InputLog implements AutoCloseable {
    private final FileChannel lock;
    private final InputRing ring;
    private final Checkpointer checkpoints;
    private final LogWriter writer;
    private final InputTap tap;

    private InputLog(
            InputLogConfig config,
            LogFolder folder,
            FileChannel lock,
            long firstSeq,
            CoreConfig core,
            RoutingConfig routing,
            Counting counters,
            Consumer<Throwable> errors) {
        this.lock = lock;
        String settings = new ReplaySettings(core, routing).json();
        ring = new InputRing(config.ringMb() << 20, counters);
        long interval = TimeUnit.MINUTES.toNanos(config.checkpointMinutes());
        checkpoints = new Checkpointer(folder, settings, interval, counters, errors);
        Retention retention =
                new Retention(folder, config.retainMb() << 20, TimeUnit.HOURS.toMillis(config.retainHours()));
        writer = new LogWriter(
                ring,
                folder.path(),
                settings,
                (long) config.segmentMb() << 20,
                retention,
                checkpoints,
                counters,
                errors);
        tap = new InputTap(ring, firstSeq, core.maxBlocksPerRequest(), checkpoints);
    }

    /**
     * Goes on with the log in {@code path}, or begins one.
     *
     * @param errors told of what cannot be written
     * @throws IllegalArgumentException in one line, when the folder cannot be used
     */
    public static InputLog open(
            InputLogConfig config,
            Path path,
            CoreConfig core,
            RoutingConfig routing,
            Counting counters,
            Consumer<Throwable> errors) {
        LogFolder folder = new LogFolder(path);
        try {
            Files.createDirectories(path);
            FileChannel lock = folder.lock();
            LogFolder.delete(folder.making());
            long last = LogReader.lastSeq(folder);
            return new InputLog(config, folder, lock, last + 1, core, routing, counters, errors);
        } catch (IOException | UncheckedIOException unusable) {
            throw new IllegalArgumentException(
                    "input log cannot be written: inputLog.folder=" + path + " (" + unusable.getMessage() + ")",
                    unusable);
        }
    }

    /** To be given to the pipeline. */
    public CoreTap tap() {
        return tap;
    }

    /** Asks for a checkpoint as soon as one can be taken. */
    public void checkpoint() {
        checkpoints.want();
    }

    /** How long the core stood still for the last checkpoint, nanoseconds. */
    public long checkpointStopNs() {
        return checkpoints.stopNs();
    }

    /** Writes what is left; the core must have ended. */
    @Override
    public void close() {
        checkpoints.close();
        ring.endGap(ring.lastSeq());
        writer.close();
        try {
            lock.close();
        } catch (IOException goesWithTheProcess) {
            throw new UncheckedIOException(goesWithTheProcess);
        }
    }
}
