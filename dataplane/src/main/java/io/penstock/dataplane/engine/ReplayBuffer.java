package io.penstock.dataplane.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The last batches of one rank, for who missed them.
 *
 * <p><b>Threading:</b> thread-safe; the engine thread adds, the replay thread reads. <b>Cost:</b> bounded by batches
 * and by bytes.
 */
final class ReplayBuffer {
    private final int maxBatches;
    private final long maxBytes;
    private final ArrayDeque<Batch> batches = new ArrayDeque<>();
    private long bytes;

    /** One published batch. */
    record Batch(long seq, byte[] payload) {}

    ReplayBuffer(int maxBatches, long maxBytes) {
        this.maxBatches = maxBatches;
        this.maxBytes = maxBytes;
    }

    /** Keeps a batch; the oldest go where it gets too much. */
    synchronized void add(long seq, byte[] payload) {
        batches.addLast(new Batch(seq, payload));
        bytes += payload.length;
        while (batches.size() > maxBatches || bytes > maxBytes && batches.size() > 1) {
            bytes -= batches.removeFirst().payload().length;
        }
    }

    /** Batches from a sequence number on, in order. */
    synchronized List<Batch> from(long seq) {
        List<Batch> found = new ArrayList<>();
        for (Batch batch : batches) {
            if (Long.compareUnsigned(batch.seq(), seq) >= 0) {
                found.add(batch);
            }
        }
        return found;
    }

    /** Forgets everything. */
    synchronized void clear() {
        batches.clear();
        bytes = 0;
    }
}
