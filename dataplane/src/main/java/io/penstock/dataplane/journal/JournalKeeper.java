package io.penstock.dataplane.journal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import net.openhft.chronicle.core.time.TimeProvider;

/**
 * Deletes files of the journal that are too old or too many, and stops the writing while the disk is nearly full: a mapped
 * page without room on the disk would be a fault in the middle of an append. And has the pages made present that come next.
 *
 * <p><b>Threading:</b> a thread of its own, {@code penstock-journal-keeper}; the figures from any.
 */
final class JournalKeeper implements AutoCloseable {
    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long AHEAD_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long CLOSE_WAIT_MS = 5_000;

    private final Path folder;
    private final JournalRoll roll;
    private final JournalConfig config;
    private final TimeProvider time;
    private final PagesAhead ahead;
    private final Consumer<Throwable> onFailure;
    private Thread thread;
    private boolean failing;
    private int youngest = -1;
    private volatile boolean closed;
    private volatile boolean room = true;
    private volatile int files;
    private volatile long filesBytes;
    private volatile long deleted;

    JournalKeeper(
            Path folder,
            JournalRoll roll,
            JournalConfig config,
            TimeProvider time,
            PagesAhead ahead,
            Consumer<Throwable> onFailure) {
        this.folder = folder;
        this.roll = roll;
        this.config = config;
        this.time = time;
        this.ahead = ahead;
        this.onFailure = onFailure;
        look();
    }

    void start() {
        thread = Thread.ofPlatform().daemon().name("penstock-journal-keeper").start(this::run);
    }

    private void run() {
        long nextLook = System.nanoTime();
        while (!closed) {
            if (System.nanoTime() - nextLook >= 0) {
                look();
                nextLook = System.nanoTime() + LOOK_NS;
            }
            ahead.populate();
            LockSupport.parkNanos(this, AHEAD_NS);
        }
    }

    /** One round of housekeeping. */
    synchronized void look() {
        try {
            FileStore disk = Files.getFileStore(folder);
            room = disk.getUsableSpace() >= config.minFreeBytes();
            retain();
            failing = false;
        } catch (IOException | RuntimeException failed) {
            if (!failing) {
                failing = true;
                onFailure.accept(failed);
            }
        }
    }

    /**
     * A file that is over is cut behind its end: what was mapped and made present in front of the appender is given back.
     * Readers of ours do not map it, Chronicle's stop at the end.
     */
    private void cutFinished(NavigableMap<Integer, Path> kept) throws IOException {
        Path finished = youngest < 0 ? null : kept.get(youngest);
        int now = kept.isEmpty() ? -1 : kept.lastKey();
        if (finished != null && now > youngest) {
            long end;
            try (CycleFile file = new CycleFile(finished)) {
                end = file.end();
            }
            try (FileChannel channel = FileChannel.open(finished, StandardOpenOption.WRITE)) {
                channel.truncate(end);
            }
        }
        youngest = now;
    }

    /** Deletes whole files, the oldest first, never the youngest. */
    private void retain() throws IOException {
        NavigableMap<Integer, Path> kept = JournalFolder.files(folder, roll);
        cutFinished(kept);
        long together = 0;
        for (Path file : kept.values()) {
            together += size(file);
        }
        long oldestMs = time.currentTimeMillis() - TimeUnit.HOURS.toMillis(config.keepHours());
        while (kept.size() > 1) {
            Map.Entry<Integer, Path> oldest = kept.firstEntry();
            boolean aged = config.keepHours() > 0 && roll.endMs(oldest.getKey()) < oldestMs;
            boolean over = config.keepBytes() > 0 && together > config.keepBytes();
            if (!aged && !over) {
                break;
            }
            together -= size(oldest.getValue());
            if (Files.deleteIfExists(oldest.getValue())) {
                deleted++;
            }
            kept.remove(oldest.getKey());
        }
        files = kept.size();
        filesBytes = together;
    }

    private static long size(Path file) throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException gone) {
            return 0;
        }
    }

    /** Whether the disk has room. */
    boolean mayWrite() {
        return room;
    }

    int files() {
        return files;
    }

    long filesBytes() {
        return filesBytes;
    }

    long deleted() {
        return deleted;
    }

    @Override
    public void close() {
        closed = true;
        Thread running = thread;
        if (running != null) {
            LockSupport.unpark(running);
            try {
                running.join(CLOSE_WAIT_MS);
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
