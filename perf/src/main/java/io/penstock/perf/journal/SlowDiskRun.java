package io.penstock.perf.journal;

import com.lmax.disruptor.EventHandler;
import io.penstock.dataplane.core.CoreConfig;
import io.penstock.dataplane.journal.JournalConfig;
import io.penstock.dataplane.journal.JournalWriter;
import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.metrics.CounterFile;
import io.penstock.dataplane.pipeline.DecisionRecord;
import io.penstock.dataplane.pipeline.PipelineConfig;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.pipeline.RouterPipeline;
import io.penstock.dataplane.routing.RoutingConfig;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Requests through a real pipeline at a steady rate, each with a record, while every append takes a given time: what a slow
 * disk does to the answers, and to the records.
 *
 * <p>The requests' model has no worker: what is timed is the way through both rings and the core.
 *
 * <p><b>Threading:</b> the calling thread sends, the pipeline's own do the rest.
 */
final class SlowDiskRun {
    private SlowDiskRun() {}

    /**
     * What came of it.
     *
     * @param ns from publishing a request to its answer
     * @param sent records given to the pipeline
     * @param dropped records counted as dropped
     */
    record Figures(Histogram ns, long sent, long dropped) {}

    /** Sends {@code count} requests, {@code gapNs} apart, with {@code appendNs} an append beside its own time. */
    static Figures run(Path folder, int count, long gapNs, long appendNs) {
        Histogram ns = new Histogram(60_000_000_000L, 3);
        try (CounterFile counters = CounterFile.create(folder.resolve("counters.dat"));
                JournalWriter writer = new JournalWriter(JournalConfig.defaults(), folder, counters, counters::error);
                RouterPipeline pipeline = new RouterPipeline(
                        PipelineConfig.defaults(),
                        CoreConfig.defaults(),
                        RoutingConfig.defaults(),
                        (model, blockSize) -> {
                            throw new IllegalStateException("no worker, no index");
                        },
                        counters,
                        counters::error)) {
            pipeline.addConsumer("journal", slow(writer, appendNs));
            pipeline.start();
            for (int i = 0; i < count; i++) {
                Thread self = Thread.currentThread();
                AtomicLong answered = new AtomicLong();
                RouteRequest request = new RouteRequest(done -> {
                    answered.set(System.nanoTime());
                    LockSupport.unpark(self);
                });
                request.promptTokens = 128;
                long begin = System.nanoTime();
                if (!pipeline.requests().route(request)) {
                    throw new IllegalStateException("request ring full");
                }
                while (answered.get() == 0 || System.nanoTime() - begin < gapNs) {
                    LockSupport.parkNanos(gapNs / 4);
                }
                ns.recordValue(answered.get() - begin);
                pipeline.requests().note(Turns.record("s" + i % 64, i % 64, 8));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
            return new Figures(ns, count, counters.value(Counter.TRACES_DROPPED));
        }
    }

    private static EventHandler<DecisionRecord> slow(JournalWriter writer, long appendNs) {
        return new EventHandler<>() {
            @Override
            public void onStart() {
                writer.onStart();
            }

            @Override
            public void onEvent(DecisionRecord event, long sequence, boolean endOfBatch) {
                if (appendNs > 0 && event.trace != null) {
                    LockSupport.parkNanos(appendNs);
                }
                writer.onEvent(event, sequence, endOfBatch);
            }

            @Override
            public void onShutdown() {
                writer.onShutdown();
            }
        };
    }
}
