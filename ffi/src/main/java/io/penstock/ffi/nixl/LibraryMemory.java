package io.penstock.ffi.nixl;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * Memory that the library owns, by its address: read, and copied out. Nothing here can tell whether an address is still
 * good; the functions that gave it say how long it is.
 *
 * <p><b>Threading:</b> stateless. <b>Cost:</b> {@link #copy} and {@link #byteAt} allocate nothing.
 */
final class LibraryMemory {
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private LibraryMemory() {}

    static byte byteAt(long address) {
        return ALL.get(JAVA_BYTE, address);
    }

    static void copy(long address, MemorySegment to, long bytes) {
        MemorySegment.copy(ALL, address, to, 0, bytes);
    }

    static byte[] bytes(long address, long bytes) {
        byte[] copy = new byte[Math.toIntExact(bytes)];
        MemorySegment.copy(ALL, JAVA_BYTE, address, copy, 0, copy.length);
        return copy;
    }

    /** A C string. */
    static String string(long address) {
        long end = address;
        while (byteAt(end) != 0) {
            end++;
        }
        return new String(bytes(address, end - address), StandardCharsets.UTF_8);
    }
}
