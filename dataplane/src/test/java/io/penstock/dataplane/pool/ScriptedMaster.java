package io.penstock.dataplane.pool;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;

/**
 * A master that does what a real one cannot be told to do: loses a message, sends it twice, stops in the middle of a
 * listing. Its event socket is real.
 */
final class ScriptedMaster implements PoolMaster, SharedPool {
    private final ZContext context = new ZContext();
    private final Set<String> objects = new LinkedHashSet<>();
    private ZMQ.Socket publisher = publisher();
    final String endpoint;
    private long sequence;
    private long batches;
    private boolean silent;
    private boolean listless;
    private boolean tellsPublished = true;
    private boolean enabled = true;
    private Runnable duringListing = () -> {};
    private int listings;

    ScriptedMaster() {
        this("tcp://127.0.0.1:*");
    }

    private ScriptedMaster(String endpoint) {
        publisher.bind(endpoint);
        this.endpoint = publisher.getLastEndpoint();
    }

    private ZMQ.Socket publisher() {
        ZMQ.Socket socket = context.createSocket(SocketType.PUB);
        socket.setLinger(0);
        socket.setSndHWM(0);
        return socket;
    }

    /** Puts objects and says so. */
    synchronized void put(String... names) {
        objects.addAll(List.of(names));
        publish("default", "stored", names);
    }

    /** Removes objects and says so. */
    synchronized void remove(String... names) {
        List.of(names).forEach(objects::remove);
        publish("default", "removed", names);
    }

    /** Puts objects; the message is lost. */
    synchronized void putUnheard(String... names) {
        objects.addAll(List.of(names));
        sequence++;
        batches++;
    }

    /** Removes objects and never says so. */
    synchronized void evict(String... names) {
        List.of(names).forEach(objects::remove);
    }

    synchronized void clear() {
        objects.clear();
        publish("default", "cleared", "");
    }

    /** Another life: empty, numbers from 1; the connection stands, as behind a proxy. */
    synchronized void rebirth() {
        objects.clear();
        sequence = 0;
        batches = 0;
    }

    /**
     * The connections end, and can be made again. Unbinding would not do: a connection ends once its socket's thread has agreed,
     * in a later call that may never come.
     */
    synchronized void dropConnections() {
        publisher.close();
        publisher = publisher();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (true) {
            try {
                publisher.bind(endpoint);
                return;
            } catch (ZMQException stillBound) {
                if (System.nanoTime() > deadline) {
                    throw stillBound;
                }
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    synchronized void silence(boolean answersNothing) {
        silent = answersNothing;
    }

    synchronized void silenceListings(boolean givesNone) {
        listless = givesNone;
    }

    synchronized void tellsPublished(boolean does) {
        tellsPublished = does;
    }

    synchronized void enabled(boolean publishes) {
        enabled = publishes;
    }

    /** Runs in the middle of the next listings, behind the names that are there then. */
    synchronized void duringListing(Runnable script) {
        duringListing = script;
    }

    synchronized int listings() {
        return listings;
    }

    synchronized void publish(String tenant, String type, String... names) {
        send(++sequence, batch(tenant, type, names));
        batches++;
    }

    /** Sends frames of the test's own. */
    synchronized void send(long number, byte[] payload) {
        publisher.send(new byte[0], ZMQ.SNDMORE);
        publisher.send(ByteBuffer.allocate(8).putLong(number).array(), ZMQ.SNDMORE);
        publisher.send(payload);
    }

    synchronized long sequence() {
        return sequence;
    }

    synchronized void sendNext(byte[] payload) {
        send(++sequence, payload);
        batches++;
    }

    static byte[] batch(String tenant, String type, String... names) {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packer.packArrayHeader(3).packLong(System.currentTimeMillis()).packArrayHeader(names.length);
            for (String name : names) {
                packer.packMapHeader(3);
                packer.packString("event_type").packString(type);
                packer.packString("object_key").packString(name);
                packer.packString("tenant_id").packString(tenant);
            }
            packer.packInt(0);
            return packer.toByteArray();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Override
    public long list(Names names) throws IOException {
        List<String> now;
        Runnable script;
        synchronized (this) {
            listings++;
            if (silent || listless) {
                throw new IOException("silent");
            }
            now = new ArrayList<>(objects);
            script = duringListing;
        }
        script.run();
        long told = 0;
        for (String name : now) {
            byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
            if (!names.name(bytes, 0, bytes.length)) {
                return -1;
            }
            told++;
        }
        return told;
    }

    @Override
    public synchronized Published published() throws IOException {
        if (silent) {
            throw new IOException("silent");
        }
        return tellsPublished ? new Published(enabled, batches, 0, 0) : null;
    }

    @Override
    public int patienceMs() {
        return 0;
    }

    @Override
    public boolean probeRenewsLeases() {
        return false;
    }

    @Override
    public synchronized int probe(List<String> names, byte[] out) {
        for (int i = 0; i < names.size(); i++) {
            out[i] = silent ? UNKNOWN : objects.contains(names.get(i)) ? PRESENT : ABSENT;
        }
        return silent ? 0 : names.size();
    }

    @Override
    public String describe() {
        return "scripted master";
    }

    /** A latch that a listing waits at. */
    static Runnable waitingFor(CountDownLatch latch) {
        return () -> {
            try {
                latch.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }

    @Override
    public synchronized void close() {
        context.close();
    }
}
