package io.penstock.ffi.load;

import java.util.List;
import java.util.Locale;

/**
 * What Penstock knows about a native library before it looks for it.
 *
 * @param name as people call it
 * @param key last part of its setting's name: {@code libraries.<key>}
 * @param file name of the shared library, as the system's loader looks for it
 * @param packaged where Python packages keep it, as globs below a {@code site-packages} folder, best first
 * @param dependencies SONAMEs that are opened before it, in this order; one that is not there is passed over, since not every
 *     build needs every one
 * @param symbols functions by which the library is recognised
 * @param stub function {@code bool f(void)} that says whether it is a build without content; null if there is no such function
 * @param install what to do where it is absent, one line
 *     <p><b>Threading:</b> immutable.
 */
public record LibrarySpec(
        String name,
        String key,
        String file,
        List<String> packaged,
        List<String> dependencies,
        List<String> symbols,
        String stub,
        String install) {
    /**
     * NIXL's C API. Where Debian's ibverbs providers are installed, UCX takes one of them and with it Debian's libnl; unless
     * that was opened first, the process dies of SIGSEGV at its exit.
     */
    public static final LibrarySpec NIXL = new LibrarySpec(
            "NIXL",
            "nixl",
            "libnixl_capi.so",
            List.of(".nixl_cu*.mesonpy.libs/libnixl_capi.so", ".nixl*.mesonpy.libs/libnixl_capi.so"),
            List.of("libnl-3.so.200", "libnl-route-3.so.200"),
            List.of("nixl_capi_create_agent", "nixl_capi_is_stub"),
            "nixl_capi_is_stub",
            "pip install nixl-cu12 (or nixl-cu13) into the interpreter that libraries.python names");

    /** The Mooncake store's C ABI ({@code store_c.h}; upstream's build option {@code WITH_STORE_C_SHARED}). */
    public static final LibrarySpec MOONCAKE_STORE = new LibrarySpec(
            "Mooncake store",
            "mooncakeStore",
            "libmooncake_store.so",
            List.of("mooncake/libmooncake_store.so"),
            List.of("libnl-3.so.200", "libnl-route-3.so.200", "libibverbs.so.1", "libmlx5.so.1", "libcuda.so.1"),
            List.of("mooncake_store_create", "mooncake_store_batch_is_exist"),
            null,
            "build Mooncake with -DWITH_STORE_C_SHARED=ON and set libraries.mooncakeStore to its libmooncake_store.so");

    /** All of them, in the order in which they are reported. */
    public static final List<LibrarySpec> ALL = List.of(NIXL, MOONCAKE_STORE);

    public LibrarySpec {
        packaged = List.copyOf(packaged);
        dependencies = List.copyOf(dependencies);
        symbols = List.copyOf(symbols);
    }

    /** Key of its path in the env file: {@code NIXL_CAPI}, {@code MOONCAKE_STORE}. */
    String variable() {
        return file.substring("lib".length(), file.indexOf('.')).toUpperCase(Locale.ROOT);
    }

    /** Key of its dependencies' paths there: {@code NIXL_PRELOAD}, {@code MOONCAKE_PRELOAD}. */
    String preloadVariable() {
        String variable = variable();
        return variable.substring(0, variable.indexOf('_')) + "_PRELOAD";
    }
}
