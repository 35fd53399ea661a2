package io.penstock.ffi.libc;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/**
 * {@code madvise(2)}, as far as Penstock calls it. Where the C library has none, or the kernel does not know the advice
 * (Linux before 5.14), the call says so and nothing happens.
 *
 * <p><b>Threading:</b> stateless.
 */
public final class Madvise {
    private static final int MADV_POPULATE_WRITE = 23;
    private static final long PAGE_MASK = ~4095L;

    private static final MethodHandle CALL = find();

    private Madvise() {}

    private static MethodHandle find() {
        Linker linker = Linker.nativeLinker();
        SymbolLookup library = linker.defaultLookup();
        MemorySegment function = library.find("madvise").orElse(null);
        return function == null
                ? null
                : linker.downcallHandle(function, FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    }

    /**
     * Makes the pages of a writable mapping present, as writing to them would, without changing a byte. An address that is
     * not mapped any more is refused by the kernel.
     *
     * @param address where, rounded down to a page
     * @param bytes how much
     * @return whether the kernel did it
     */
    public static boolean populateWrite(long address, long bytes) {
        if (CALL == null) {
            return false;
        }
        long begin = address & PAGE_MASK;
        try {
            return (int) CALL.invokeExact(begin, address + bytes - begin, MADV_POPULATE_WRITE) == 0;
        } catch (Throwable impossible) {
            throw new IllegalStateException("madvise cannot be called", impossible);
        }
    }
}
