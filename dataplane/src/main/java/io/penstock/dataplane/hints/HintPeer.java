package io.penstock.dataplane.hints;

import io.penstock.dataplane.workers.HintSite;
import io.penstock.ffi.nixl.NixlAgent;
import io.penstock.ffi.nixl.NixlPeer;
import java.io.IOException;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * An engine's agent on its way to being known: both sides exchange metadata through its listener, again and again with
 * growing pauses until it is there.
 *
 * <p><b>Threading:</b> owned by the sending thread; names are looked up on a thread of their own.
 */
final class HintPeer {
    private static final long FIRST_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final int MOST_DOUBLINGS = 5;

    private final NixlAgent agent;
    private final HintSite site;
    private final NixlPeer peer;
    private final Consumer<Throwable> errors;
    private boolean known;
    private int attempts;
    private long nextNs;
    private volatile boolean asking;

    HintPeer(NixlAgent agent, HintSite site, long nowNs, Consumer<Throwable> errors) {
        this.agent = agent;
        this.site = site;
        this.errors = errors;
        peer = agent.peer(site.agent());
        nextNs = nowNs;
    }

    NixlPeer peer() {
        return peer;
    }

    /** Whether another place was configured since. */
    boolean isAt(HintSite other) {
        return site.agentPort() == other.agentPort() && site.agentHost().equals(other.agentHost());
    }

    /** Whether its metadata is here. */
    boolean known() {
        if (!known && attempts > 0) {
            known = agent.knows(peer);
        }
        return known;
    }

    /** It has gone: what was known of it is dropped, it is asked anew. */
    void gone(long nowNs) {
        agent.forget(peer);
        known = false;
        nextNs = nowNs + pause();
    }

    /** Asks for its metadata where that is due. */
    void tick(long nowNs) {
        if (known()) {
            attempts = 1;
        } else if (nextNs - nowNs <= 0 && !asking) {
            attempts++;
            nextNs = nowNs + pause();
            asking = true;
            Thread.ofVirtual().name("penstock-hints-meet").start(this::ask);
        }
    }

    private long pause() {
        return FIRST_PAUSE_NS << Math.min(attempts, MOST_DOUBLINGS);
    }

    private void ask() {
        try {
            String address = InetAddress.getByName(site.agentHost()).getHostAddress();
            agent.send(address, site.agentPort());
            agent.fetch(peer, address, site.agentPort());
        } catch (IOException | RuntimeException failed) {
            errors.accept(failed);
        } finally {
            asking = false;
        }
    }
}
