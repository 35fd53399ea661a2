package io.penstock.bindings.zmq;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.penstock.ffi.zmq.LibZmq;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

class ZmqTransportTest {
    private static final int MAX = 1 << 20;

    private final ZmqMessage message = new ZmqMessage(MAX);

    @ParameterizedTest
    @ValueSource(strings = {"jeromq", "libzmq"})
    void shouldReceiveAllPartsWhenAPublisherSends(String name) {
        try (ZContext peer = new ZContext();
                ZmqTransport transport = open(name);
                ZmqPoll poll = transport.poll()) {
            ZMQ.Socket publisher = peer.createSocket(SocketType.PUB);
            publisher.bind("tcp://127.0.0.1:*");
            try (ZmqSocket subscriber = transport.subscriber(publisher.getLastEndpoint(), "kv@")) {
                poll.add(subscriber);
                byte[] large = new byte[100_000];
                Arrays.fill(large, (byte) 7);
                await(() -> {
                    publisher.sendMore("other");
                    publisher.send("unseen");
                    publisher.sendMore("kv@x");
                    publisher.sendMore(new byte[8]);
                    publisher.send(large);
                    return poll.await(10) && poll.ready(0) && subscriber.receive(message);
                });
                assertTrue(message.intact());
                assertEquals(3, message.parts());
                assertEquals("kv@x", new String(message.bytes(), message.start(0), message.length(0), ZMQ.CHARSET));
                assertArrayEquals(
                        large, Arrays.copyOfRange(message.bytes(), message.start(2), message.start(2) + 100_000));
                // A handshake that takes too long (the first one in a JVM may) is given up and begun again.
                assertTrue(subscriber.connections() >= 1, () -> "connections: " + subscriber.connections());
                assertTrue(subscriber.connected());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jeromq", "libzmq"})
    void shouldReceiveFromAllWhenOthersPush(String name) throws java.io.IOException {
        String endpoint;
        try (java.net.ServerSocket free = new java.net.ServerSocket(0)) {
            endpoint = "tcp://127.0.0.1:" + free.getLocalPort();
        }
        try (ZContext peer = new ZContext();
                ZmqTransport transport = open(name);
                ZmqSocket puller = transport.puller(endpoint)) {
            for (int i = 0; i < 2; i++) {
                ZMQ.Socket pusher = peer.createSocket(SocketType.PUSH);
                pusher.connect(endpoint);
                pusher.sendMore("topic");
                pusher.sendMore(new byte[8]);
                pusher.send("body");
            }
            for (int i = 0; i < 2; i++) {
                await(() -> puller.receive(message));
                assertEquals(3, message.parts());
                assertEquals("body", new String(message.bytes(), message.start(2), message.length(2), ZMQ.CHARSET));
            }
            IllegalArgumentException told =
                    assertThrows(IllegalArgumentException.class, () -> transport.puller(endpoint));
            assertTrue(told.getMessage().endsWith("endpoint=" + endpoint), told.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jeromq", "libzmq"})
    void shouldCountConnectionsWhenThePeerComesBack(String name) {
        try (ZmqTransport transport = open(name)) {
            ZContext one = new ZContext();
            ZMQ.Socket first = one.createSocket(SocketType.PUB);
            first.bind("tcp://127.0.0.1:*");
            String endpoint = first.getLastEndpoint();
            try (ZmqSocket subscriber = transport.subscriber(endpoint, "")) {
                await(() -> subscriber.connections() == 1);
                one.close();
                await(
                        () -> subscriber.connections() >= 1 && !subscriber.connected(),
                        () -> subscriber.connections() + " connections, connected " + subscriber.connected());
                try (ZContext two = new ZContext()) {
                    ZMQ.Socket second = two.createSocket(SocketType.PUB);
                    second.bind(endpoint);
                    await(() -> {
                        second.send("hello");
                        return subscriber.receive(message);
                    });
                    assertTrue(subscriber.connections() >= 2);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jeromq", "libzmq"})
    void shouldExchangeRequestsWhenThePeerIsARouter(String name) {
        try (ZContext peer = new ZContext();
                ZmqTransport transport = open(name)) {
            ZMQ.Socket router = peer.createSocket(SocketType.ROUTER);
            router.setSndHWM(0);
            router.bind("tcp://127.0.0.1:*");
            try (ZmqSocket dealer = transport.dealer(router.getLastEndpoint())) {
                assertTrue(dealer.send(new byte[0], new byte[] {1, 2, 3}));
                byte[] identity = router.recv(0);
                assertEquals(0, router.recv(0).length);
                assertArrayEquals(new byte[] {1, 2, 3}, router.recv(0));
                for (int i = 0; i < 5_000; i++) {
                    router.sendMore(identity);
                    router.sendMore(new byte[0]);
                    router.send(new byte[] {(byte) i});
                }
                int[] next = {0};
                await(() -> {
                    while (dealer.receive(message)) {
                        assertEquals((byte) next[0]++, message.bytes()[message.start(1)]);
                    }
                    return next[0] == 5_000;
                });
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jeromq", "libzmq"})
    void shouldMarkTheMessageWhenItIsTooLarge(String name) {
        try (ZContext peer = new ZContext();
                ZmqTransport transport = open(name)) {
            ZMQ.Socket router = peer.createSocket(SocketType.ROUTER);
            router.bind("tcp://127.0.0.1:*");
            try (ZmqSocket dealer = transport.dealer(router.getLastEndpoint())) {
                dealer.send(new byte[0], new byte[1]);
                byte[] identity = router.recv(0);
                router.recv(0);
                router.recv(0);
                router.sendMore(identity);
                router.sendMore(new byte[MAX + 1]);
                router.send("tail");
                router.sendMore(identity);
                for (int i = 0; i < 9; i++) {
                    router.sendMore("part");
                }
                router.send("one too many");
                router.sendMore(identity);
                router.send("small");
                await(() -> dealer.receive(message));
                assertFalse(message.intact());
                await(() -> dealer.receive(message));
                assertFalse(message.intact());
                await(() -> dealer.receive(message));
                assertTrue(message.intact());
                assertEquals(1, message.parts());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jeromq", "libzmq"})
    void shouldRefuseTheEndpointWhenItIsNone(String name) {
        try (ZmqTransport transport = open(name)) {
            for (String endpoint : new String[] {"nonsense", "tcp://127.0.0.1:noport", "gopher://x:1"}) {
                assertThrows(IllegalArgumentException.class, () -> transport.subscriber(endpoint, ""), endpoint);
            }
        }
    }

    @Test
    void shouldAllocateNothingWhenLibzmqReceives() {
        try (ZContext peer = new ZContext();
                ZmqTransport transport = open("libzmq")) {
            ZMQ.Socket router = peer.createSocket(SocketType.ROUTER);
            router.setSndHWM(0);
            router.bind("tcp://127.0.0.1:*");
            try (ZmqSocket dealer = transport.dealer(router.getLastEndpoint())) {
                dealer.send(new byte[0], new byte[1]);
                byte[] identity = router.recv(0);
                router.recv(0);
                router.recv(0);
                ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
                long thread = Thread.currentThread().threadId();
                long least = Long.MAX_VALUE;
                // Warm-up, and the runtime's own allocations now and then: one clean round is asked for.
                for (int round = 0; round < 20 && least > 0; round++) {
                    for (int i = 0; i < 5_000; i++) {
                        router.sendMore(identity);
                        router.sendMore(new byte[8]);
                        router.send(new byte[500]);
                    }
                    int received = 0;
                    long before = threads.getThreadAllocatedBytes(thread);
                    while (received < 5_000) {
                        received += dealer.receive(message) ? 1 : 0;
                        dealer.connections();
                    }
                    least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
                }
                assertEquals(0, least, "bytes over 5,000 messages");
            }
        }
    }

    @Test
    void shouldNameItsVersionOrTheCauseWhenAsked() {
        if (LibZmq.isAvailable()) {
            assertTrue(LibZmq.version().startsWith("4."), LibZmq.version());
            assertEquals("libzmq", ZmqTransport.open("auto").name());
        } else {
            assertTrue(LibZmq.unavailabilityCause() != null);
            assertEquals("jeromq", ZmqTransport.open("auto").name());
            assertThrows(IllegalArgumentException.class, () -> ZmqTransport.open("libzmq"));
        }
        assertThrows(IllegalArgumentException.class, () -> ZmqTransport.open("nanomsg"));
    }

    private static ZmqTransport open(String name) {
        if (name.equals("libzmq") && !LibZmq.isAvailable()) {
            Assumptions.abort("libzmq.so.5 absent: " + LibZmq.unavailabilityCause());
        }
        return ZmqTransport.open(name);
    }

    private static void await(BooleanSupplier condition) {
        await(condition, () -> "deadline over");
    }

    private static void await(BooleanSupplier condition, Supplier<String> otherwise) {
        long end = System.currentTimeMillis() + 20_000;
        while (!condition.getAsBoolean()) {
            assertTrue(System.currentTimeMillis() < end, otherwise);
            java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
        }
    }
}
