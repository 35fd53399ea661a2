package io.penstock.dataplane.pool;

import io.penstock.bindings.pool.ObjectLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import org.agrona.collections.LongHashSet;

/**
 * Asks for single objects between two listings, within a budget: pages that an engine did not find first, then a random
 * sample of all that are held to be there. An object that the store does not have is told as removed, unless an event spoke
 * of it in the meantime.
 *
 * <p>Where a probe lengthens the objects' life in the store, only the former are asked for: a sample would keep alive what
 * nobody uses.
 *
 * <p><b>Threading:</b> owned by the feed.
 */
final class PoolProbes {
    private static final int SAMPLE = 1 << 14;
    private static final int MOST_SUSPECTS = 1_024;
    private static final int WINDOW = 512;
    private static final int ENOUGH = 64;

    private record Suspect(int pool, long[] key) {}

    private final FeedTimes times;
    private final boolean renewing;
    private final PoolCounts counts;
    private final ObjectSample sample;
    private final Deque<Suspect> suspects = new ArrayDeque<>();

    /** Names that events spoke of while a batch was asked for. */
    private final LongHashSet touched = new LongHashSet();

    private boolean asking;
    private double budget;
    private long lastMs;
    private int probed;
    private int stale;

    /** {@code prober} may be null: then nothing is asked for. */
    PoolProbes(FeedTimes times, SharedPool prober, PoolCounts counts, long seed) {
        this.times = prober == null || times.probesPerSecond() == 0 ? null : times;
        this.renewing = prober != null && prober.probeRenewsLeases();
        this.counts = counts;
        sample = new ObjectSample(this.times == null || renewing ? 0 : SAMPLE, seed);
    }

    /** Nothing is known any more. */
    void clear() {
        sample.clear();
        suspects.clear();
        probed = 0;
        stale = 0;
    }

    /** An event spoke of an object. */
    void event(boolean stored, long hash, int pool, int object, long[] key) {
        if (asking) {
            touched.add(hash);
        }
        if (stored) {
            sample.offer(hash, pool, object, key, 0);
        } else {
            sample.drop(hash);
        }
    }

    /** A listing shows an object. */
    void seen(long hash, int pool, int object, long[] words, int at) {
        sample.offer(hash, pool, object, words, at);
    }

    /** A page that an engine did not find. */
    void suspect(int pool, long[] key) {
        if (times == null || suspects.size() == MOST_SUSPECTS) {
            counts.add(PoolCounter.SUSPECTS_DROPPED);
        } else {
            counts.add(PoolCounter.SUSPECTS);
            suspects.add(new Suspect(pool, key));
        }
    }

    /** What to ask for now, or null. */
    ProbeBatch next(long nowMs, ObjectNames names) {
        if (times == null) {
            return null;
        }
        int most = Math.min(ProbeBatch.SIZE, times.probesPerSecond());
        budget = lastMs == 0 ? most : Math.min(most, budget + (nowMs - lastMs) * times.probesPerSecond() / 1_000.0);
        lastMs = nowMs;
        if (budget < most || suspects.isEmpty() && sample.size() == 0) {
            return null;
        }
        ProbeBatch batch = new ProbeBatch();
        while (batch.size() < most && !suspects.isEmpty()) {
            add(batch, suspects.poll(), names, most);
        }
        int turns = Math.min(most - batch.size(), sample.size());
        for (int i = 0; i < turns; i++) {
            sample.turn(batch, names);
        }
        if (batch.size() == 0) {
            return null;
        }
        budget -= batch.size();
        touched.clear();
        asking = true;
        return batch;
    }

    private static void add(ProbeBatch batch, Suspect suspect, ObjectNames names, int most) {
        ObjectLayout layout = names.layout(suspect.pool());
        int objects = layout == null ? 0 : layout.objectsPerPage();
        for (int object = 0; object < objects && batch.size() < most; object++) {
            String name = layout.name(suspect.key(), 0, object);
            batch.add(name, suspect.pool(), object, suspect.key(), 0, true);
        }
    }

    /** Tells what a batch showed; answers whether so much of the sample is gone that all should be listed. */
    boolean answered(ProbeBatch batch, PoolOutbox outbox, int earlyStalePercent) {
        asking = false;
        if (batch.known == 0) {
            counts.add(PoolCounter.MASTER_SILENT);
        }
        for (int i = 0; i < batch.size(); i++) {
            byte answer = batch.known == 0 ? SharedPool.UNKNOWN : batch.answers[i];
            counts.add(answer == SharedPool.UNKNOWN ? PoolCounter.PROBES_UNKNOWN : PoolCounter.PROBES);
            if (answer != SharedPool.UNKNOWN && !touched.contains(batch.hashes[i])) {
                tell(batch, i, answer == SharedPool.PRESENT, outbox);
            }
        }
        boolean early = probed >= ENOUGH && 100L * stale > (long) probed * earlyStalePercent;
        if (early || probed >= WINDOW) {
            probed = 0;
            stale = 0;
        }
        return early;
    }

    private void tell(ProbeBatch batch, int i, boolean present, PoolOutbox outbox) {
        probed += batch.suspected[i] ? 0 : 1;
        if (present) {
            if (batch.suspected[i]) {
                outbox.object(PoolOutbox.STORED, batch.pools[i], batch.objects[i], batch.keys, 4 * i);
            }
            return;
        }
        stale += batch.suspected[i] ? 0 : 1;
        counts.add(PoolCounter.PROBES_STALE);
        sample.drop(batch.hashes[i]);
        outbox.object(PoolOutbox.REMOVED, batch.pools[i], batch.objects[i], batch.keys, 4 * i);
    }
}
