package io.penstock.dataplane.workers;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Ranks are only handed on with endpoints that the ingest will compute itself. */
class IngestFeedsTest {
    private static final WorkerSpec WORKER =
            new WorkerSpec("w", "http://h:1", "m", "vllm", 16, 2, "tcp://h:5", "tcp://h:9", "", null, null);

    @Test
    void shouldRefuseTheRanksWhenTheirPortsDoNotCountUp() {
        RankFeed first = new RankFeed("tcp://h:5", "tcp://h:9", "");
        assertDoesNotThrow(
                () -> IngestFeeds.requireCounted(WORKER, List.of(first, new RankFeed("tcp://h:6", "tcp://h:10", ""))));
        assertDoesNotThrow(
                () -> IngestFeeds.requireCounted(WORKER, List.of(first, new RankFeed("tcp://h:6", null, ""))));
        assertThrows(
                IllegalArgumentException.class,
                () -> IngestFeeds.requireCounted(WORKER, List.of(first, new RankFeed("tcp://h:77", "tcp://h:10", ""))));
        assertThrows(
                IllegalArgumentException.class,
                () -> IngestFeeds.requireCounted(WORKER, List.of(first, new RankFeed("tcp://h:6", "tcp://h:11", ""))));
    }
}
