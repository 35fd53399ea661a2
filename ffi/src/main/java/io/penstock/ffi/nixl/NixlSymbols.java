package io.penstock.ffi.nixl;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The functions of a library that was opened: where each is, and which are not there. A library older than the header lacks
 * the newest ones; that is no reason to do without the others.
 *
 * <p><b>Threading:</b> filled by one thread, immutable once published.
 */
final class NixlSymbols {
    private final SymbolLookup library;
    private final Map<String, MethodType> shapes = new TreeMap<>();
    private final List<String> missing = new ArrayList<>();

    NixlSymbols(SymbolLookup library) {
        this.library = library;
    }

    /** Address of a function that is called with this shape; NULL where the library has none of that name. */
    MemorySegment find(String name, MethodHandle shape) {
        shapes.put(name, shape.type().dropParameterTypes(0, 1));
        MemorySegment address = library.find(name).orElse(MemorySegment.NULL);
        if (address.equals(MemorySegment.NULL)) {
            missing.add(name);
        }
        return address;
    }

    /** Each function's name, and the Java types that it is called with. */
    Map<String, MethodType> shapes() {
        return Map.copyOf(shapes);
    }

    List<String> missing() {
        return List.copyOf(missing);
    }

    /** What to throw when a call could not be made: the function is not there, or an argument's memory is gone. */
    IllegalStateException failed(String name, Throwable cause) {
        return new IllegalStateException(
                missing.contains(name)
                        ? "not in this NIXL library: function=" + name
                        : "a call into NIXL could not be made: function=" + name,
                cause);
    }
}
