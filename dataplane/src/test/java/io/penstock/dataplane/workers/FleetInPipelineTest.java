package io.penstock.dataplane.workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.dataplane.core.CoreConfig;
import io.penstock.dataplane.ingest.EventIngest;
import io.penstock.dataplane.ingest.FeedStatus;
import io.penstock.dataplane.ingest.IngestConfig;
import io.penstock.dataplane.metrics.CounterFile;
import io.penstock.dataplane.pipeline.PipelineConfig;
import io.penstock.dataplane.pipeline.PipelineView.SlotFigures;
import io.penstock.dataplane.pipeline.PipelineView.SlotState;
import io.penstock.dataplane.pipeline.RouterPipeline;
import io.penstock.dataplane.routing.RoutingConfig;
import io.penstock.index.reference.ReferenceIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fleet with the real pipeline and the real event ingest behind it. */
class FleetInPipelineTest {
    private static final FleetConfig QUICK = new FleetConfig(2_000, 10, 50, 50, 20, 1_000, 2, 1, null);

    @TempDir
    Path folder;

    @Test
    void shouldShowEveryChangeInTheCoreWhenAWorkerLivesItsLife() throws IOException {
        List<Throwable> fatal = new CopyOnWriteArrayList<>();
        CounterFile counters = CounterFile.create(folder.resolve("counters.dat"));
        try (TestEngine engine = new TestEngine().serving("m", "lora").vllm(16, 5_557);
                RouterPipeline pipeline = new RouterPipeline(
                        PipelineConfig.defaults(),
                        CoreConfig.defaults(),
                        RoutingConfig.defaults(),
                        (model, blockSize) -> new ReferenceIndex(blockSize, 1 << 16, 64),
                        counters,
                        fatal::add)) {
            pipeline.start();
            try (EventIngest ingest = new EventIngest(IngestConfig.defaults(), pipeline.events());
                    Fleet fleet = new Fleet(QUICK, pipeline.membership(), new IngestFeeds(ingest))) {
                fleet.add(WorkerSpec.of("w", engine.url()));
                await("fed", () -> ingest.status().size() == 1);
                FeedStatus feed = ingest.status().getFirst();
                assertEquals("w", feed.worker());
                await("in the core", () -> pipeline.view().slots().size() == 1);
                SlotFigures slot = pipeline.view().slots().getFirst();
                assertEquals(feed.slot(), slot.slot());
                assertEquals(16, slot.blockSize());
                assertEquals(fleet.names().worker("w"), slot.workerNumber());
                engine.statuses.put("/health", 500);
                await("unhealthy", () -> state(pipeline) == SlotState.UNHEALTHY);
                engine.statuses.clear();
                await("healthy", () -> state(pipeline) == SlotState.PROVEN);
                fleet.drain("w");
                await("draining", () -> state(pipeline) == SlotState.DRAINING);
                fleet.add(WorkerSpec.of("w", engine.url()));
                await("resumed", () -> state(pipeline) == SlotState.PROVEN);
                engine.vllm(32, 6_000);
                await("another engine", () -> pipeline.view().slots().stream().anyMatch(s -> s.blockSize() == 32));
                await("fed again", () -> ingest.status().size() == 1);
                fleet.remove("w");
                await(
                        "gone",
                        () -> pipeline.view().slots().isEmpty()
                                && ingest.status().isEmpty());
            }
        } finally {
            counters.close();
        }
        assertEquals(List.of(), fatal);
    }

    private static SlotState state(RouterPipeline pipeline) {
        List<SlotFigures> slots = pipeline.view().slots();
        return slots.isEmpty() ? null : slots.getFirst().state();
    }

    private static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadline, "not within 20 s: " + what);
            LockSupport.parkNanos(1_000_000);
        }
    }
}
