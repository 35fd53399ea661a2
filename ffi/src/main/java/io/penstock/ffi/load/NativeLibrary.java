package io.penstock.ffi.load;

import io.penstock.ffi.libc.DynamicLoader;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A native library that was looked for: open with its functions, or a state with its cause. Never an exception: a router
 * without the library runs, and says so.
 *
 * <p>An opened library stays open until the process ends, so its functions may be bound into {@code static final} handles.
 *
 * <p><b>Threading:</b> immutable; the searches are thread-safe.
 */
public final class NativeLibrary {
    private static final Map<LibrarySpec, NativeLibrary> OPENED = new HashMap<>();
    private static final Map<LibrarySpec, LibrarySearch> SEARCHES = new HashMap<>();

    private final LibrarySpec spec;
    private final LibraryState state;
    private final SymbolLookup symbols;
    private final String path;
    private final String version;
    private final String cause;

    private NativeLibrary(
            LibrarySpec spec, LibraryState state, SymbolLookup symbols, String path, String version, String cause) {
        this.spec = spec;
        this.state = state;
        this.symbols = symbols;
        this.path = path;
        this.version = version;
        this.cause = cause;
    }

    /**
     * The process's one copy of a library, looked for at the first call by the search that {@link #use} set, else by
     * {@link LibrarySearch#ofProcess}. Bindings take their handles from here.
     */
    public static NativeLibrary of(LibrarySpec spec) {
        synchronized (OPENED) {
            NativeLibrary library = OPENED.get(spec);
            if (library == null) {
                LibrarySearch search = SEARCHES.get(spec);
                library = find(spec, search == null ? LibrarySearch.ofProcess(spec) : search);
                OPENED.put(spec, library);
            }
            return library;
        }
    }

    /**
     * Sets how {@link #of} looks, before its first call.
     *
     * @return whether it counts: false when the library was looked for already
     */
    public static boolean use(LibrarySpec spec, LibrarySearch search) {
        synchronized (OPENED) {
            if (OPENED.containsKey(spec)) {
                return false;
            }
            SEARCHES.put(spec, search);
            return true;
        }
    }

    /** What {@link #of} found, without looking; null while nothing asked for the library. */
    public static NativeLibrary asked(LibrarySpec spec) {
        synchronized (OPENED) {
            return OPENED.get(spec);
        }
    }

    /** Looks for a library and opens it, with what it needs. Opening runs the library's own initialisers. */
    public static NativeLibrary find(LibrarySpec spec, LibrarySearch search) {
        if (search.library() != null) {
            Path file = search.library().toAbsolutePath();
            return Files.isRegularFile(file)
                    ? open(spec, search, file.toString())
                    : absent(spec, "no such file: libraries." + spec.key() + "=" + file);
        }
        String looked = "";
        boolean silent = false;
        if (search.python() != null) {
            SitePackages packages = SitePackages.of(search.python());
            Path file = packages.find(spec.packaged());
            if (file != null) {
                return open(spec, search, file.toString());
            }
            silent = packages.cause() != null;
            looked = silent
                    ? packages.cause() + "; "
                    : "not in the packages of libraries.python=" + search.python() + "; ";
        }
        NativeLibrary library = open(spec, search, spec.file());
        // The loader's own words about a name that it does not find add nothing.
        if (library.cause == null || !library.cause.startsWith(spec.file() + ": cannot open shared object file")) {
            return library;
        }
        String cause = looked + spec.file() + " is not on the system's library path"
                + (search.note() == null ? "" : "; set-up: " + search.note());
        return silent ? unusable(spec, null, cause) : absent(spec, cause);
    }

    /** Where an interpreter's packages have the library, without opening it; null where they have not. */
    public static Path packagedIn(LibrarySpec spec, String python) {
        return SitePackages.of(python).find(spec.packaged());
    }

    private static NativeLibrary open(LibrarySpec spec, LibrarySearch search, String name) {
        String refused = prepare(order(spec, search));
        String failure = refused == null ? DynamicLoader.open(name) : refused;
        if (failure != null) {
            return unusable(spec, name, failure);
        }
        SymbolLookup symbols = name.indexOf('/') >= 0
                ? SymbolLookup.libraryLookup(Path.of(name), Arena.global())
                : SymbolLookup.libraryLookup(name, Arena.global());
        for (String symbol : spec.symbols()) {
            if (symbols.find(symbol).isEmpty()) {
                return unusable(spec, name, "not the library looked for, it has no function " + symbol + ": " + name);
            }
        }
        if (spec.stub() != null && isStub(symbols, spec.stub())) {
            return unusable(spec, name, "a stub that can do nothing: " + name);
        }
        return new NativeLibrary(spec, LibraryState.FOUND, symbols, name, Distribution.versionOf(Path.of(name)), null);
    }

    /**
     * Opens what the library needs. A path that was given must work, after those that it needs itself if it was named before
     * them; a SONAME is needed by some builds only, and where it is, the library itself says so.
     *
     * @return why one of the paths cannot be opened; null if all are
     */
    private static String prepare(List<String> order) {
        List<String> left = order;
        while (true) {
            List<String> again = new ArrayList<>();
            List<String> failures = new ArrayList<>();
            for (String dependency : left) {
                String failure = DynamicLoader.open(dependency);
                if (failure != null && dependency.indexOf('/') >= 0) {
                    again.add(dependency);
                    failures.add(failure);
                }
            }
            if (again.isEmpty() || again.size() == left.size()) {
                return again.isEmpty() ? null : String.join("; ", failures);
            }
            left = again;
        }
    }

    private static List<String> order(LibrarySpec spec, LibrarySearch search) {
        List<String> order = new ArrayList<>(spec.dependencies());
        for (Path given : search.dependencies()) {
            int at = order.indexOf(given.getFileName().toString());
            if (at >= 0) {
                order.set(at, given.toAbsolutePath().toString());
            } else {
                order.add(given.toAbsolutePath().toString());
            }
        }
        return order;
    }

    private static boolean isStub(SymbolLookup symbols, String function) {
        try {
            return (boolean) Linker.nativeLinker()
                    .downcallHandle(symbols.findOrThrow(function), FunctionDescriptor.of(ValueLayout.JAVA_BOOLEAN))
                    .invokeExact();
        } catch (Throwable impossible) {
            throw new IllegalStateException(function + " cannot be called", impossible);
        }
    }

    private static NativeLibrary absent(LibrarySpec spec, String cause) {
        return new NativeLibrary(spec, LibraryState.ABSENT, null, null, null, cause);
    }

    private static NativeLibrary unusable(LibrarySpec spec, String path, String cause) {
        return new NativeLibrary(spec, LibraryState.UNUSABLE, null, path, null, cause);
    }

    /**
     * A handle for a function of the library. Where the library or the function is missing, it is one that throws
     * {@link UnsupportedOperationException} with the cause when called, so that handles can be {@code static final} anyway.
     *
     * @param name C name
     * @param function its signature
     */
    public MethodHandle bind(String name, FunctionDescriptor function, Linker.Option... options) {
        MemorySegment symbol = symbols == null ? null : symbols.find(name).orElse(null);
        if (symbol != null) {
            return Linker.nativeLinker().downcallHandle(symbol, function, options);
        }
        String why = symbols == null
                ? spec.name() + " is not available: " + cause
                : spec.name() + " has no function " + name + ": " + path;
        MethodType type =
                Linker.nativeLinker().downcallHandle(function, options).type().dropParameterTypes(0, 1);
        MethodHandle thrower = MethodHandles.throwException(type.returnType(), UnsupportedOperationException.class)
                .bindTo(new UnsupportedOperationException(why));
        return MethodHandles.dropArguments(thrower, 0, type.parameterList());
    }

    /** Whether the function is there. */
    public boolean has(String name) {
        return symbols != null && symbols.find(name).isPresent();
    }

    /** Whether it is open. */
    public boolean isAvailable() {
        return state == LibraryState.FOUND;
    }

    /** How the search ended. */
    public LibraryState state() {
        return state;
    }

    /** What was looked for. */
    public LibrarySpec spec() {
        return spec;
    }

    /** Its functions; null unless it is available. */
    public SymbolLookup symbols() {
        return symbols;
    }

    /** The file, or the name by which the system's loader found it; null where it is absent. */
    public String path() {
        return path;
    }

    /** Version of the Python package that the file belongs to; {@code unknown} for another build; null unless available. */
    public String version() {
        return version;
    }

    /** Why it is not available, one line; null if it is. */
    public String cause() {
        return cause;
    }
}
