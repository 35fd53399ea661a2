package io.penstock.dataplane.metrics;

import org.agrona.BitUtil;

/**
 * Layout of the counters file, little-endian.
 *
 * <pre>
 *  0      8     12     16    20      24      32       40                64
 *  +-------+------+------+-----+-------+-------+--------+---- ... ------+-----------+--------+-----------+
 *  | magic | vers | meta | val | error |  pid  | start  | 0             | metadata  | values | error log |
 *  +-------+------+------+-----+-------+-------+--------+---- ... ------+-----------+--------+-----------+
 * </pre>
 *
 * <p>{@code meta}, {@code val} and {@code error} are the lengths in bytes of the three sections, which follow each other
 * from {@link #HEADER_LENGTH}. Metadata and values are Agrona's {@code CountersReader}, the log its {@code
 * DistinctErrorLog}; {@code start} is the router's start in ms since 1970. The magic is written last.
 *
 * <p><b>Threading:</b> immutable.
 */
public final class CounterFileLayout {
    /** {@code PSTKCNTR} in the file's first bytes. */
    public static final long MAGIC = 0x52544E434B545350L;

    /** Version of this layout. */
    public static final int VERSION = 1;

    /** Magic, u64. */
    public static final int MAGIC_OFFSET = 0;

    /** Version, u32. */
    public static final int VERSION_OFFSET = MAGIC_OFFSET + BitUtil.SIZE_OF_LONG;

    /** Bytes of the metadata section, u32. */
    public static final int METADATA_LENGTH_OFFSET = VERSION_OFFSET + BitUtil.SIZE_OF_INT;

    /** Bytes of the values section, u32. */
    public static final int VALUES_LENGTH_OFFSET = METADATA_LENGTH_OFFSET + BitUtil.SIZE_OF_INT;

    /** Bytes of the error log, u32. */
    public static final int ERROR_LENGTH_OFFSET = VALUES_LENGTH_OFFSET + BitUtil.SIZE_OF_INT;

    /** Process id of the router, u64. */
    public static final int PID_OFFSET = ERROR_LENGTH_OFFSET + BitUtil.SIZE_OF_INT;

    /** Start, epoch ms, u64. */
    public static final int START_OFFSET = PID_OFFSET + BitUtil.SIZE_OF_LONG;

    /** Bytes before the first section. */
    public static final int HEADER_LENGTH = BitUtil.align(START_OFFSET + BitUtil.SIZE_OF_LONG, 64);

    private CounterFileLayout() {}
}
