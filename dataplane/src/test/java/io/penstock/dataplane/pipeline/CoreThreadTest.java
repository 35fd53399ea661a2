package io.penstock.dataplane.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.penstock.dataplane.inputlog.InputLog;
import io.penstock.dataplane.inputlog.InputLogConfig;
import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.metrics.CounterFile;
import io.penstock.dataplane.routing.RoutingConfig;
import io.penstock.index.IndexConfig;
import io.penstock.index.OffHeapIndex;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CoreThreadTest {
    @TempDir
    Path folder;

    @Test
    void shouldAllocateNothingOnTheCoresThreadWhenWarm() {
        assertNothingAllocated(counters -> CoreTap.NONE, () -> {});
    }

    @Test
    void shouldAllocateNothingOnTheCoresThreadWhenItsInputsAreLogged() {
        List<InputLog> logs = new ArrayList<>();
        assertNothingAllocated(
                counters -> {
                    logs.add(InputLog.open(
                            InputLogConfig.defaults(),
                            folder.resolve("log"),
                            PipelineBench.CORE,
                            RoutingConfig.defaults(),
                            counters,
                            counters::error));
                    return logs.getFirst().tap();
                },
                () -> logs.getFirst().close());
    }

    private void assertNothingAllocated(Function<CounterFile, CoreTap> tap, Runnable afterPipeline) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        PipelineBench bench = new PipelineBench(
                folder,
                PipelineBench.CONFIG,
                (model, blockSize) -> OffHeapIndex.open(
                        new IndexConfig(folder.resolve("index.pst"), blockSize, 1 << 14, 1 << 16, 64)),
                tap);
        bench.afterPipeline = afterPipeline;
        bench.pipeline.addConsumer("journal", (record, sequence, endOfBatch) -> {});
        try (bench) {
            bench.start();
            bench.worker(1);
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
            assertEquals(0, perRequest, "bytes a request with its life cycle and an event of 20 blocks");
            assertEquals(6_000, bench.count(Counter.REQUESTS_ROUTED));
            assertEquals(0, bench.count(Counter.CORE_FAILURES));
            assertEquals(0, bench.count(Counter.INPUT_LOG_DROPPED));
            assertTrue(bench.count(Counter.BLOCKS_STORED) > 5_000 * 20);
        }
    }

    private static void turn(PipelineBench bench) {
        for (int i = 0; i < 3_000; i++) {
            long stem = 1_000L * (i % 50);
            Decision decision = bench.route(stem, 20);
            PipelineBench.await(() -> bench.store(bench.slot(1), stem, 20));
            assertTrue(bench.pipeline.requests().firstToken(decision.ticket));
            assertTrue(bench.pipeline.requests().finished(decision.ticket, Outcome.COMPLETED, 5, 3));
        }
    }
}
