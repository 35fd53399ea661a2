package io.penstock.dataplane.workers;

import io.penstock.dataplane.ingest.EventIngest;
import io.penstock.dataplane.ingest.KnownPosition;
import io.penstock.dataplane.pipeline.SlotPosition;
import java.util.List;

/**
 * The event ingest as the fleet sees it.
 *
 * <p>The ingest counts ports up with the rank, as all engines do that are given a port. Ranks whose engine let the
 * system choose their ports are refused: the worker is then routed without its events, and says so.
 *
 * <p><b>Threading:</b> thread-safe.
 */
public final class IngestFeeds implements EventFeeds {
    private final EventIngest ingest;

    /** Feeds of this ingest. */
    public IngestFeeds(EventIngest ingest) {
        this.ingest = ingest;
    }

    @Override
    public void add(WorkerSpec worker, List<RankFeed> ranks, List<SlotPosition> positions) {
        requireCounted(worker, ranks);
        ingest.remove(worker.name());
        int[] slots = positions.stream().mapToInt(SlotPosition::slot).toArray();
        KnownPosition[] known = positions.stream().map(IngestFeeds::known).toArray(KnownPosition[]::new);
        ingest.add(worker, slots, known);
    }

    private static KnownPosition known(SlotPosition position) {
        return position.sequence() < 0
                ? KnownPosition.NONE
                : new KnownPosition(position.sequence(), position.timestampBits(), position.batchHash());
    }

    /** Refuses ranks whose endpoints are not rank 0's with the port counted up. */
    static void requireCounted(WorkerSpec worker, List<RankFeed> ranks) {
        String host = worker.uri().getHost();
        for (int rank = 1; rank < ranks.size(); rank++) {
            RankFeed feed = ranks.get(rank);
            boolean events = feed.kvEvents().equals(ZmqEndpoint.resolve(worker.kvEvents(), host, rank));
            String replay = worker.kvReplay() == null ? null : ZmqEndpoint.resolve(worker.kvReplay(), host, rank);
            if (!events || feed.kvReplay() != null && !feed.kvReplay().equals(replay)) {
                throw new IllegalArgumentException("the ports of the ranks do not count up: rank " + rank + "=" + feed);
            }
        }
    }

    @Override
    public void remove(String worker) {
        ingest.remove(worker);
    }

    @Override
    public void replay(String worker, int slot) {
        ingest.requestReplay(slot);
    }
}
