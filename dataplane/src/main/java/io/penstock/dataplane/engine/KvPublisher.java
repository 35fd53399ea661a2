package io.penstock.dataplane.engine;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/**
 * One rank's event stream: PUB frames {@code [topic, seq as 8 bytes big-endian, payload]}, seq from 0 in each life.
 *
 * <p><b>Threading:</b> {@link #publish} and {@link #restart} by the engine thread; the fault counters by any.
 */
final class KvPublisher implements AutoCloseable {
    private static final int HIGH_WATER_MARK = 100_000;
    /**
     * JeroMQ 0.6 now and then leaves a peer's handshake unread when it comes in one piece with the greeting (10 of 400
     * connections on a busy machine);
     * with a short limit the peer connects again at once, and not after JeroMQ's 30 seconds.
     */
    private static final int HANDSHAKE_MS = 500;

    private final ZMQ.Socket socket;
    private final ReplayBuffer replay;
    private final byte[] topic;
    private final String endpoint;
    private final AtomicInteger toDrop = new AtomicInteger();
    private final AtomicInteger toLose = new AtomicInteger();
    private volatile long nextSeq;

    /** Binds the socket. */
    KvPublisher(ZContext context, EngineConfig config, int rank, ReplayBuffer replay) {
        this.replay = replay;
        this.topic = config.events().topic().getBytes(StandardCharsets.UTF_8);
        socket = context.createSocket(SocketType.PUB);
        socket.setSndHWM(HIGH_WATER_MARK);
        socket.setLinger(0);
        endpoint = bind(socket, config.host(), config.events().kvPort(), rank);
    }

    /** Binds to {@code port + rank}, or to a port of the system's choice; answers the endpoint. */
    static String bind(ZMQ.Socket socket, String host, int port, int rank) {
        socket.setHandshakeIvl(HANDSHAKE_MS);
        String address = "0.0.0.0".equals(host) ? "*" : host;
        String wanted = "tcp://" + address + ":" + (port == 0 ? "*" : Integer.toString(port + rank));
        if (!socket.bind(wanted)) {
            throw new IllegalArgumentException("cannot bind the event socket: endpoint=" + wanted);
        }
        return port == 0 ? socket.getLastEndpoint().replace("0.0.0.0", "*") : wanted;
    }

    /** Where subscribers connect. */
    String endpoint() {
        return endpoint;
    }

    /** Sequence number of the next batch. */
    long nextSeq() {
        return nextSeq;
    }

    /** Keeps the next {@code batches} from the wire; the replay still has them. */
    void dropNext(int batches) {
        toDrop.addAndGet(batches);
    }

    /** Loses the next {@code batches} for good. */
    void loseNext(int batches) {
        toLose.addAndGet(batches);
    }

    /** Sends a batch. It is in the replay buffer before it is on the wire, so that no one can fall between the two. */
    void publish(byte[] payload) {
        long seq = nextSeq;
        nextSeq = seq + 1;
        if (takeOne(toLose)) {
            return;
        }
        replay.add(seq, payload);
        if (takeOne(toDrop)) {
            return;
        }
        socket.send(topic, ZMQ.SNDMORE);
        socket.send(bigEndian(seq), ZMQ.SNDMORE);
        socket.send(payload, 0);
    }

    /** A new life: from 0 again, nothing to replay. */
    void restart() {
        replay.clear();
        nextSeq = 0;
    }

    static byte[] bigEndian(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    private static boolean takeOne(AtomicInteger counter) {
        return counter.get() > 0 && counter.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
    }

    @Override
    public void close() {
        socket.close();
    }
}
