package io.penstock.dataplane.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.penstock.dataplane.metrics.Counter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CoreThreadTest {
    @TempDir
    Path folder;

    @Test
    void shouldAllocateNothingOnTheCoresThreadWhenWarm() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        PipelineBench bench = new PipelineBench(folder, PipelineBench.CONFIG, PipelineBench::index);
        bench.pipeline.addConsumer("journal", (record, sequence, endOfBatch) -> {});
        try (bench) {
            bench.start();
            // Without events the reference index, which allocates, holds nothing and is left at the first block.
            bench.worker(1, false);
            bench.worker(2, false);
            long core = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals("penstock-core"))
                    .findFirst()
                    .orElseThrow()
                    .threadId();
            turn(bench);
            long before = threads.getThreadAllocatedBytes(core);
            turn(bench);
            long perRequest = (threads.getThreadAllocatedBytes(core) - before) / 3_000;
            assertEquals(0, perRequest, "bytes a request");
            assertEquals(6_000, bench.count(Counter.REQUESTS_ROUTED));
        }
    }

    private static void turn(PipelineBench bench) {
        for (int i = 0; i < 3_000; i++) {
            Decision decision = bench.route(1_000L * (i % 50), 20);
            assertTrue(bench.pipeline.requests().firstToken(decision.ticket));
            assertTrue(bench.pipeline.requests().finished(decision.ticket, Outcome.COMPLETED, 5, 3));
        }
    }
}
