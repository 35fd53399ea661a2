package io.penstock.dataplane.engine;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/**
 * Answers replay requests of all ranks: {@code ["", start seq]} gets {@code ["", topic, seq, payload]} for each kept
 * batch from there on,
 * then the end marker {@code ["", "", ff×8, ""]} (vLLM 0.26 and later).
 *
 * <p>A REQ peer's eight bytes arrive in the same frames. Anything else is counted and left unanswered.
 *
 * <p><b>Threading:</b> a thread of its own that owns the ROUTER sockets.
 */
final class ReplayServer implements AutoCloseable {
    private static final byte[] EMPTY = new byte[0];
    private static final byte[] END_SEQ = {-1, -1, -1, -1, -1, -1, -1, -1};
    private static final long POLL_MS = 100;

    private final ZContext context;
    private final List<ZMQ.Socket> sockets = new ArrayList<>();
    private final List<String> endpoints = new ArrayList<>();
    private final List<ReplayBuffer> buffers;
    private final byte[] topic;
    private final Thread thread;
    private volatile boolean closing;
    private volatile long malformed;

    /** Binds a ROUTER for each buffer and starts to answer. */
    ReplayServer(ZContext context, EngineConfig config, List<ReplayBuffer> buffers) {
        this.context = context;
        this.buffers = buffers;
        this.topic = config.events().topic().getBytes(StandardCharsets.UTF_8);
        for (int rank = 0; rank < buffers.size(); rank++) {
            ZMQ.Socket socket = context.createSocket(SocketType.ROUTER);
            sockets.add(socket);
            socket.setLinger(0);
            // A full replay must not be cut short by the high-water mark: a ROUTER drops what is over it.
            socket.setSndHWM(0);
            endpoints.add(
                    KvPublisher.bind(socket, config.host(), config.events().replayPort(), rank));
        }
        thread = Thread.ofPlatform().daemon().name("engine-replay").unstarted(this::run);
        thread.start();
    }

    /** Where a rank's replay is asked for. */
    String endpoint(int rank) {
        return endpoints.get(rank);
    }

    /** Requests that made no sense. */
    long malformed() {
        return malformed;
    }

    private void run() {
        try (ZMQ.Poller poller = context.createPoller(sockets.size())) {
            for (ZMQ.Socket socket : sockets) {
                poller.register(socket, ZMQ.Poller.POLLIN);
            }
            while (!closing) {
                poller.poll(POLL_MS);
                for (int rank = 0; rank < sockets.size() && !closing; rank++) {
                    if (poller.pollin(rank)) {
                        answer(sockets.get(rank), buffers.get(rank));
                    }
                }
            }
        } finally {
            sockets.forEach(ZMQ.Socket::close);
        }
    }

    private void answer(ZMQ.Socket socket, ReplayBuffer buffer) {
        List<byte[]> frames = new ArrayList<>();
        do {
            frames.add(socket.recv(0));
        } while (socket.hasReceiveMore());
        byte[] last = frames.getLast();
        if (frames.size() != 3 || frames.get(1).length != 0 || last.length != Long.BYTES) {
            malformed++;
            return;
        }
        byte[] peer = frames.getFirst();
        for (ReplayBuffer.Batch batch : buffer.from(ByteBuffer.wrap(last).getLong())) {
            send(socket, peer, topic, KvPublisher.bigEndian(batch.seq()), batch.payload());
        }
        send(socket, peer, EMPTY, END_SEQ, EMPTY);
    }

    private static void send(ZMQ.Socket socket, byte[] peer, byte[] topic, byte[] seq, byte[] payload) {
        socket.send(peer, ZMQ.SNDMORE);
        socket.send(EMPTY, ZMQ.SNDMORE);
        socket.send(topic, ZMQ.SNDMORE);
        socket.send(seq, ZMQ.SNDMORE);
        socket.send(payload, 0);
    }

    @Override
    public void close() {
        closing = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
