package io.penstock.index.pages;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.UnsafeApi;

/**
 * The one place that touches raw memory: little-endian loads and stores at absolute addresses.
 *
 * <p>With the system property {@code penstock.index.checked=true} (tests) every access must lie inside one mapped page,
 * so that a wrong offset is an exception there and not a crash in production. Off, the check costs nothing: the flag
 * is a constant to the compiler.
 *
 * <p>NOTE(perf): Agrona's UnsafeApi, 1.1 to 1.3 times as fast here as a segment over all memory; the machine must be
 * little-endian.
 *
 * <p><b>Threading:</b> stateless; ordering is the caller's. {@link #storeBarrier} keeps stores in program order.
 */
public final class Memory {
    /** Whether accesses are held against the mapped pages. */
    public static final boolean CHECKED = Boolean.getBoolean("penstock.index.checked");

    private Memory() {}

    /** Loads 8 bytes at a multiple of 8. */
    public static long getLong(long address) {
        if (CHECKED) {
            MappedPages.check(address, Long.BYTES);
        }
        return UnsafeApi.getLong(address);
    }

    /** Stores 8 bytes at a multiple of 8. */
    public static void putLong(long address, long value) {
        if (CHECKED) {
            MappedPages.check(address, Long.BYTES);
        }
        UnsafeApi.putLong(address, value);
    }

    /** Loads 4 bytes at a multiple of 4. */
    public static int getInt(long address) {
        if (CHECKED) {
            MappedPages.check(address, Integer.BYTES);
        }
        return UnsafeApi.getInt(address);
    }

    /** Stores 4 bytes at a multiple of 4. */
    public static void putInt(long address, int value) {
        if (CHECKED) {
            MappedPages.check(address, Integer.BYTES);
        }
        UnsafeApi.putInt(address, value);
    }

    /** Stores one byte. */
    public static void putByte(long address, byte value) {
        if (CHECKED) {
            MappedPages.check(address, Byte.BYTES);
        }
        UnsafeApi.putByte(address, value);
    }

    /** Fills {@code bytes}, a multiple of 8, with zeros. NOTE(perf): a slice's fill allocates until it is compiled. */
    public static void zero(long address, long bytes) {
        for (long at = address; at < address + bytes; at += Long.BYTES) {
            putLong(at, 0);
        }
    }

    /** A view for checksums; allocates. */
    public static ByteBuffer view(long address, int bytes) {
        if (CHECKED) {
            MappedPages.check(address, bytes);
        }
        return MemorySegment.ofAddress(address)
                .reinterpret(bytes)
                .asByteBuffer()
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Stores before are done before stores after. Partner: whoever reads the file after this process was killed; the
     * kernel keeps what the processor had stored, so the order of stores is all that is needed.
     */
    public static void storeBarrier() {
        VarHandle.storeStoreFence();
    }
}
