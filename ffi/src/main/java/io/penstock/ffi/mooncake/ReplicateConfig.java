package io.penstock.ffi.mooncake;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;

/**
 * {@code mooncake_replicate_config_t} of Mooncake 0.3.13: how an object is kept.
 *
 * <pre>
 *   0  size_t       replica_num
 *   8  int          with_soft_pin
 *  12  int          with_hard_pin
 *  16  const char** preferred_segments
 *  24  size_t       preferred_segments_count
 *  32
 * </pre>
 *
 * <p>Later headers cut this struct differently under the same function names, so a caller that needs none of it passes
 * NULL, which every version reads as its defaults.
 *
 * <p><b>Threading:</b> stateless.
 */
public final class ReplicateConfig {
    /** The struct. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
                    JAVA_LONG.withName("replica_num"),
                    JAVA_INT.withName("with_soft_pin"),
                    JAVA_INT.withName("with_hard_pin"),
                    ADDRESS.withName("preferred_segments"),
                    JAVA_LONG.withName("preferred_segments_count"))
            .withName("mooncake_replicate_config_t");

    private static final long REPLICA_NUM = offset("replica_num");
    private static final long WITH_SOFT_PIN = offset("with_soft_pin");
    private static final long WITH_HARD_PIN = offset("with_hard_pin");
    private static final long PREFERRED_SEGMENTS = offset("preferred_segments");
    private static final long PREFERRED_SEGMENTS_COUNT = offset("preferred_segments_count");

    private ReplicateConfig() {}

    private static long offset(String field) {
        return LAYOUT.byteOffset(PathElement.groupElement(field));
    }

    /**
     * Fills a struct.
     *
     * @param preferredSegments host names of the segments to prefer; none = any
     */
    public static MemorySegment of(
            SegmentAllocator arena,
            long replicaNum,
            boolean withSoftPin,
            boolean withHardPin,
            String... preferredSegments) {
        MemorySegment config = arena.allocate(LAYOUT);
        config.set(JAVA_LONG, REPLICA_NUM, replicaNum);
        config.set(JAVA_INT, WITH_SOFT_PIN, withSoftPin ? 1 : 0);
        config.set(JAVA_INT, WITH_HARD_PIN, withHardPin ? 1 : 0);
        MemorySegment names = MemorySegment.NULL;
        if (preferredSegments.length > 0) {
            names = arena.allocate(ADDRESS, preferredSegments.length);
            for (int i = 0; i < preferredSegments.length; i++) {
                names.setAtIndex(ADDRESS, i, arena.allocateFrom(preferredSegments[i]));
            }
        }
        config.set(ADDRESS, PREFERRED_SEGMENTS, names);
        config.set(JAVA_LONG, PREFERRED_SEGMENTS_COUNT, preferredSegments.length);
        return config;
    }
}
