package io.penstock.perf.index;

import io.penstock.index.PrefixIndex;
import java.util.Map;

/**
 * All events of a stream applied to an empty index: thread CPU time read after every event, as in the peers' program. At
 * the end all workers leave and the sweep's single steps are timed.
 *
 * <p><b>Threading:</b> owned by the benchmark's thread.
 */
final class ApplyRun {
    private final OpsStream ops;
    private final EventFeed feed;
    private final int copies;
    private long storedNs;
    private long removedNs;
    private long worstNs;
    private long worstSweepNs;
    private long events;
    private long allocated;

    ApplyRun(OpsStream ops, Variant variant) {
        this.ops = ops;
        feed = new EventFeed(ops, variant);
        copies = variant.copies();
    }

    /** One pass over {@code index}, empty and with its slots open; figures into {@code line}. */
    void pass(PrefixIndex index, Map<String, Object> line) {
        storedNs = 0;
        removedNs = 0;
        worstNs = 0;
        worstSweepNs = 0;
        events = 0;
        allocated = 0;
        for (int op = 0; op < ops.size; ) {
            op = feed.stage(op);
            timed(index);
        }
        line.put(
                "blocksPerSecond",
                Math.round((ops.blocksStored + ops.blocksRemoved) * copies * 1e9 / (storedNs + removedNs)));
        line.put("storedNsPerBlock", (double) storedNs / (ops.blocksStored * copies));
        line.put("removedNsPerBlock", (double) removedNs / Math.max(1, ops.blocksRemoved * copies));
        line.put("bytesPerPair", (double) index.usedBytes() / ops.livePairs);
        line.put("allocatedBytesPerEvent", (double) allocated / events);
        sweep(index);
        line.put("worstEventNs", worstNs);
        line.put("worstSweepNs", worstSweepNs);
        line.put("worstStepNs", Math.max(worstNs, worstSweepNs));
    }

    private void timed(PrefixIndex index) {
        long before = CoreClock.allocatedBytes();
        long last = CoreClock.cpuNs();
        for (int i = 0; i < feed.size(); i++) {
            long done = feed.apply(index, i);
            long now = CoreClock.cpuNs();
            long took = now - last;
            last = now;
            worstNs = Math.max(worstNs, took);
            if (feed.stores(i)) {
                storedNs += took;
            } else {
                removedNs += took;
            }
            feed.check(i, done);
        }
        events += feed.size();
        allocated += CoreClock.allocatedBytes() - before;
    }

    private void sweep(PrefixIndex index) {
        long last = CoreClock.cpuNs();
        for (int slot = 0; slot < ops.workers; slot++) {
            index.removeSlot(slot);
            last = sweepStep(last);
        }
        while (index.sweep(1) > 0) {
            last = sweepStep(last);
        }
    }

    private long sweepStep(long last) {
        long now = CoreClock.cpuNs();
        worstSweepNs = Math.max(worstSweepNs, now - last);
        return now;
    }
}
