package io.penstock.dataplane.pool;

import io.penstock.ffi.mooncake.LibMooncakeStore;
import io.penstock.ffi.mooncake.StoreStatus;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread that makes the calls into Mooncake's library: connects, asks, ends. One question at a time.
 *
 * <p>A question's way: {@link #IDLE} → {@link #ASKED} → {@link #ANSWERED} → {@code IDLE}; or, when nobody waits for it any
 * more, {@code ASKED} → {@link #GIVEN_UP} → {@code IDLE} once the library comes back.
 *
 * <p><b>Threading:</b> questions by one asker; the loop is its own thread; {@link #state} and {@link #cause} by all.
 */
final class StoreCaller implements Runnable {
    private static final int IDLE = 0;
    private static final int ASKED = 1;
    private static final int ANSWERED = 2;
    private static final int GIVEN_UP = 3;

    private static final long FIRST_RETRY_MS = 500;
    private static final long LAST_RETRY_MS = 30_000;

    private final String masterAddress;
    private final String late;
    private final StoreQuestion question = new StoreQuestion();
    private final AtomicInteger phase = new AtomicInteger(IDLE);
    private final Thread thread;
    private volatile Thread asker;
    private volatile boolean connected;
    private volatile boolean closing;
    /** Written after {@link #cause}, read before it. */
    private volatile StoreState state = StoreState.CONNECTING;

    private volatile String cause = "not connected yet";

    StoreCaller(String masterAddress) {
        this.masterAddress = masterAddress;
        this.late = "no answer in time from " + masterAddress;
        // A daemon: the library can take 20 s to end, and the process does not wait for it.
        this.thread = Thread.ofPlatform().daemon().name("pool-mooncake").start(this);
    }

    StoreState state() {
        if (closing) {
            return StoreState.CLOSED;
        }
        return phase.get() == GIVEN_UP ? StoreState.SLOW : state;
    }

    String cause() {
        if (closing) {
            return "closed";
        }
        return phase.get() == GIVEN_UP ? late : cause;
    }

    /** Whether a question can be asked now. */
    boolean idle() {
        return connected && !closing && phase.get() == IDLE;
    }

    /** The question, to be written while {@link #idle}. */
    StoreQuestion question() {
        return question;
    }

    void ask() {
        asker = Thread.currentThread();
        phase.set(ASKED); // releases the question to the loop's acquire
        LockSupport.unpark(thread);
    }

    boolean answered() {
        return phase.get() == ANSWERED; // acquires the answers from the loop's release
    }

    /** Waits no longer; false if the answer has just come. */
    boolean giveUp() {
        return phase.compareAndSet(ASKED, GIVEN_UP);
    }

    /** The answers were read. */
    void taken() {
        phase.set(IDLE);
    }

    @Override
    public void run() {
        MemorySegment store = connect();
        while (!closing) {
            switch (phase.get()) {
                case ASKED -> answer(store);
                case GIVEN_UP -> phase.set(IDLE); // before it was begun
                default -> LockSupport.park(this);
            }
        }
        connected = false;
        LibMooncakeStore.destroy(store);
    }

    private void answer(MemorySegment store) {
        int status = question.put(store);
        // The state first: whoever sees the answer sees it too.
        cause = status == StoreStatus.OK ? null : masterAddress + ": " + StoreStatus.text(status);
        state = status == StoreStatus.OK ? StoreState.READY : StoreState.DOWN;
        if (phase.compareAndSet(ASKED, ANSWERED)) {
            LockSupport.unpark(asker);
        } else {
            phase.set(IDLE);
        }
    }

    /** A store that is set up; NULL when closed before. */
    private MemorySegment connect() {
        long retryMs = FIRST_RETRY_MS;
        while (!closing) {
            MemorySegment store = LibMooncakeStore.create();
            int status = setup(store);
            if (status == StoreStatus.OK) {
                cause = null;
                state = StoreState.READY;
                connected = true;
                return store;
            }
            LibMooncakeStore.destroy(store);
            cause = "cannot be set up with master " + masterAddress + ": " + StoreStatus.text(status);
            state = StoreState.DOWN;
            if (!closing) {
                LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(retryMs));
                retryMs = Math.min(LAST_RETRY_MS, 2 * retryMs);
            }
        }
        return MemorySegment.NULL;
    }

    private int setup(MemorySegment store) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment none = arena.allocateFrom("");
            return LibMooncakeStore.setup(
                    store,
                    arena.allocateFrom("127.0.0.1:" + freePort()), // nobody calls a store that holds nothing
                    arena.allocateFrom("P2PHANDSHAKE"),
                    0,
                    0,
                    arena.allocateFrom("tcp"),
                    none,
                    arena.allocateFrom(masterAddress));
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException none) {
            return 0;
        }
    }

    /** Ends the store; waits so long for that and leaves it to the thread then. */
    void close(long waitMs) {
        closing = true;
        LockSupport.unpark(thread);
        try {
            thread.join(waitMs);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
