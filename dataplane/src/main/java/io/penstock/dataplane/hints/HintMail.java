package io.penstock.dataplane.hints;

import static io.penstock.ffi.nixl.NixlConstants.NIXL_CAPI_SUCCESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.penstock.bindings.kvhint.HintText;
import io.penstock.ffi.nixl.NixlAgent;
import io.penstock.ffi.nixl.NixlPeer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * KvHint messages as NIXL notifications of one agent: JSON text, as it is.
 *
 * <p><b>Threading:</b> owned by one thread. <b>Cost:</b> sending and an empty {@link #poll} allocate nothing once the longest
 * message was seen.
 */
final class HintMail implements AutoCloseable {
    /** Longest message taken in: 32,768 block hashes fit. */
    private static final int MOST_BYTES = 1 << 20;

    /** Takes one message that came in. */
    @FunctionalInterface
    interface Handler {
        /** It is in the first {@code length} bytes and must not be kept. Must not throw. */
        void message(NixlPeer sender, byte[] bytes, int length);
    }

    private final NixlAgent agent;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment in = arena.allocate(MOST_BYTES);
    private byte[] arrived = new byte[1 << 12];
    private MemorySegment out = arena.allocate(1 << 16);
    private Handler handler;

    HintMail(NixlAgent agent) {
        this.agent = agent;
    }

    /** Sends the message; false when the peer is not known, or gone. */
    boolean send(NixlPeer peer, HintText message) {
        int length = message.length();
        if (length > out.byteSize()) {
            out = arena.allocate(2L * length);
        }
        MemorySegment.copy(message.bytes(), 0, out, JAVA_BYTE, 0, length);
        return agent.notify(peer, out, length) == NIXL_CAPI_SUCCESS;
    }

    /** Hands over what has come in; a message that is too long comes as an empty one. Answers how many. */
    int poll(Handler to) {
        handler = to;
        return agent.poll(in, this::arrived);
    }

    private void arrived(NixlPeer sender, MemorySegment data, long bytes) {
        if (bytes > data.byteSize()) {
            handler.message(sender, arrived, 0);
            return;
        }
        int length = (int) bytes;
        if (length > arrived.length) {
            arrived = new byte[length];
        }
        MemorySegment.copy(data, JAVA_BYTE, 0, arrived, 0, length);
        handler.message(sender, arrived, length);
    }

    @Override
    public void close() {
        arena.close();
    }
}
