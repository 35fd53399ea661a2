package io.penstock.ffi.nixl;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/**
 * {@code struct nixl_capi_xfer_telemetry_s}: what a done transfer took.
 *
 * <pre>
 *  byte  0  uint64_t  start_time_us       of the steady clock, not of the epoch as the header says
 *        8  uint64_t  post_duration_us
 *       16  uint64_t  xfer_duration_us
 *       24  uint64_t  total_bytes
 *       32  uint64_t  desc_count
 *       40
 * </pre>
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param startUs microseconds of the steady clock at which it was posted
 * @param postUs microseconds that posting took
 * @param xferUs microseconds that the transfer took
 * @param bytes bytes moved
 * @param descriptors descriptors moved
 */
public record XferTelemetry(long startUs, long postUs, long xferUs, long bytes, long descriptors) {
    /** The struct. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
                    JAVA_LONG.withName("start_time_us"),
                    JAVA_LONG.withName("post_duration_us"),
                    JAVA_LONG.withName("xfer_duration_us"),
                    JAVA_LONG.withName("total_bytes"),
                    JAVA_LONG.withName("desc_count"))
            .withName("nixl_capi_xfer_telemetry_s");

    /** Reads the struct. */
    public static XferTelemetry of(MemorySegment struct) {
        return new XferTelemetry(
                field(struct, "start_time_us"),
                field(struct, "post_duration_us"),
                field(struct, "xfer_duration_us"),
                field(struct, "total_bytes"),
                field(struct, "desc_count"));
    }

    private static long field(MemorySegment struct, String name) {
        return struct.get(JAVA_LONG, LAYOUT.byteOffset(PathElement.groupElement(name)));
    }
}
