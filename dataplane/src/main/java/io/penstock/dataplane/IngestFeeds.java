package io.penstock.dataplane;

import io.penstock.dataplane.ingest.EventIngest;
import io.penstock.dataplane.ingest.KnownPosition;
import io.penstock.dataplane.pipeline.SlotPosition;
import io.penstock.dataplane.workers.EventFeeds;
import io.penstock.dataplane.workers.RankFeed;
import io.penstock.dataplane.workers.WorkerSpec;
import java.util.List;

/**
 * Hands the fleet's workers to the event ingest.
 *
 * <p><b>Threading:</b> called on the fleet's control thread.
 */
record IngestFeeds(EventIngest ingest) implements EventFeeds {
    @Override
    public void add(WorkerSpec worker, List<RankFeed> ranks, List<SlotPosition> positions) {
        ingest.remove(worker.name());
        RankFeed first = ranks.getFirst();
        WorkerSpec known = new WorkerSpec(
                worker.name(),
                worker.url(),
                worker.model(),
                worker.engine(),
                worker.blockSize(),
                ranks.size(),
                first.kvEvents(),
                first.kvReplay(),
                first.topic(),
                worker.adapters(),
                worker.taints());
        ingest.add(
                known,
                positions.stream().mapToInt(SlotPosition::slot).toArray(),
                positions.stream().map(IngestFeeds::known).toArray(KnownPosition[]::new));
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
