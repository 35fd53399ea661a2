package io.penstock.dataplane.hints;

import io.penstock.bindings.kvhint.HintText;
import io.penstock.dataplane.workers.HintSite;
import io.penstock.ffi.nixl.NixlAgent;
import io.penstock.ffi.nixl.NixlPeer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Hints as notifications of the router's NIXL agent, which is made when the first peer is to be met. A hint for an engine whose
 * agent is not known yet, or has gone, is not kept: by the time it could be sent the request is past its use.
 *
 * <p><b>Threading:</b> owned by the sending thread; {@link #problem} from any, {@link #close} when that thread has ended.
 * <b>Cost:</b> NIXL takes 20 µs for 64 blocks and 85 to 290 µs for 4,096 (84 KB) on a busy machine; nothing allocated once its peer
 * is known.
 */
final class NixlHints implements HintWire, AutoCloseable {
    private final HintsConfig config;
    private final Consumer<Throwable> errors;
    private final Map<String, HintPeer> peers = new HashMap<>();
    private final HintMail.Handler handler = this::arrived;
    private List<HintSite> expected;
    private NixlAgent agent;
    private HintMail mail;
    private Answers answers;
    private volatile String problem;

    /** Hints to engines, those that are {@code expected} met at the first tick. */
    NixlHints(HintsConfig config, List<HintSite> expected, Consumer<Throwable> errors) {
        this.config = config;
        this.expected = expected;
        this.errors = errors;
    }

    /** Why nothing can be sent, in one line, or null. */
    String problem() {
        return problem;
    }

    private HintPeer meet(HintSite site) {
        HintPeer peer = peers.get(site.agent());
        if (peer == null || !peer.isAt(site)) {
            peer = new HintPeer(agent, site, System.nanoTime(), errors);
            peers.put(site.agent(), peer);
            peer.tick(System.nanoTime());
        }
        return peer;
    }

    /** Makes the agent, once. */
    private boolean open() {
        if (agent == null && problem == null) {
            try {
                agent = HintAgents.open(config);
                mail = new HintMail(agent);
            } catch (RuntimeException failed) {
                problem = failed.getMessage();
                errors.accept(failed);
            }
        }
        return agent != null;
    }

    @Override
    public boolean deliver(HintSite target, HintText message) {
        if (!open()) {
            return false;
        }
        HintPeer peer = meet(target);
        if (!peer.known()) {
            return false;
        }
        if (mail.send(peer.peer(), message)) {
            return true;
        }
        peer.gone(System.nanoTime());
        return false;
    }

    @Override
    public int poll(Answers to) {
        answers = to;
        return mail == null ? 0 : mail.poll(handler);
    }

    private void arrived(NixlPeer sender, byte[] bytes, int length) {
        answers.message(bytes, length);
    }

    @Override
    public void tick(long nowNs) {
        for (HintSite site : expected) {
            if (open()) {
                meet(site);
            }
        }
        expected = List.of();
        for (HintPeer peer : peers.values()) {
            peer.tick(nowNs);
        }
    }

    @Override
    public void close() {
        if (agent != null) {
            agent.close();
            mail.close();
        }
    }
}
