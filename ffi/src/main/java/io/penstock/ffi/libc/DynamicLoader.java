package io.penstock.ffi.libc;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/**
 * {@code dlopen(3)} and {@code dlerror(3)}: opening a shared library for good and, unlike {@link SymbolLookup}, saying why
 * it could not be opened (the library that it needs and that is missing, above all).
 *
 * <p><b>Threading:</b> thread-safe; {@code dlerror} is the calling thread's.
 */
public final class DynamicLoader {
    private static final int RTLD_LAZY = 1;
    private static final long TEXT_BYTES = 16 << 10;

    // void *dlopen(const char *filename, int flags)
    private static final MethodHandle DLOPEN = find("dlopen", FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));
    // char *dlerror(void)
    private static final MethodHandle DLERROR = find("dlerror", FunctionDescriptor.of(ADDRESS));

    private DynamicLoader() {}

    private static MethodHandle find(String name, FunctionDescriptor function) {
        Linker linker = Linker.nativeLinker();
        MemorySegment symbol = linker.defaultLookup().find(name).orElse(null);
        return symbol == null ? null : linker.downcallHandle(symbol, function);
    }

    /**
     * Opens a library and never closes it. Its symbols stay its own ({@code RTLD_LOCAL}); libraries opened later find it by
     * its SONAME.
     *
     * @param name a path, or a file name that the system's loader looks for
     * @return null when it is open, else what the loader said
     */
    public static String open(String name) {
        if (DLOPEN == null || DLERROR == null) {
            return "this system's C library has no dlopen";
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = (MemorySegment) DLOPEN.invokeExact(arena.allocateFrom(name), RTLD_LAZY);
            if (handle.address() != 0) {
                return null;
            }
            MemorySegment text = (MemorySegment) DLERROR.invokeExact();
            return text.address() == 0
                    ? name + ": refused without a reason"
                    : text.reinterpret(TEXT_BYTES).getString(0);
        } catch (Throwable impossible) {
            throw new IllegalStateException("dlopen cannot be called", impossible);
        }
    }
}
