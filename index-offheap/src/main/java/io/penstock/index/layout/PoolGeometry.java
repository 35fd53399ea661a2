package io.penstock.index.layout;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Where the parts of the shared pool's region lie in the file's linear space, and how many records each has.
 *
 * <p>Sizing: a record and a head for each page, five cells of the table for three pages.
 *
 * <p><b>Threading:</b> immutable.
 */
public final class PoolGeometry {
    private static final int ALIGNMENT = 4096;
    private static final int LEAST_LINES = 16;

    /** Offset of the region's header. */
    public final long header;

    /** Logical pages. */
    public final int capacityPages;

    /** Objects of a page. */
    public final int objects;

    /** Bytes of a record. */
    public final int recordBytes;

    /** Lines of the table. */
    public final int lineCount;

    /** Offset of the table. */
    public final long table;

    /** Offset of the heads. */
    public final long heads;

    /** Offset of the records. */
    public final long records;

    /** Offset of the first byte behind. */
    public final long end;

    /** Lays the region out from {@code header} on. */
    PoolGeometry(long header, long capacityPages, int objects) {
        this.header = header;
        this.capacityPages = Math.toIntExact(capacityPages);
        this.objects = objects;
        recordBytes = PageRecordLayout.bytes(objects);
        lineCount = Math.toIntExact(capacityPages * 5 / (3 * PageLineLayout.CELLS) + LEAST_LINES);
        table = header + PoolLayout.BYTES;
        heads = align(table + (long) lineCount * PageLineLayout.BYTES);
        // Records of more than 4 KiB begin at a multiple of their size as well: the region begins with a page.
        long first = align(heads + capacityPages * PageHeadLayout.BYTES);
        records = header + (first - header + recordBytes - 1) / recordBytes * recordBytes;
        end = records + capacityPages * recordBytes;
    }

    /**
     * What a region's header says, little-endian, from its first byte on.
     *
     * @throws IllegalArgumentException with one line when it says something else than it would for its own numbers
     */
    public static PoolGeometry ofHeader(ByteBuffer bytes, long header) {
        long capacity = bytes.getLong(PoolLayout.CAPACITY_PAGES);
        int objects = bytes.getInt(PoolLayout.OBJECTS);
        if (bytes.getLong(PoolLayout.MAGIC) != PoolLayout.MAGIC_VALUE
                || bytes.getLong(PoolLayout.POOL_SUM) != sum(bytes)
                || capacity <= 0
                || capacity > Integer.MAX_VALUE
                || objects <= 0) {
            throw new IllegalArgumentException("shared pool's header is damaged: offset=" + header);
        }
        return new PoolGeometry(header, capacity, objects);
    }

    /** CRC32C of the header's part that never changes. */
    public static long sum(ByteBuffer bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes.duplicate().position(0).limit(PoolLayout.POOL_SUM));
        return sum.getValue();
    }

    /** The offsets in the order of the header. */
    public long[] offsets() {
        return new long[] {table, heads, records};
    }

    private static long align(long value) {
        return (value + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
}
