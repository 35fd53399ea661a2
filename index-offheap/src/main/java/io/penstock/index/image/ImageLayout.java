package io.penstock.index.image;

import io.penstock.index.layout.HolderLayout;
import io.penstock.index.layout.SlotLayout;
import java.nio.file.Path;

/**
 * The checkpoint image beside an index file: header, run records in the order in which they were copied (of two records of
 * one run the later counts), slots, holders.
 *
 * <pre>
 *   0 magic u64   8 version u32   12 header bytes u32   16 block size u32   20 max slots u32   24 capacity blocks u64
 *  32 page bytes u32   36 zero u32   40 taken at u64, Unix ms   48 boot id u64 x 2   64 next domain u64
 *  72 slots u64   80 holders u64   88 runs u64   96 blocks u64   104 bytes of records u64
 * 112 records' CRC32C u64   120 slots' u64   128 holders' u64   136 header's u64: of bytes 0 to 135
 * 144 records, slots (512 bytes each), holders (64 bytes each)
 * </pre>
 *
 * <p><b>Threading:</b> immutable.
 */
public final class ImageLayout {
    /** "PSTKIMAG" read as a little-endian number. */
    public static final long MAGIC_VALUE = 0x47414D494B545350L;

    /** Version of this layout. */
    public static final int VERSION_VALUE = 1;

    /** {@link #MAGIC_VALUE}. */
    public static final int MAGIC = 0;

    /** {@link #VERSION_VALUE}. */
    public static final int VERSION = MAGIC + Long.BYTES;

    /** {@link #BYTES}. */
    public static final int HEADER_BYTES = VERSION + Integer.BYTES;

    /** Tokens a block. */
    public static final int BLOCK_SIZE = HEADER_BYTES + Integer.BYTES;

    /** Slots of the index file. */
    public static final int MAX_SLOTS = BLOCK_SIZE + Integer.BYTES;

    /** Capacity of the index file. */
    public static final int CAPACITY_BLOCKS = MAX_SLOTS + Integer.BYTES;

    /** Page size of the index file. */
    public static final int PAGE_BYTES = CAPACITY_BLOCKS + Long.BYTES;

    /** When it was taken, Unix milliseconds. */
    public static final int TAKEN_AT = PAGE_BYTES + 2 * Integer.BYTES;

    /** Boot id of the machine. */
    public static final int BOOT = TAKEN_AT + Long.BYTES;

    /** Next hash domain. */
    public static final int NEXT_DOMAIN = BOOT + 2 * Long.BYTES;

    /** Slot records. */
    public static final int SLOTS = NEXT_DOMAIN + Long.BYTES;

    /** Holder records. */
    public static final int HOLDERS = SLOTS + Long.BYTES;

    /** Runs. */
    public static final int RUNS = HOLDERS + Long.BYTES;

    /** Blocks held by anybody, dead generations included. */
    public static final int BLOCKS = RUNS + Long.BYTES;

    /** Bytes of the run records. */
    public static final int RECORD_BYTES = BLOCKS + Long.BYTES;

    /** CRC32C of the run records. */
    public static final int RECORDS_SUM = RECORD_BYTES + Long.BYTES;

    /** CRC32C of the slots. */
    public static final int SLOTS_SUM = RECORDS_SUM + Long.BYTES;

    /** CRC32C of the holders. */
    public static final int HOLDERS_SUM = SLOTS_SUM + Long.BYTES;

    /** CRC32C of the header before. */
    public static final int HEADER_SUM = HOLDERS_SUM + Long.BYTES;

    /** Bytes of the header. */
    public static final int BYTES = HEADER_SUM + Long.BYTES;

    private ImageLayout() {}

    /** The image of an index file. */
    public static Path beside(Path file) {
        return file.resolveSibling(file.getFileName() + ".image");
    }

    /** Length of a whole image. */
    static long fileBytes(long recordBytes, long slots, long holders) {
        return BYTES + recordBytes + slots * SlotLayout.BYTES + holders * HolderLayout.BYTES;
    }
}
