package io.penstock.dataplane.libraries;

import io.penstock.ffi.load.LibrarySearch;
import io.penstock.ffi.load.LibrarySpec;
import io.penstock.ffi.load.NativeLibrary;
import java.nio.file.Path;
import java.util.List;

/**
 * Where the libraries of NIXL and of Mooncake's store are looked for: the given file, then the packages of the interpreter,
 * then the system's library path. Empty keys fall back to the process's variables ({@code PENSTOCK_LIBRARIES_NIXL} and so
 * on).
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param python Python interpreter whose packages are searched; empty: none
 * @param nixl file of NIXL's C library; empty: looked for
 * @param mooncakeStore file of the Mooncake store's C library; empty: looked for
 * @param dependencies files opened before them, in place of the system's of the same name
 */
public record LibrariesConfig(String python, String nixl, String mooncakeStore, List<String> dependencies) {
    public LibrariesConfig {
        python = python == null ? "" : python;
        nixl = nixl == null ? "" : nixl;
        mooncakeStore = mooncakeStore == null ? "" : mooncakeStore;
        dependencies = dependencies == null ? List.of() : List.copyOf(dependencies);
    }

    /** Nothing given. */
    public static LibrariesConfig defaults() {
        return new LibrariesConfig("", "", "", List.of());
    }

    /** How a library is looked for. */
    public LibrarySearch search(LibrarySpec spec) {
        LibrarySearch process = LibrarySearch.ofProcess(spec);
        String file = file(spec);
        return new LibrarySearch(
                file.isEmpty() ? process.library() : Path.of(file),
                python.isEmpty() ? process.python() : python,
                dependencies.isEmpty()
                        ? process.dependencies()
                        : dependencies.stream().map(Path::of).toList(),
                process.note());
    }

    private String file(LibrarySpec spec) {
        if (spec.equals(LibrarySpec.NIXL)) {
            return nixl;
        }
        return spec.equals(LibrarySpec.MOONCAKE_STORE) ? mooncakeStore : "";
    }

    /** Makes it hold for this process; a library that is open already stays. */
    public void use() {
        for (LibrarySpec spec : LibrarySpec.ALL) {
            NativeLibrary.use(spec, search(spec));
        }
    }
}
