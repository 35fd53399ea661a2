package io.penstock.dataplane.ingest;

import io.penstock.dataplane.workers.RankFeed;
import io.penstock.dataplane.workers.WorkerSpec;

/**
 * One rank of one worker: what its feed listens to and where the events go.
 *
 * @param worker name of the worker
 * @param engine name of the engine
 * @param rank data-parallel rank
 * @param ranks ranks of the worker
 * @param slot slot of the rank
 * @param blockSize tokens of a block
 * @param events endpoint of the events
 * @param replay endpoint of the replay socket, or null
 * @param topic topic prefix, empty for all
 * @param position last batch known
 */
record FeedTarget(
        String worker,
        String engine,
        int rank,
        int ranks,
        int slot,
        int blockSize,
        String events,
        String replay,
        String topic,
        KnownPosition position) {

    /**
     * The target of a rank.
     *
     * @throws IllegalArgumentException if the worker has no block size or the rank no event endpoint
     */
    static FeedTarget of(WorkerSpec spec, RankFeed feed, int rank, int slot, KnownPosition position) {
        require(feed.kvEvents() != null, "a rank without an event endpoint", "kvEvents", feed.kvEvents());
        require(spec.blockSize() > 0, "a worker without a block size", "blockSize", spec.blockSize());
        return new FeedTarget(
                spec.name(),
                spec.engine(),
                rank,
                spec.dpSize(),
                slot,
                spec.blockSize(),
                feed.kvEvents(),
                feed.kvReplay() == null || feed.kvReplay().isEmpty() ? null : feed.kvReplay(),
                feed.topic(),
                position);
    }

    private static void require(boolean holds, String wrong, String name, Object value) {
        if (!holds) {
            throw new IllegalArgumentException(wrong + ": " + name + "=" + value);
        }
    }
}
