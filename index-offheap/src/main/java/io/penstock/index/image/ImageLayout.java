package io.penstock.index.image;

import java.nio.file.Path;

/**
 * A checkpoint image: the truth of an index file at one moment, without what can be built from it.
 *
 * <p>All words are u64, little-endian. The header:
 *
 * <pre>
 *   0 magic        8 image version   16 taken, Unix ms   24 boot id high   32 boot id low
 *  40 layoutVersion   48 pageBytes   56 blockSize   64 maxSlots   72 capacityBlocks
 *  80 nextDomain   88 slotLimit   96 run headers ever used   104 runs   112 blocks
 * 120 bytes of slots, 128 of holders, 136 of runs    144, 152, 160 their CRC32C    168 CRC32C of bytes 0..167
 * </pre>
 *
 * <p>Then the records of all slots ever given and of all holders as the index file has them, then the runs: id, the
 * header's words from its extent on, ranges and sets of the side blocks, the extent's granules up to the run's length
 * (of the last one only what is used), and for each set that is a further column its words up to the run's length.
 *
 * <p><b>Threading:</b> immutable.
 */
public final class ImageLayout {
    /** "PSTIMAGE" read as a little-endian number. */
    public static final long MAGIC_VALUE = 0x4547_414D_4954_5350L;

    /** Version of this format. */
    public static final long VERSION_VALUE = 1;

    /** Magic. */
    public static final int MAGIC = 0;

    /** Version. */
    public static final int VERSION = 8;

    /** When it was taken, Unix ms. */
    public static final int TAKEN = 16;

    /** Boot under which it was taken, upper half. */
    public static final int BOOT_HIGH = 24;

    /** Lower half. */
    public static final int BOOT_LOW = 32;

    /** Layout version of the index file. */
    public static final int LAYOUT_VERSION = 40;

    /** Numbers that the index file was made with. */
    public static final int PAGE_BYTES = 48;

    /** Tokens of a block. */
    public static final int BLOCK_SIZE = 56;

    /** Slots at a time. */
    public static final int MAX_SLOTS = 64;

    /** Capacity. */
    public static final int CAPACITY_BLOCKS = 72;

    /** Next hash domain. */
    public static final int NEXT_DOMAIN = 80;

    /** Highest slot ever given plus one. */
    public static final int SLOT_LIMIT = 88;

    /** Run headers ever used. */
    public static final int RUN_HIGH = 96;

    /** Runs. */
    public static final int RUNS = 104;

    /** Blocks, those of dead generations included. */
    public static final int BLOCKS = 112;

    /** Bytes of the three sections. */
    public static final int SECTION_BYTES = 120;

    /** CRC32C of the three sections. */
    public static final int SECTION_SUMS = 144;

    /** CRC32C of the header before. */
    public static final int HEADER_SUM = 168;

    /** Bytes of the header. */
    public static final int BYTES = 176;

    /** Slots, holders, runs. */
    public static final int SECTIONS = 3;

    private ImageLayout() {}

    /** Where the image of an index file lies. */
    public static Path beside(Path indexFile) {
        return indexFile.resolveSibling(indexFile.getFileName() + ".image");
    }
}
