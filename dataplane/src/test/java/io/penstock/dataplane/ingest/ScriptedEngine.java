package io.penstock.dataplane.ingest;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/**
 * An engine's event sockets, real PUB and ROUTER, that does what the test says: one life, batches of one root block each.
 * Batch {@code k} of life {@code l} stores the block {@code 1000 * l + k}.
 *
 * <p>One thread sends and replays, as engines do; calls wait for it.
 */
final class ScriptedEngine implements AutoCloseable {
    private static final byte[] TOPIC = "kv@test".getBytes(StandardCharsets.UTF_8);
    private static final byte[] NONE = {};

    private record Batch(long sequence, byte[] payload) {}

    private final int life;
    private final boolean topicInReplay;
    private final ZContext context = new ZContext();
    private final ZMQ.Socket publisher = context.createSocket(SocketType.PUB);
    private final ZMQ.Socket router = context.createSocket(SocketType.ROUTER);
    private final Deque<Batch> buffer = new ArrayDeque<>();
    private final LinkedBlockingQueue<Runnable> commands = new LinkedBlockingQueue<>();
    private final Thread thread;
    private final int rank;
    private int window = 10_000;
    private boolean silent;
    private int droppedReply;
    private int requests;
    private long next;
    private volatile boolean closed;

    final String events;
    final String replay;

    /** A first life, at ports of the system's choice. */
    ScriptedEngine(int life, boolean topicInReplay) {
        this(life, topicInReplay, 0, "tcp://127.0.0.1:*", "tcp://127.0.0.1:*");
    }

    ScriptedEngine(int life, boolean topicInReplay, int rank, String events, String replay) {
        this.life = life;
        this.topicInReplay = topicInReplay;
        this.rank = rank;
        publisher.setLinger(0);
        router.setLinger(0);
        router.setSndHWM(0);
        publisher.setSndHWM(0);
        publisher.bind(events);
        router.bind(replay);
        this.events = publisher.getLastEndpoint();
        this.replay = router.getLastEndpoint();
        thread = Thread.ofPlatform().daemon().start(this::run);
    }

    /** Another life of the same engine, at the same ports. */
    ScriptedEngine reborn() {
        close();
        return new ScriptedEngine(life + 1, topicInReplay, rank, events, replay);
    }

    /** Sends batches. */
    void publish(int batches) {
        call(() -> {
            for (int i = 0; i < batches; i++) {
                add(true, batch(life, next, rank));
            }
        });
    }

    /** Batches that stay off the wire; the replay has them. */
    void drop(int batches) {
        call(() -> {
            for (int i = 0; i < batches; i++) {
                add(false, batch(life, next, rank));
            }
        });
    }

    /** Batches that are lost for good. */
    void lose(int batches) {
        call(() -> next += batches);
    }

    /** Sends a payload of the test's own. */
    void publish(byte[] payload) {
        call(() -> add(true, payload));
    }

    /** How many batches the replay keeps. */
    void keep(int batches) {
        call(() -> {
            window = batches;
            trim();
        });
    }

    /** Drops one of the replies to each request, as a router does at its high-water mark. */
    void dropReply(int number) {
        call(() -> droppedReply = number);
    }

    /** Leaves replay requests unanswered. */
    void silence() {
        call(() -> silent = true);
    }

    int requests() {
        int[] answer = new int[1];
        call(() -> answer[0] = requests);
        return answer[0];
    }

    /** Position after batch {@code sequence}. */
    KnownPosition position(long sequence) {
        byte[] payload = batch(life, sequence, rank);
        return new KnownPosition(
                sequence,
                Double.doubleToRawLongBits(timestamp(life, sequence)),
                EventDecoder.batchHash(payload, 0, payload.length));
    }

    static long hash(int life, long sequence) {
        return 1000L * life + sequence;
    }

    private static double timestamp(int life, long sequence) {
        return 1_000_000.0 * life + sequence;
    }

    /** {@code [ts, [["BlockStored", [hash], nil, [life, sequence], 2, nil, "GPU"]], rank]}. */
    static byte[] batch(int life, long sequence, int rank) {
        ByteBuffer out = ByteBuffer.allocate(256);
        out.put((byte) 0x93).put((byte) 0xcb).putDouble(timestamp(life, sequence));
        out.put((byte) 0x91).put((byte) 0x97);
        text(out, "BlockStored");
        out.put((byte) 0x91).put((byte) 0xcf).putLong(hash(life, sequence));
        out.put((byte) 0xc0);
        out.put((byte) 0x92).put((byte) 0xce).putInt(life).put((byte) 0xce).putInt((int) sequence);
        out.put((byte) 2).put((byte) 0xc0);
        text(out, "GPU");
        out.put((byte) rank);
        return java.util.Arrays.copyOf(out.array(), out.position());
    }

    private static void text(ByteBuffer out, String text) {
        out.put((byte) (0xa0 | text.length())).put(text.getBytes(StandardCharsets.UTF_8));
    }

    private void add(boolean send, byte[] payload) {
        Batch batch = new Batch(next++, payload);
        if (send) {
            publisher.send(TOPIC, ZMQ.SNDMORE);
            publisher.send(sequence(batch.sequence), ZMQ.SNDMORE);
            publisher.send(payload);
        }
        buffer.addLast(batch);
        trim();
    }

    private void trim() {
        while (buffer.size() > window) {
            buffer.removeFirst();
        }
    }

    private void run() {
        try (ZMQ.Poller poller = context.createPoller(1)) {
            poller.register(router, ZMQ.Poller.POLLIN);
            while (!closed) {
                poller.poll(1);
                while (answer()) {}
                for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
                    command.run();
                }
            }
        }
        context.close();
    }

    private boolean answer() {
        byte[] peer = router.recv(ZMQ.DONTWAIT);
        if (peer == null) {
            return false;
        }
        router.recv(0);
        long from = ByteBuffer.wrap(router.recv(0)).getLong();
        requests++;
        if (silent) {
            return true;
        }
        int replies = 0;
        for (Batch batch : buffer) {
            if (batch.sequence >= from && ++replies != droppedReply) {
                reply(peer, TOPIC, sequence(batch.sequence), batch.payload);
            }
        }
        reply(peer, NONE, sequence(-1), NONE);
        return true;
    }

    private void reply(byte[] peer, byte[] topic, byte[] sequence, byte[] payload) {
        router.sendMore(peer);
        router.sendMore(NONE);
        if (topicInReplay) {
            router.sendMore(topic);
        }
        router.sendMore(sequence);
        router.send(payload);
    }

    private static byte[] sequence(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    private void call(Runnable command) {
        CountDownLatch done = new CountDownLatch(1);
        commands.add(() -> {
            command.run();
            done.countDown();
        });
        try {
            done.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
