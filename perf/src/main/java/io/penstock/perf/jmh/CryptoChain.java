package io.penstock.perf.jmh;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * SGLang's page chain through libcrypto's one-shot SHA-256, to hold the JDK's against it.
 *
 * <p><b>Threading:</b> owned by the benchmark's thread.
 */
final class CryptoChain {
    private static final int DIGEST = 32;

    private final int pageSize;
    private final MethodHandle sha256;
    private final MemorySegment page;

    private CryptoChain(int pageSize, MethodHandle sha256, MemorySegment page) {
        this.pageSize = pageSize;
        this.sha256 = sha256;
        this.page = page;
    }

    /** The system's library; null where there is none. */
    static CryptoChain open(int pageSize) {
        SymbolLookup library;
        try {
            library = SymbolLookup.libraryLookup("libcrypto.so.3", Arena.global());
        } catch (IllegalArgumentException absent) {
            return null;
        }
        MethodHandle handle = Linker.nativeLinker()
                .downcallHandle(
                        library.findOrThrow("SHA256"),
                        FunctionDescriptor.of(
                                ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS),
                        Linker.Option.critical(false));
        return new CryptoChain(pageSize, handle, Arena.global().allocate(DIGEST + 4L * pageSize, Long.BYTES));
    }

    /** Hashes all pages; a word of the last digest. */
    long chain(int[] tokens, int count) {
        int pages = count / pageSize;
        try {
            for (int i = 0; i < pages; i++) {
                MemorySegment.copy(tokens, i * pageSize, page, ValueLayout.JAVA_INT, DIGEST, pageSize);
                MemorySegment from = i == 0 ? page.asSlice(DIGEST) : page;
                MemorySegment result = (MemorySegment) sha256.invokeExact(from, from.byteSize(), page);
                if (result.address() == 0) {
                    throw new IllegalStateException("libcrypto refused");
                }
            }
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        return page.get(ValueLayout.JAVA_LONG, 0);
    }
}
