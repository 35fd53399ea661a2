package io.penstock.dataplane.pipeline;

import com.lmax.disruptor.AlertException;
import com.lmax.disruptor.Sequence;
import com.lmax.disruptor.SequenceBarrier;
import com.lmax.disruptor.WaitStrategy;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * How the core waits for two rings at once: both rings' producers signal here after they publish.
 *
 * <p>The core announces that it parks, looks once more, then parks; a producer publishes, then looks whether the core
 * is parked. One of the two sees the other.
 *
 * <p><b>Threading:</b> waits on the core's thread, signals from any.
 */
final class CoreWait implements WaitStrategy {
    private static final VarHandle PARKED;

    static {
        try {
            PARKED = MethodHandles.lookup().findVarHandle(CoreWait.class, "parked", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final WaitMode mode;
    private volatile Thread core;

    @SuppressWarnings("unused") // through PARKED
    private boolean parked;

    CoreWait(WaitMode mode) {
        this.mode = mode;
    }

    void coreIs(Thread thread) {
        core = thread;
    }

    /** Nothing was to do: waits as the mode says. {@code work} tells whether something has come meanwhile. */
    void idle(BooleanSupplier work) {
        switch (mode) {
            case BUSY_SPIN -> Thread.onSpinWait();
            case YIELDING -> Thread.yield();
            case BLOCKING -> {
                PARKED.setVolatile(this, true);
                // Pairs with the fence in signalAllWhenBlocking: store parked, then load cursors.
                VarHandle.fullFence();
                if (!work.getAsBoolean()) {
                    LockSupport.park(this);
                    // An interrupt would make every later park return at once.
                    Thread.interrupted();
                }
                PARKED.setVolatile(this, false);
            }
        }
    }

    @Override
    public void signalAllWhenBlocking() {
        if (mode == WaitMode.BLOCKING) {
            // Pairs with the fence in idle: store cursor, then load parked.
            VarHandle.fullFence();
            // The exchange lets one of many producers pay for the wake-up.
            if ((boolean) PARKED.getVolatile(this) && (boolean) PARKED.getAndSet(this, false)) {
                LockSupport.unpark(core);
            }
        }
    }

    /** The core polls and never waits on a barrier. */
    @Override
    public long waitFor(long sequence, Sequence cursor, Sequence dependent, SequenceBarrier barrier)
            throws AlertException {
        throw new UnsupportedOperationException("the core polls");
    }
}
