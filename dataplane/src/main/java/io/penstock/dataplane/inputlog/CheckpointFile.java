package io.penstock.dataplane.inputlog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * The core's state in a checkpoint's folder, {@code core.state}; beside it {@code pool-0.image} and so on, the indexes' images
 * in the order in which the core opened them.
 *
 * <pre>
 *   0 magic u64   8 version u32   12 text bytes u32   16 seq i64, last input contained   24 state bytes u64   32 CRC32C u32 of the rest
 *  36 zero u32   40 text: JSON {"core": ..., "routing": ...}, then the state
 * </pre>
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param seq last input contained
 * @param settings JSON of what the core was made with
 * @param state as {@code RouterCore.carry} wrote it
 */
record CheckpointFile(long seq, String settings, ByteBuffer state) {
    /** "PSTKCORE" read as a little-endian number. */
    private static final long MAGIC = 0x45524F434B545350L;

    private static final int VERSION = 2;
    private static final int TEXT_BYTES = 12;
    private static final int SEQ = 16;
    private static final int STATE_BYTES = 24;
    private static final int SUM = 32;
    private static final int TEXT = 40;
    private static final String NAME = "core.state";

    /** File that the pool's image lies beside. */
    static String pool(int number) {
        return "pool-" + number;
    }

    static void write(Path folder, long seq, String settings, ByteBuffer state) throws IOException {
        byte[] text = settings.getBytes(StandardCharsets.UTF_8);
        CRC32C sum = new CRC32C();
        sum.update(text);
        sum.update(state.duplicate());
        ByteBuffer header = ByteBuffer.allocate(TEXT + text.length).order(ByteOrder.LITTLE_ENDIAN);
        header.putLong(0, MAGIC)
                .putInt(Long.BYTES, VERSION)
                .putInt(TEXT_BYTES, text.length)
                .putLong(SEQ, seq)
                .putLong(STATE_BYTES, state.remaining())
                .putInt(SUM, (int) sum.getValue())
                .put(TEXT, text);
        try (FileChannel channel =
                FileChannel.open(folder.resolve(NAME), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            while (header.hasRemaining()) {
                channel.write(header);
            }
            while (state.hasRemaining()) {
                channel.write(state);
            }
        }
    }

    /**
     * Reads it.
     *
     * @throws IOException in one line, when it is not whole
     */
    static CheckpointFile read(Path folder) throws IOException {
        Path file = folder.resolve(NAME);
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.capacity() < TEXT || bytes.getLong(0) != MAGIC) {
            throw new IOException("not a checkpoint's state: file=" + file);
        }
        if (bytes.getInt(Long.BYTES) != VERSION) {
            throw new IOException(
                    "checkpoint of another version: version=" + bytes.getInt(Long.BYTES) + ", file=" + file);
        }
        int text = bytes.getInt(TEXT_BYTES);
        long state = bytes.getLong(STATE_BYTES);
        if (text < 0 || state < 0 || TEXT + text + state != bytes.capacity()) {
            throw new IOException("checkpoint has another length than it says: file=" + file);
        }
        CRC32C sum = new CRC32C();
        sum.update(bytes.duplicate().position(TEXT));
        if ((int) sum.getValue() != bytes.getInt(SUM)) {
            throw new IOException("checkpoint does not hold its sum: file=" + file);
        }
        String settings = new String(bytes.array(), TEXT, text, StandardCharsets.UTF_8);
        return new CheckpointFile(bytes.getLong(SEQ), settings, bytes.slice(TEXT + text, (int) state));
    }
}
