package io.penstock.dataplane.workers;

import io.penstock.dataplane.ingest.EventIngest;
import io.penstock.dataplane.ingest.KnownPosition;
import io.penstock.dataplane.pipeline.SlotPosition;
import java.util.List;

/**
 * The event ingest as the fleet sees it.
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
        ingest.remove(worker.name());
        int[] slots = positions.stream().mapToInt(SlotPosition::slot).toArray();
        KnownPosition[] known = positions.stream().map(IngestFeeds::known).toArray(KnownPosition[]::new);
        ingest.add(worker, ranks, slots, known);
    }

    private static KnownPosition known(SlotPosition position) {
        return position.sequence() < 0
                ? KnownPosition.NONE
                : new KnownPosition(position.sequence(), position.timestampBits(), position.batchHash());
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
