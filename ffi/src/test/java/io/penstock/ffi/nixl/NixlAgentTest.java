package io.penstock.ffi.nixl;

import static io.penstock.ffi.nixl.NixlConstants.NIXL_CAPI_ERROR_NOT_FOUND;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NixlAgentTest extends NixlCase {
    private final MemorySegment buffer = arena.allocate(4096);
    private NixlAgent router;
    private NixlAgent engine;
    private NixlPeer enginePeer;
    private long sum;

    @BeforeEach
    void introduce() {
        router = NixlAgent.open(capi, NixlAgentSettings.named("router"));
        engine = NixlAgent.open(capi, NixlAgentSettings.named("engine"));
        enginePeer = router.load(engine.metadata());
    }

    @AfterEach
    void close() {
        if (router != null) {
            router.close();
            engine.close();
        }
    }

    private List<String> taken(int count) {
        List<String> taken = new ArrayList<>();
        await(count + " notifications", () -> {
            engine.poll(
                    buffer,
                    (sender, data, bytes) -> taken.add(sender + " " + bytes + " "
                            + new String(data.asSlice(0, Math.min(bytes, data.byteSize()))
                                    .toArray(JAVA_BYTE))));
            return taken.size() >= count;
        });
        return taken;
    }

    @Test
    void shouldDeliverNotificationsInOrderWhenThePeerIsKnown() {
        assertEquals("engine", enginePeer.name());
        assertSame(enginePeer, router.peer("engine"));
        assertTrue(router.knows(enginePeer));
        byte[] hint = {'a', 0, 1, 'z'};
        ok(router.notify(enginePeer, arena.allocateFrom(JAVA_BYTE, hint), hint.length));
        assertEquals(List.of("router 4 a\0\1z"), taken(1));
        for (int i = 0; i < 100; i++) {
            ok(router.notify(enginePeer, text("n" + i), 3));
        }
        List<String> taken = taken(100);
        for (int i = 0; i < 100; i++) {
            assertEquals("router 3 " + ("n" + i + "\0").substring(0, 3), taken.get(i));
        }
    }

    @Test
    void shouldRefuseToNotifyWhenThePeerIsNotKnown() {
        NixlPeer nobody = router.peer("nobody");
        assertEquals(NIXL_CAPI_ERROR_NOT_FOUND, router.notify(nobody, buffer, 1));
        ok(router.forget(enginePeer));
        assertEquals(NIXL_CAPI_ERROR_NOT_FOUND, router.notify(enginePeer, buffer, 1));
        assertSame(enginePeer, router.load(engine.metadata()));
        ok(router.notify(enginePeer, buffer, 1));
        assertEquals(1, taken(1).size());
    }

    @Test
    void shouldSayTheWholeLengthWhenTheBufferIsSmaller() {
        MemorySegment large = arena.allocate(10_000);
        large.set(JAVA_INT, 0, 42);
        ok(router.notify(enginePeer, large, large.byteSize()));
        List<Long> lengths = new ArrayList<>();
        await("the notification", () -> engine.poll(buffer, (sender, data, bytes) -> lengths.add(bytes)) > 0);
        assertEquals(List.of(10_000L), lengths);
        assertEquals(42, buffer.get(JAVA_INT, 0));
    }

    @Test
    void shouldAllocateNothingWhenNotificationsAreSentAndTaken() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().threadId();
        MemorySegment hint = arena.allocate(256);
        NixlNotificationHandler handler = (sender, data, bytes) -> sum += bytes + data.get(JAVA_BYTE, 0);
        for (int i = 0; i < 300; i++) {
            exchange(hint, handler);
        }
        long least = Long.MAX_VALUE;
        // The runtime now and then allocates a little on this thread: one clean round shows what the calls need.
        for (int round = 0; round < 20 && least > 0; round++) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int i = 0; i < 50; i++) {
                exchange(hint, handler);
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        assertEquals(0, least, "bytes over 50 notifications, checksum " + sum);
    }

    private void exchange(MemorySegment hint, NixlNotificationHandler handler) {
        if (router.notify(enginePeer, hint, hint.byteSize()) != 0) {
            throw new AssertionError("not sent");
        }
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (engine.poll(buffer, handler) == 0) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not taken");
            }
            Thread.yield();
        }
    }

    @Test
    void shouldRefuseCallsWhenItIsClosed() {
        router.close();
        router.close();
        assertThrows(IllegalStateException.class, () -> router.notify(enginePeer, buffer, 1));
        assertThrows(IllegalStateException.class, () -> router.knows(enginePeer));
        assertThrows(IllegalStateException.class, () -> router.poll(buffer, (sender, data, bytes) -> sum += bytes));
        assertThrows(IllegalStateException.class, router::metadata);
        assertThrows(IllegalStateException.class, () -> router.load(new byte[1]));
        assertThrows(IllegalStateException.class, () -> router.fetch(enginePeer, "127.0.0.1", 1));
        assertThrows(IllegalStateException.class, () -> router.send("127.0.0.1", 1));
        assertThrows(IllegalStateException.class, () -> router.createBackend("POSIX"));
    }

    @Test
    void shouldRefuseToBeClosedOrPolledByAHandler() {
        ok(router.notify(enginePeer, buffer, 1));
        NixlNotificationHandler nested = (sender, data, bytes) -> sum += bytes;
        List<Throwable> refusals = new ArrayList<>();
        NixlNotificationHandler handler = (sender, data, bytes) -> {
            refusals.add(assertThrows(IllegalStateException.class, engine::close));
            refusals.add(assertThrows(IllegalStateException.class, () -> engine.poll(data, nested)));
        };
        await("the notification", () -> engine.poll(buffer, handler) > 0);
        assertEquals(2, refusals.size());
    }

    @Test
    void shouldDeliverEverythingWhenManyThreadsSend() throws InterruptedException {
        List<Thread> senders = new ArrayList<>();
        AtomicInteger refused = new AtomicInteger();
        for (int i = 0; i < 4; i++) {
            senders.add(Thread.ofPlatform().start(() -> {
                for (int n = 0; n < 500; n++) {
                    refused.addAndGet(router.notify(enginePeer, buffer, 64) == 0 ? 0 : 1);
                }
            }));
        }
        MemorySegment inbox = arena.allocate(64);
        AtomicInteger count = new AtomicInteger();
        await(
                "2000 notifications",
                () -> count.addAndGet(engine.poll(inbox, (sender, data, bytes) -> sum += bytes)) == 2000);
        assertEquals(0, refused.get());
        assertEquals(2000 * 64, sum);
        for (Thread sender : senders) {
            sender.join();
        }
    }

    @Test
    void shouldRefuseTheCallsOfOtherThreadsWhenItIsClosedUnderThem() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(4);
        AtomicInteger refused = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            boolean polls = i == 0;
            threads.add(Thread.ofPlatform().start(() -> {
                started.countDown();
                try {
                    while (true) {
                        if (polls) {
                            router.poll(buffer, (sender, data, bytes) -> sum += bytes);
                        } else {
                            router.notify(enginePeer, buffer, 64);
                        }
                    }
                } catch (IllegalStateException closed) {
                    refused.incrementAndGet();
                }
            }));
        }
        started.await();
        router.close();
        await("the refusals", () -> refused.get() == 4);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @Test
    void shouldRefuseBytesThatAreNoMetadata() {
        assertThrows(NixlException.class, () -> router.load(new byte[] {1, 2, 3}));
        assertThrows(NixlException.class, () -> router.load(new byte[0]));
    }

    @Test
    void shouldRefuseSettingsThatMakeNoSense() {
        assertThrows(IllegalArgumentException.class, () -> NixlAgentSettings.named(""));
        assertThrows(
                IllegalArgumentException.class,
                () -> NixlAgentSettings.named("a").listeningAt(65_536));
    }
}
