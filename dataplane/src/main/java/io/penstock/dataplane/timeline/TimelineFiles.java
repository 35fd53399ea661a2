package io.penstock.dataplane.timeline;

import io.penstock.dataplane.journal.TraceReader;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A journal's timeline, to be written to files.
 *
 * <p><b>Threading:</b> one thread.
 */
public final class TimelineFiles {
    private final Timeline timeline;
    private final String source;

    private TimelineFiles(Timeline timeline, String source) {
        this.timeline = timeline;
        this.source = source;
    }

    /**
     * Reads all that a reader has from here on.
     *
     * @param source where it is from, for the page's title
     * @throws IllegalArgumentException in one line, if there is nothing in that range
     */
    public static TimelineFiles read(TraceReader reader, TimelineRange range, String source) {
        Timeline timeline = TimelineBuilder.read(reader, range);
        if (timeline.sessions().isEmpty()) {
            throw new IllegalArgumentException("no requests or tools there: journal=" + source);
        }
        return new TimelineFiles(timeline, source);
    }

    /** Writes a Chrome trace and says how many bytes it has. */
    public long writeTrace(Path file) throws IOException {
        return write(file, out -> PerfettoTrace.write(timeline, out));
    }

    /** Writes the page and says how many bytes it has. */
    public long writePage(Path file) throws IOException {
        return write(file, out -> TimelinePage.write(timeline, source, out));
    }

    private interface Content {
        void write(OutputStream out) throws IOException;
    }

    private static long write(Path file, Content content) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        Files.createDirectories(folder);
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
            content.write(out);
        }
        return Files.size(file);
    }

    /** How much it shows, in words. */
    public String counts() {
        return String.format(
                Locale.ROOT,
                "%,d sessions, %,d requests, %,d tools",
                timeline.sessions().size(),
                timeline.requests().size(),
                timeline.tools().size());
    }
}
