package io.penstock.ffi.nixl;

/**
 * How an agent is made.
 *
 * <p>Some progress thread is needed: without one a notification leaves only when its sender polls. One that never sleeps
 * takes half a core when idle, 1,000 µs between looks take 2 % of one.
 *
 * @param name the agent's name, by which the others know it
 * @param listenPort port at which it gives and takes metadata; 0 = it does not listen. NIXL listens on all addresses
 * @param progressDelayUs microseconds between looks of the progress thread; negative = no such thread
 * @param listenDelayUs microseconds between looks of the listener thread
 * @param telemetry whether transfers are timed
 *     <p><b>Threading:</b> immutable.
 */
public record NixlAgentSettings(
        String name, int listenPort, long progressDelayUs, long listenDelayUs, boolean telemetry) {
    private static final long PROGRESS_DELAY_US = 1000;
    private static final long LISTEN_DELAY_US = 10_000;

    public NixlAgentSettings {
        if (name.isEmpty() || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a NIXL agent needs a name: name=" + name);
        }
        if (listenPort < 0 || listenPort > 0xffff) {
            throw new IllegalArgumentException("not a port: listenPort=" + listenPort);
        }
    }

    /** An agent of this name that does not listen. */
    public static NixlAgentSettings named(String name) {
        return new NixlAgentSettings(name, 0, PROGRESS_DELAY_US, LISTEN_DELAY_US, false);
    }

    /** The same agent, listening at a port. */
    public NixlAgentSettings listeningAt(int port) {
        return new NixlAgentSettings(name, port, progressDelayUs, listenDelayUs, telemetry);
    }

    /** The same agent, with transfers timed. */
    public NixlAgentSettings timed() {
        return new NixlAgentSettings(name, listenPort, progressDelayUs, listenDelayUs, true);
    }
}
