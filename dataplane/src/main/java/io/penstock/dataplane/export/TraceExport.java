package io.penstock.dataplane.export;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.GZIPOutputStream;

/**
 * Writes a trace in another format: to a stream, to a file, or into a folder.
 *
 * <p>A file appears under its name when it is whole; a name that ends in {@code .gz} is packed.
 *
 * <p><b>Threading:</b> one thread.
 */
public final class TraceExport {
    private static final int BUFFER_BYTES = 1 << 16;

    private final TraceSource source;
    private final ExportFormat format;
    private final ExportOptions options;
    private final Notices notices = new Notices();

    /** An export that has not begun. */
    public TraceExport(TraceSource source, ExportFormat format, ExportOptions options) {
        this.source = source;
        this.format = format;
        this.options = options;
    }

    /** What was written and what was not, complete after the export. */
    public Notices notices() {
        return notices;
    }

    /**
     * Writes to a stream, which is flushed and stays open.
     *
     * @throws IllegalArgumentException for a format that fills a folder
     */
    public void to(OutputStream out) throws IOException {
        if (format.fillsFolder()) {
            throw new IllegalArgumentException("this format fills a folder: format=" + format);
        }
        OutputStream buffered = new BufferedOutputStream(out, BUFFER_BYTES);
        format.stream().write(source, options, notices, buffered);
        source.steppedOver().forEach(notices::add);
        buffered.flush();
    }

    /** Writes the file or fills the folder. */
    public void to(Path target) throws IOException {
        if (format.fillsFolder()) {
            new WekaExport().write(source, options, notices, target);
            source.steppedOver().forEach(notices::add);
            return;
        }
        Path part = target.resolveSibling(target.getFileName() + ".part");
        try {
            try (OutputStream raw = Files.newOutputStream(part);
                    OutputStream out = target.toString().endsWith(".gz") ? new GZIPOutputStream(raw) : raw) {
                to(out);
            }
            Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
    }
}
