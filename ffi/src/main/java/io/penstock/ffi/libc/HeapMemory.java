package io.penstock.ffi.libc;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/**
 * {@code free(3)}, for what a library allocated and gave away.
 *
 * <p><b>Threading:</b> stateless.
 */
public final class HeapMemory {
    // void free(void *ptr), the pointer as a number
    private static final MethodHandle FREE = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("free"), FunctionDescriptor.ofVoid(JAVA_LONG));

    private HeapMemory() {}

    /** Frees memory that {@code malloc} of the same process gave; 0 = nothing. */
    public static void free(long address) {
        try {
            FREE.invokeExact(address);
        } catch (Throwable impossible) {
            throw new IllegalStateException("free cannot be called", impossible);
        }
    }
}
