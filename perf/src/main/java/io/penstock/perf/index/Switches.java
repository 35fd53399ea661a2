package io.penstock.perf.index;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Context switches of the calling thread, as the peers' program counts them: a sample during which the number moved is
 * dropped on both sides, since the machine is shared. Where getrusage(2) is not as on 64-bit Linux the number stays 0 and
 * nothing is dropped.
 *
 * <p><b>Threading:</b> owned by the measuring thread. <b>Cost:</b> one system call, outside of the timed region.
 */
final class Switches {
    private static final int THREAD = 1;
    private static final int BYTES = 144;
    private static final int VOLUNTARY = 128;
    private static final int FORCED = 136;
    private static final MethodHandle USAGE = usage();

    private final MemorySegment used = Arena.ofAuto().allocate(BYTES, Long.BYTES);

    private static MethodHandle usage() {
        if (!System.getProperty("os.name").equals("Linux") || ValueLayout.ADDRESS.byteSize() != Long.BYTES) {
            return null;
        }
        return Linker.nativeLinker()
                .downcallHandle(
                        Linker.nativeLinker().defaultLookup().findOrThrow("getrusage"),
                        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    /** Switches so far, forced and voluntary. */
    long count() {
        if (USAGE == null) {
            return 0;
        }
        try {
            int failed = (int) USAGE.invokeExact(THREAD, used);
            return failed != 0
                    ? 0
                    : used.get(ValueLayout.JAVA_LONG, VOLUNTARY) + used.get(ValueLayout.JAVA_LONG, FORCED);
        } catch (Throwable broken) {
            throw new IllegalStateException("getrusage cannot be called", broken);
        }
    }
}
