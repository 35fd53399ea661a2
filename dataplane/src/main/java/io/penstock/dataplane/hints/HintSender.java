package io.penstock.dataplane.hints;

import io.penstock.bindings.kvhint.HintAction;
import io.penstock.bindings.kvhint.HintAnswer;
import io.penstock.bindings.kvhint.HintMessage;
import io.penstock.bindings.kvhint.RefusedHint;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Sends hints and hears what became of them, on a thread of its own.
 *
 * <p><b>Threading:</b> runs on one thread; {@link #wake} and {@link #close} from any. <b>Cost:</b> what is sent allocates
 * nothing but its journal row; answers are read by Jackson, which allocates.
 */
final class HintSender implements Runnable, AutoCloseable {
    private static final long ANSWER_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long IDLE_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long CLOSE_WAIT_MS = 2_000;

    private final HintQueue queue;
    private final FetchHints hints;
    private final HintWire wire;
    private final PendingHints pending;
    private final HintLog log;
    private final String prefix;
    private final Consumer<Throwable> errors;
    private final Thread thread =
            Thread.ofPlatform().daemon().name("penstock-hints-send").unstarted(this);
    private volatile boolean running = true;

    HintSender(
            HintQueue queue,
            FetchHints hints,
            HintWire wire,
            PendingHints pending,
            HintLog log,
            String prefix,
            Consumer<Throwable> errors) {
        this.queue = queue;
        this.hints = hints;
        this.wire = wire;
        this.pending = pending;
        this.log = log;
        this.prefix = prefix + "-";
        this.errors = errors;
    }

    void start() {
        thread.start();
    }

    /** There is an order. */
    void wake() {
        LockSupport.unpark(thread);
    }

    @Override
    public void run() {
        long ticked = System.nanoTime() - TICK_NS;
        while (running) {
            try {
                boolean worked = send();
                worked |= wire.poll(this::answered) > 0;
                long now = System.nanoTime();
                pending.expire(now);
                if (now - ticked >= TICK_NS) {
                    ticked = now;
                    wire.tick(now);
                }
                if (!worked) {
                    LockSupport.parkNanos(this, pending.isEmpty() ? IDLE_PAUSE_NS : ANSWER_PAUSE_NS);
                }
            } catch (RuntimeException failed) {
                errors.accept(failed);
                LockSupport.parkNanos(this, IDLE_PAUSE_NS);
            }
        }
    }

    private boolean send() {
        boolean any = false;
        for (HintOrder order = queue.poll(); order != null; order = queue.poll()) {
            any = true;
            try {
                long number = hints.tell(order, wire);
                if (number != FetchHints.NONE) {
                    pending.add(number, order, hints.blocks(), System.nanoTime());
                }
            } finally {
                queue.release(order);
            }
        }
        return any;
    }

    private void answered(byte[] bytes, int length) {
        try {
            HintMessage message = HintMessage.decode(bytes, 0, length);
            for (HintAction action : message.actions()) {
                HintAnswer answer = action.is(HintAnswer.TYPE, HintAnswer.VERSION) ? HintAnswer.decode(action) : null;
                if (answer == null
                        || !pending.answered(number(answer.messageId()), answer.outcome(), answer.blocks())) {
                    log.stray();
                }
            }
        } catch (RefusedHint unreadable) {
            log.stray();
        }
    }

    /** Number in one of our message ids, or {@link FetchHints#NONE} in anybody else's. */
    private long number(String messageId) {
        try {
            return messageId.startsWith(prefix)
                    ? Long.parseLong(messageId.substring(prefix.length()))
                    : FetchHints.NONE;
        } catch (NumberFormatException foreign) {
            return FetchHints.NONE;
        }
    }

    @Override
    public void close() {
        running = false;
        wake();
        try {
            thread.join(CLOSE_WAIT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
