package io.penstock.dataplane.inputlog;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/**
 * Lets the oldest files of a log go, by size and age, and the checkpoints that no file goes on from.
 *
 * <p><b>Threading:</b> owned by the log's writer.
 */
final class Retention {
    private final LogFolder folder;
    private final long mostBytes;
    private final long mostMs;

    Retention(LogFolder folder, long mostBytes, long mostMs) {
        this.folder = folder;
        this.mostBytes = mostBytes;
        this.mostMs = mostMs;
    }

    /** Deletes what is over; the youngest file and the youngest checkpoint stay. */
    void apply() throws IOException {
        List<LogFolder.Entry> files = folder.segments();
        List<LogFolder.Entry> checkpoints = folder.checkpoints();
        long bytes = 0;
        for (LogFolder.Entry each : files) {
            bytes += Files.size(each.path());
        }
        long[] sizes = new long[checkpoints.size()];
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = LogFolder.bytes(checkpoints.get(i).path());
            bytes += sizes[i];
        }
        long oldest = System.currentTimeMillis() - mostMs;
        int nextCheckpoint = 0;
        for (int i = 0; i + 1 < files.size(); i++) {
            LogFolder.Entry file = files.get(i);
            long age = Files.getLastModifiedTime(file.path()).toMillis();
            if (bytes <= mostBytes && age >= oldest) {
                return;
            }
            bytes -= Files.size(file.path());
            LogFolder.delete(file.path());
            long first = files.get(i + 1).seq();
            while (nextCheckpoint + 1 < sizes.length
                    && checkpoints.get(nextCheckpoint).seq() + 1 < first) {
                bytes -= sizes[nextCheckpoint];
                LogFolder.delete(checkpoints.get(nextCheckpoint++).path());
            }
        }
    }
}
