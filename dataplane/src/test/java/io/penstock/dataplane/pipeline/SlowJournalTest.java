package io.penstock.dataplane.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.lmax.disruptor.EventHandler;
import io.penstock.dataplane.journal.JournalConfig;
import io.penstock.dataplane.journal.JournalFolder;
import io.penstock.dataplane.journal.JournalWriter;
import io.penstock.dataplane.journal.TraceReader;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.metrics.Counter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that does not answer costs records, which are counted, and no request its answer. */
class SlowJournalTest {
    private static final int REQUESTS = 500;

    @TempDir
    Path folder;

    @Test
    void shouldDropAndCountRecordsButAnswerRequestsWhenTheDiskStandsStill() {
        PipelineBench bench = new PipelineBench(folder, PipelineBench.CONFIG, PipelineBench::index);
        JournalWriter writer =
                new JournalWriter(JournalConfig.defaults(), folder, bench.counters, bench.counters::error);
        CountDownLatch disk = new CountDownLatch(1);
        bench.pipeline.addConsumer("journal", new EventHandler<>() {
            @Override
            public void onStart() {
                writer.onStart();
            }

            @Override
            public void onEvent(DecisionRecord event, long sequence, boolean endOfBatch) throws Exception {
                disk.await();
                writer.onEvent(event, sequence, endOfBatch);
            }

            @Override
            public void onShutdown() {
                writer.onShutdown();
            }
        });
        try (bench) {
            bench.start();
            bench.worker(1);
            for (int i = 0; i < REQUESTS; i++) {
                // Waits for the answer; it comes though nobody takes a record from the ring.
                Decision decision = bench.route(1_000L * i, 4);
                assertEquals(Decision.Status.ROUTED, decision.status);
                TraceRecord trace = new TraceRecord();
                trace.requestId = "r" + i;
                PipelineBench.await(
                        () -> bench.pipeline.requests().finished(decision.ticket, Outcome.COMPLETED, 1, 0, trace));
            }
            bench.route(7, 4);
            long dropped = bench.count(Counter.TRACES_DROPPED);
            assertTrue(dropped >= REQUESTS - PipelineBench.CONFIG.decisionRingSlots(), "dropped: " + dropped);
            disk.countDown();
            List<String> read = new ArrayList<>();
            try (TraceReader reader = JournalFolder.reader(folder.resolve("journal"))) {
                PipelineBench.await(() -> {
                    for (TraceRecord record = reader.next(); record != null; record = reader.next()) {
                        read.add(record.requestId);
                    }
                    return read.size() == REQUESTS - dropped;
                });
            }
            assertEquals("r0", read.getFirst());
            assertEquals(REQUESTS, read.size() + bench.count(Counter.TRACES_DROPPED));
        } finally {
            writer.close();
        }
    }
}
