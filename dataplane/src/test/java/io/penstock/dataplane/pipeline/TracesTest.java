package io.penstock.dataplane.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.metrics.Counter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Traces on their way over the decision ring. */
class TracesTest {
    @TempDir
    Path folder;

    private static TraceRecord trace(PipelineBench bench) {
        TraceRecord trace = new TraceRecord();
        assertTrue(bench.pipeline.requests().note(trace));
        return trace;
    }

    @Test
    void shouldKeepATraceUntilTheSlowestConsumerHasReadItAndNotForever() {
        PipelineBench bench = new PipelineBench(folder, PipelineBench.CONFIG, PipelineBench::index);
        CountDownLatch gate = new CountDownLatch(1);
        List<TraceRecord> fast = new CopyOnWriteArrayList<>();
        List<TraceRecord> slow = new CopyOnWriteArrayList<>();
        Set<DecisionRecord> slots = ConcurrentHashMap.newKeySet();
        bench.pipeline.addConsumer("fast", (record, sequence, endOfBatch) -> {
            slots.add(record);
            if (record.kind == DecisionRecord.Kind.NOTED) {
                fast.add(record.trace);
            }
        });
        bench.pipeline.addConsumer("slow", (record, sequence, endOfBatch) -> {
            gate.await();
            if (record.kind == DecisionRecord.Kind.NOTED) {
                slow.add(record.trace);
            }
        });
        try (bench) {
            bench.start();
            List<TraceRecord> told = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                told.add(trace(bench));
            }
            PipelineBench.await(() -> fast.size() == 10);
            bench.worker(1);
            bench.route(1, 3);
            // A tick has passed when the load shows.
            PipelineBench.await(() -> bench.pipeline.view().slots().getFirst().activeRequests() == 1);
            gate.countDown();
            PipelineBench.await(() -> slow.size() == 10);
            assertEquals(told, fast);
            assertEquals(told, slow);
            PipelineBench.await(() -> slots.stream().map(slot -> slot.trace).noneMatch(Objects::nonNull));
        }
    }

    @Test
    void shouldCountTracesThatFindTheRingFullAndTellTheRest() {
        PipelineBench bench = new PipelineBench(folder, PipelineBench.CONFIG, PipelineBench::index);
        CountDownLatch gate = new CountDownLatch(1);
        List<TraceRecord> read = new CopyOnWriteArrayList<>();
        bench.pipeline.addConsumer("slow", (record, sequence, endOfBatch) -> {
            gate.await();
            read.add(record.trace);
        });
        try (bench) {
            bench.start();
            List<TraceRecord> told = new ArrayList<>();
            for (int i = 0; i < 70; i++) {
                told.add(trace(bench));
                int sent = told.size();
                PipelineBench.await(() -> ring(bench) + bench.count(Counter.TRACES_DROPPED) == sent);
            }
            assertEquals(6, bench.count(Counter.TRACES_DROPPED));
            gate.countDown();
            PipelineBench.await(() -> read.size() == 64);
            assertEquals(told.subList(0, 64), read);
            // The ring has gone round: what is let go of is not what came after.
            List<TraceRecord> more = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                more.add(trace(bench));
                int sent = more.size();
                PipelineBench.await(() -> read.size() == 64 + sent);
            }
            assertEquals(more, read.subList(64, 264));
        }
    }

    private static long ring(PipelineBench bench) {
        return bench.pipeline.view().rings().getLast().used();
    }
}
