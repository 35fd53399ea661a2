package io.penstock.ffi.nixl;

import io.penstock.ffi.load.LibrarySpec;
import io.penstock.ffi.load.NativeLibrary;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Map;

/**
 * NIXL's C API, {@code libnixl_capi.so}: its functions by what they are about, each as the header of version 1.5 declares
 * it.
 *
 * <p><b>Threading:</b> immutable; each part says what its functions allow. <b>Cost:</b> some 10 ns a call above C, no
 * allocation.
 */
public final class NixlCapi {
    private final NixlSymbols library;
    private final MemorySegment isStub;
    private final NixlAgents agents;
    private final NixlBackends backends;
    private final NixlOptions options;
    private final NixlXferDlists xferDlists;
    private final NixlRegDlists regDlists;
    private final NixlTransfers transfers;
    private final NixlNotifications notifications;
    private final NixlQueries queries;

    private NixlCapi(NixlSymbols library) {
        this.library = library;
        isStub = library.find("nixl_capi_is_stub", Shapes.IS_STUB);
        agents = new NixlAgents(library);
        backends = new NixlBackends(library);
        options = new NixlOptions(library);
        xferDlists = new NixlXferDlists(library);
        regDlists = new NixlRegDlists(library);
        transfers = new NixlTransfers(library);
        notifications = new NixlNotifications(library);
        queries = new NixlQueries(library);
    }

    /** Whether the process found the library. */
    public static boolean isAvailable() {
        return NativeLibrary.of(LibrarySpec.NIXL).isAvailable();
    }

    /** Why the library is not available, in one line; null if it is. */
    public static String unavailabilityCause() {
        return NativeLibrary.of(LibrarySpec.NIXL).cause();
    }

    /**
     * The process's one copy of the library.
     *
     * @throws UnsupportedOperationException it is not available; the message says why
     */
    public static NixlCapi installed() {
        if (!isAvailable()) {
            throw new UnsupportedOperationException("NIXL is not available: " + unavailabilityCause());
        }
        return Installed.CAPI;
    }

    /** Binds at the first call, and only where the library is there. */
    private static final class Installed {
        static final NixlCapi CAPI = of(NativeLibrary.of(LibrarySpec.NIXL).symbols());
    }

    /** Binds a library that was opened. A function that it lacks is in {@link #missing}; calling it throws. */
    public static NixlCapi of(SymbolLookup library) {
        return new NixlCapi(new NixlSymbols(library));
    }

    /** Whether this is the library that only has the names, and does nothing. */
    public boolean isStub() {
        try {
            return (boolean) Shapes.IS_STUB.invokeExact(isStub);
        } catch (Throwable e) {
            throw library.failed("nixl_capi_is_stub", e);
        }
    }

    /** Every function bound, with the types that it is called with; what returns {@code int} returns a status. */
    public Map<String, MethodType> functions() {
        return library.shapes();
    }

    /** Names of the functions that this library lacks. */
    public List<String> missing() {
        return library.missing();
    }

    public NixlAgents agents() {
        return agents;
    }

    public NixlBackends backends() {
        return backends;
    }

    public NixlOptions options() {
        return options;
    }

    public NixlXferDlists xferDlists() {
        return xferDlists;
    }

    public NixlRegDlists regDlists() {
        return regDlists;
    }

    public NixlTransfers transfers() {
        return transfers;
    }

    public NixlNotifications notifications() {
        return notifications;
    }

    public NixlQueries queries() {
        return queries;
    }
}
