package io.penstock.ffi.nixl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.TreeMap;

/**
 * The pairs of a {@code nixl_capi_params_t}, read into Java.
 *
 * <p><b>Threading:</b> stateless.
 */
public final class NixlParams {
    private NixlParams() {}

    /**
     * Reads all pairs. The parameters stay the caller's.
     *
     * @throws NixlException they cannot be read
     */
    public static Map<String, String> pairs(NixlCapi capi, long params) {
        NixlBackends backends = capi.backends();
        Map<String, String> pairs = new TreeMap<>();
        try (Arena call = Arena.ofConfined()) {
            MemorySegment key = call.allocate(ADDRESS);
            MemorySegment value = call.allocate(ADDRESS);
            MemorySegment flag = call.allocate(JAVA_BOOLEAN);
            NixlException.check(backends.paramsIsEmpty(params, flag), "parameters cannot be read");
            boolean more = !flag.get(JAVA_BOOLEAN, 0);
            NixlException.check(backends.paramsCreateIterator(params, key), "parameters cannot be read");
            long iterator = key.get(JAVA_LONG, 0);
            while (more) {
                NixlException.check(
                        backends.paramsIteratorNext(iterator, key, value, flag), "parameters cannot be read");
                pairs.put(LibraryMemory.string(key.get(JAVA_LONG, 0)), LibraryMemory.string(value.get(JAVA_LONG, 0)));
                more = flag.get(JAVA_BOOLEAN, 0);
            }
            backends.paramsDestroyIterator(iterator);
        }
        return pairs;
    }
}
