package io.penstock.perf.journal;

import com.sun.management.ThreadMXBean;
import io.penstock.dataplane.journal.JournalConfig;
import io.penstock.dataplane.journal.JournalWriter;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.pipeline.DecisionRecord;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Appends the turns of many sessions to a journal, as its consumer thread does, and times each.
 *
 * <p><b>Threading:</b> one thread.
 */
final class AppendRun implements AutoCloseable {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int SESSIONS = 64;
    private static final int TURNS = 16;

    private final JournalWriter writer;
    private final DecisionRecord slot = new DecisionRecord();
    private final TraceRecord[] records = new TraceRecord[SESSIONS * TURNS];
    private long dropped;
    private int next;

    /** Sessions whose prompts have {@code blocks} blocks, one more each turn. */
    AppendRun(Path folder, int blocks) {
        writer = new JournalWriter(JournalConfig.defaults(), folder, (counter, amount) -> dropped += amount, failed -> {
            throw new IllegalStateException("journal failed", failed);
        });
        writer.onStart();
        for (int i = 0; i < records.length; i++) {
            int turn = i / SESSIONS;
            int session = i % SESSIONS;
            records[i] = Turns.record("session-" + session, session, Math.max(1, blocks - TURNS + 1 + turn));
        }
    }

    /** What a number of appends took. */
    record Figures(Histogram ns, double bytesPerRecord, double allocatedPerRecord, long dropped) {}

    /**
     * Appends {@code count} records.
     *
     * @param gapNs between the begin of two, awake; 0 for none
     * @param restNs between two, asleep; 0 for none
     */
    Figures run(int count, long gapNs, long restNs) {
        Histogram ns = new Histogram(10_000_000_000L, 3);
        long self = Thread.currentThread().threadId();
        long bytes = bytes();
        long before = dropped;
        // What the account itself costs is taken off.
        long allocated = THREADS.getThreadAllocatedBytes(self);
        long idle = THREADS.getThreadAllocatedBytes(self) - allocated;
        allocated = THREADS.getThreadAllocatedBytes(self);
        for (int i = 0; i < count; i++) {
            slot.trace = records[next];
            next = next + 1 == records.length ? 0 : next + 1;
            long begin = System.nanoTime();
            writer.onEvent(slot, i, true);
            ns.recordValue(System.nanoTime() - begin);
            while (System.nanoTime() - begin < gapNs) {
                Thread.onSpinWait();
            }
            if (restNs > 0) {
                LockSupport.parkNanos(restNs);
            }
        }
        allocated = THREADS.getThreadAllocatedBytes(self) - allocated - idle;
        return new Figures(ns, (bytes() - bytes) / (double) count, allocated / (double) count, dropped - before);
    }

    long bytes() {
        return (long) writer.details().get("bytes");
    }

    @Override
    public void close() {
        writer.onShutdown();
        writer.close();
    }
}
