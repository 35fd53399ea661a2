package io.penstock.perf.index;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * What the calling thread has used so far.
 *
 * <p><b>Threading:</b> thread-safe.
 */
final class CoreClock {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private CoreClock() {}

    /** CPU time, nanoseconds. */
    static long cpuNs() {
        return THREADS.getCurrentThreadCpuTime();
    }

    /** Bytes taken from the heap. */
    static long allocatedBytes() {
        return THREADS.getCurrentThreadAllocatedBytes();
    }
}
