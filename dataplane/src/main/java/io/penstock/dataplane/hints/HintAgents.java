package io.penstock.dataplane.hints;

import io.penstock.ffi.load.LibrarySpec;
import io.penstock.ffi.load.NativeLibrary;
import io.penstock.ffi.nixl.NixlAgent;
import io.penstock.ffi.nixl.NixlAgentSettings;
import io.penstock.ffi.nixl.NixlCapi;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;

/**
 * Makes NIXL agents that listen for metadata.
 *
 * <p><b>Threading:</b> stateless.
 */
final class HintAgents {
    private HintAgents() {}

    /**
     * Makes the agent of a configuration.
     *
     * @throws RuntimeException in one line: NIXL is absent, or refuses
     */
    static NixlAgent open(HintsConfig config) {
        return open(config.agent(), config.listenPort() > 0 ? config.listenPort() : freePort());
    }

    /** Makes an agent of a name, listening at a port. */
    static NixlAgent open(String name, int listenPort) {
        return NixlAgent.open(capi(), NixlAgentSettings.named(name).listeningAt(listenPort));
    }

    /** NIXL's functions. */
    static NixlCapi capi() {
        NativeLibrary library = NativeLibrary.of(LibrarySpec.NIXL);
        if (!library.isAvailable()) {
            throw new IllegalStateException("NIXL is not available: " + library.cause());
        }
        return NixlCapi.of(library.symbols());
    }

    /** NIXL takes no 0 for a free port; one that another process takes in between NIXL refuses. */
    static int freePort() {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        } catch (IOException none) {
            throw new UncheckedIOException("no free port for the NIXL agent", none);
        }
    }
}
