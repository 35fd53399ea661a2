package io.penstock.index.image;

import io.penstock.index.IndexConfig;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.HolderLayout;
import io.penstock.index.layout.SlotLayout;
import io.penstock.index.structure.RunRecords;
import io.penstock.index.structure.Structures;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * An image on the disk: held against its sums when opened, then laid into an empty index file.
 *
 * <p><b>Threading:</b> owned by the opener.
 */
public final class ImageFile implements AutoCloseable {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long MOST_SUMMED_BYTES = 1L << 30;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment bytes;
    private final ByteBuffer header;
    private long[] record = new long[4096];

    private ImageFile(FileChannel channel) throws IOException {
        bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
        header = bytes.asSlice(0, Math.min(bytes.byteSize(), ImageLayout.BYTES))
                .asByteBuffer()
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Whether there is one beside the index file. */
    public static boolean exists(Path file) {
        return Files.exists(ImageLayout.beside(file));
    }

    /**
     * Opens the image beside {@code file}.
     *
     * @throws IOException with one line, when there is none or it does not hold its sums
     */
    public static ImageFile open(Path file) throws IOException {
        Path path = ImageLayout.beside(file);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            ImageFile image = new ImageFile(channel);
            String wrong = image.check();
            if (wrong != null) {
                image.close();
                throw new IOException(wrong + ", image=" + path);
            }
            return image;
        }
    }

    private String check() {
        if (header.limit() < ImageLayout.BYTES || header.getLong(ImageLayout.MAGIC) != ImageLayout.MAGIC_VALUE) {
            return "image has a foreign magic";
        }
        int version = header.getInt(ImageLayout.VERSION);
        if (version != ImageLayout.VERSION_VALUE) {
            return "image has another layout version: version=" + version + ", expected " + ImageLayout.VERSION_VALUE;
        }
        if (header.getLong(ImageLayout.HEADER_SUM) != headerSum(header)) {
            return "image's header is damaged";
        }
        long slots = header.getLong(ImageLayout.SLOTS);
        long holders = header.getLong(ImageLayout.HOLDERS);
        long records = header.getLong(ImageLayout.RECORD_BYTES);
        if (bytes.byteSize() != ImageLayout.fileBytes(records, slots, holders)) {
            return "image has another length than when it was made: bytes=" + bytes.byteSize();
        }
        long slotsAt = ImageLayout.BYTES + records;
        long holdersAt = slotsAt + slots * SlotLayout.BYTES;
        return sum(ImageLayout.BYTES, slotsAt) != header.getLong(ImageLayout.RECORDS_SUM)
                        || sum(slotsAt, holdersAt) != header.getLong(ImageLayout.SLOTS_SUM)
                        || sum(holdersAt, bytes.byteSize()) != header.getLong(ImageLayout.HOLDERS_SUM)
                ? "image is damaged: CRC32C differs"
                : null;
    }

    static long headerSum(ByteBuffer header) {
        CRC32C sum = new CRC32C();
        sum.update(header.duplicate().position(0).limit(ImageLayout.HEADER_SUM));
        return sum.getValue();
    }

    private long sum(long from, long to) {
        CRC32C sum = new CRC32C();
        for (long at = from; at < to; at += MOST_SUMMED_BYTES) {
            sum.update(bytes.asSlice(at, Math.min(MOST_SUMMED_BYTES, to - at)).asByteBuffer());
        }
        return sum.getValue();
    }

    /** How the file was made that it is the image of; {@code file} is its path. */
    public IndexConfig config(Path file) {
        return new IndexConfig(
                file,
                header.getInt(ImageLayout.BLOCK_SIZE),
                header.getLong(ImageLayout.CAPACITY_BLOCKS),
                header.getInt(ImageLayout.PAGE_BYTES),
                header.getInt(ImageLayout.MAX_SLOTS));
    }

    /** Blocks in it. */
    public long blocks() {
        return header.getLong(ImageLayout.BLOCKS);
    }

    /** When it was taken. */
    @Override
    public String toString() {
        return "image of " + Instant.ofEpochMilli(header.getLong(ImageLayout.TAKEN_AT));
    }

    /**
     * Lays the image's truth into the structures of an empty file; what is derived must be built afterwards, which also holds
     * all of it against its sums again.
     *
     * @return null, or one line: what stands against it; the file is then of no use
     */
    public String restore(Structures in, IndexConfig config) {
        long slots = header.getLong(ImageLayout.SLOTS);
        long holders = header.getLong(ImageLayout.HOLDERS);
        if (header.getInt(ImageLayout.BLOCK_SIZE) != config.blockSize()) {
            return "image has another block size: blockSize=" + header.getInt(ImageLayout.BLOCK_SIZE);
        }
        if (slots > config.maxSlots() || usedHolders(holders) > in.holders.count()) {
            return "image has more slots than the file: slots=" + slots + ", maxSlots=" + config.maxSlots();
        }
        try {
            String wrong = runs(in);
            if (wrong != null) {
                return "image does not fit: " + wrong + ", capacityBlocks=" + config.capacityBlocks();
            }
        } catch (IllegalStateException full) {
            return "image does not fit: " + full.getMessage() + ", capacityBlocks=" + config.capacityBlocks();
        }
        long slotsAt = ImageLayout.BYTES + header.getLong(ImageLayout.RECORD_BYTES);
        in.directory.restore(words(slotsAt, (int) slots * SlotLayout.BYTES), (int) slots);
        in.holders.restore(words(
                slotsAt + slots * SlotLayout.BYTES, Math.min((int) holders, in.holders.count()) * HolderLayout.BYTES));
        in.steps.put(HeaderLayout.NEXT_DOMAIN, header.getLong(ImageLayout.NEXT_DOMAIN));
        in.steps.commit();
        return null;
    }

    private int usedHolders(long holders) {
        long at = bytes.byteSize() - HolderLayout.BYTES;
        int used = (int) holders;
        while (used > 0 && bytes.get(WORD, at + HolderLayout.STATE) == HolderLayout.FREE) {
            used--;
            at -= HolderLayout.BYTES;
        }
        return used;
    }

    private String runs(Structures in) {
        long[] latest = latest();
        if (latest == null) {
            return "a record is out of bounds";
        }
        for (long at : latest) {
            if (at != 0) {
                int used = load(at);
                if (!RunRecords.plausible(record, 0, used)) {
                    return "a record is out of bounds";
                }
                String wrong = used == RunRecords.ABSENT_WORDS ? null : in.records.place(record, 0);
                if (wrong != null) {
                    return wrong;
                }
            }
        }
        return null;
    }

    /** Where the newest record of each run id lies, 0 for none; null when one does not fit into the section. */
    private long[] latest() {
        long end = ImageLayout.BYTES + header.getLong(ImageLayout.RECORD_BYTES);
        long[] latest = new long[1024];
        for (long at = ImageLayout.BYTES; at < end; ) {
            long head = bytes.get(WORD, at);
            int id = RunRecords.idOf(head);
            int used = RunRecords.wordsOf(head);
            if (used < RunRecords.ABSENT_WORDS || id < 0 || id > 1 << 28 || at + (long) used * Long.BYTES > end) {
                return null;
            }
            if (id >= latest.length) {
                latest = Arrays.copyOf(latest, Math.max(id + 1, latest.length * 2));
            }
            latest[id] = at;
            at += (long) used * Long.BYTES;
        }
        return latest;
    }

    private int load(long at) {
        int used = RunRecords.wordsOf(bytes.get(WORD, at));
        if (record.length < used) {
            record = new long[used];
        }
        MemorySegment.copy(bytes, WORD, at, record, 0, used);
        return used;
    }

    private long[] words(long at, int byteCount) {
        long[] words = new long[byteCount / Long.BYTES];
        MemorySegment.copy(bytes, WORD, at, words, 0, words.length);
        return words;
    }

    /**
     * Whether another image holds the same, whatever places its runs have: run for run in the order of ids, slots, holders,
     * next domain.
     */
    public boolean sameContent(ImageFile other) {
        long[] mine = latest();
        long[] theirs = other.latest();
        if (mine == null || theirs == null || !sameTables(other)) {
            return false;
        }
        int next = 0;
        for (long at : mine) {
            if (at == 0 || load(at) == RunRecords.ABSENT_WORDS) {
                continue;
            }
            while (next < theirs.length && (theirs[next] == 0 || other.load(theirs[next]) == RunRecords.ABSENT_WORDS)) {
                next++;
            }
            if (next == theirs.length || !sameRecord(other, theirs[next++])) {
                return false;
            }
        }
        while (next < theirs.length && (theirs[next] == 0 || other.load(theirs[next]) == RunRecords.ABSENT_WORDS)) {
            next++;
        }
        return next == theirs.length;
    }

    private boolean sameRecord(ImageFile other, long at) {
        int used = other.load(at);
        return RunRecords.wordsOf(record[0]) == used && Arrays.equals(record, 1, used, other.record, 1, used);
    }

    private boolean sameTables(ImageFile other) {
        long mine = ImageLayout.BYTES + header.getLong(ImageLayout.RECORD_BYTES);
        long theirs = ImageLayout.BYTES + other.header.getLong(ImageLayout.RECORD_BYTES);
        return header.getLong(ImageLayout.NEXT_DOMAIN) == other.header.getLong(ImageLayout.NEXT_DOMAIN)
                && bytes.asSlice(mine).mismatch(other.bytes.asSlice(theirs)) < 0;
    }

    @Override
    public void close() {
        arena.close();
    }
}
