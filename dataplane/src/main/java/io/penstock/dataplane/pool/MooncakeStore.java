package io.penstock.dataplane.pool;

import io.penstock.ffi.mooncake.LibMooncakeStore;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A Mooncake store asked through its C library. Its probes are fast and renew the leases of what they find, which keeps it
 * from being evicted: to be used sparingly.
 *
 * <p>The library blocks as long as it likes: 30 s where the master is silent, 4 s for a set-up without a master, 20 s to
 * end after it is gone. So a thread of its own makes the calls, and whoever asks waits no longer than {@link #patienceMs}.
 * While a call that was given up is still under way, nothing can be asked. After a restart of the master the library comes
 * back by itself.
 *
 * <p><b>Threading:</b> one caller at a time; {@link #state}, {@link #cause} and {@link #counts} from any thread.
 * <b>Cost:</b> a probe allocates nothing once its longest names were seen.
 */
public final class MooncakeStore implements SharedPool {
    /** Names in one call of the library. */
    static final int NAMES_PER_QUESTION = StoreQuestion.MOST_NAMES;

    private final String masterAddress;
    private final int patienceMs;
    private final StoreCaller caller;
    private final ProbeCounts counts = new ProbeCounts();
    private final String absent;

    /**
     * Begins to connect, and does not wait for that.
     *
     * @param masterAddress {@code host:port} of the master
     * @param patienceMs longest time for a probe, and for {@link #close}
     */
    public MooncakeStore(String masterAddress, int patienceMs) {
        this.masterAddress = masterAddress;
        this.patienceMs = patienceMs;
        this.absent = LibMooncakeStore.unavailabilityCause();
        this.caller = absent == null ? new StoreCaller(masterAddress) : null;
    }

    @Override
    public String describe() {
        return "Mooncake store of master " + masterAddress;
    }

    @Override
    public int patienceMs() {
        return patienceMs;
    }

    @Override
    public boolean probeRenewsLeases() {
        return true;
    }

    /** Whether it answered last time. */
    public StoreState state() {
        return caller == null ? StoreState.ABSENT : caller.state();
    }

    /** Why it cannot be asked, in one line; null if it can. */
    public String cause() {
        return caller == null ? absent : caller.cause();
    }

    /** What probes learnt. */
    public ProbeCounts counts() {
        return counts;
    }

    @Override
    public int probe(List<String> names, byte[] out) {
        int length = names.size();
        Arrays.fill(out, 0, length, UNKNOWN);
        if (caller != null) {
            long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMs);
            int from = 0;
            while (from < length && caller.idle()) {
                int to = Math.min(length, from + NAMES_PER_QUESTION);
                from = ask(names, from, to, out, deadline) ? to : length;
            }
        }
        return counts.count(out, length);
    }

    private boolean ask(List<String> names, int from, int to, byte[] out, long deadline) {
        StoreQuestion question = caller.question();
        question.write(names, from, to);
        caller.ask();
        while (!caller.answered()) {
            long remainingNs = deadline - System.nanoTime();
            if (remainingNs <= 0 || Thread.currentThread().isInterrupted()) {
                if (caller.giveUp()) {
                    counts.overdueQuestion();
                    return false;
                }
                break; // the answer came at the last moment
            }
            LockSupport.parkNanos(caller, remainingNs);
        }
        boolean whole = question.read(out, from);
        if (!whole) {
            counts.failedQuestion();
        }
        caller.taken();
        return whole;
    }

    @Override
    public void close() {
        if (caller != null) {
            caller.close(patienceMs);
        }
    }
}
