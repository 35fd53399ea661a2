package io.penstock.ffi.nixl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Tests with the real library: each is skipped, with the library's name and why, where it is not installed. */
abstract class NixlCase {
    NixlCapi capi;

    final Arena arena = Arena.ofShared();

    @BeforeEach
    void open() {
        assumeTrue(NixlCapi.isAvailable(), () -> "without NIXL: " + NixlCapi.unavailabilityCause());
        capi = NixlCapi.installed();
    }

    @AfterEach
    void closeArena() {
        arena.close();
    }

    static void ok(int status) {
        assertEquals("success", NixlConstants.statusText(status));
    }

    MemorySegment text(String text) {
        return arena.allocateFrom(text);
    }

    /** The handle, address or number that a call gives. */
    long out(ToIntFunction<MemorySegment> call) {
        MemorySegment out = arena.allocate(ADDRESS);
        ok(call.applyAsInt(out));
        return out.get(JAVA_LONG, 0);
    }

    int outInt(ToIntFunction<MemorySegment> call) {
        MemorySegment out = arena.allocate(JAVA_INT);
        ok(call.applyAsInt(out));
        return out.get(JAVA_INT, 0);
    }

    boolean outFlag(ToIntFunction<MemorySegment> call) {
        MemorySegment out = arena.allocate(JAVA_BOOLEAN);
        ok(call.applyAsInt(out));
        return out.get(JAVA_BOOLEAN, 0);
    }

    /** Waits for what happens on another thread or in another process. */
    static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within 20 s: " + what);
            }
            Thread.onSpinWait();
            Thread.yield();
        }
    }
}
