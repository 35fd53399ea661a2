package io.penstock.ffi.nixl;

import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;

/**
 * {@code nixl_capi_agent_config_t}, the settings of an agent.
 *
 * <pre>
 *  byte  0  bool      enable_prog_thread
 *        1  bool      enable_listen_thread
 *        4  int       listen_port
 *        8  int       thread_sync            nixl_capi_thread_sync_t
 *       12  unsigned  num_workers            not used by the library
 *       16  uint64_t  pthr_delay_us          0 = the progress thread never sleeps
 *       24  uint64_t  lthr_delay_us
 *       32  bool      capture_telemetry
 *       40
 * </pre>
 *
 * <p><b>Threading:</b> immutable.
 */
public final class AgentConfig {
    /** The struct. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
                    JAVA_BOOLEAN.withName("enable_prog_thread"),
                    JAVA_BOOLEAN.withName("enable_listen_thread"),
                    MemoryLayout.paddingLayout(2),
                    JAVA_INT.withName("listen_port"),
                    JAVA_INT.withName("thread_sync"),
                    JAVA_INT.withName("num_workers"),
                    JAVA_LONG.withName("pthr_delay_us"),
                    JAVA_LONG.withName("lthr_delay_us"),
                    JAVA_BOOLEAN.withName("capture_telemetry"),
                    MemoryLayout.paddingLayout(7))
            .withName("nixl_capi_agent_config_s");

    private AgentConfig() {}

    private static long offset(String field) {
        return LAYOUT.byteOffset(PathElement.groupElement(field));
    }

    /**
     * Settings in memory of the caller's, which may be freed when the agent has been made.
     *
     * @param listenPort port of the listener thread; 0 = no such thread
     * @param threadSync {@code NIXL_CAPI_THREAD_SYNC_*}
     * @param progressDelayUs microseconds that the progress thread sleeps between looks; negative = no such thread
     * @param listenDelayUs microseconds that the listener thread sleeps between looks
     * @param telemetry whether transfers are timed
     */
    public static MemorySegment allocate(
            SegmentAllocator allocator,
            int listenPort,
            int threadSync,
            long progressDelayUs,
            long listenDelayUs,
            boolean telemetry) {
        MemorySegment config = allocator.allocate(LAYOUT);
        config.set(JAVA_BOOLEAN, offset("enable_prog_thread"), progressDelayUs >= 0);
        config.set(JAVA_BOOLEAN, offset("enable_listen_thread"), listenPort != 0);
        config.set(JAVA_INT, offset("listen_port"), listenPort);
        config.set(JAVA_INT, offset("thread_sync"), threadSync);
        config.set(JAVA_INT, offset("num_workers"), 1);
        config.set(JAVA_LONG, offset("pthr_delay_us"), Math.max(0, progressDelayUs));
        config.set(JAVA_LONG, offset("lthr_delay_us"), listenDelayUs);
        config.set(JAVA_BOOLEAN, offset("capture_telemetry"), telemetry);
        return config;
    }
}
