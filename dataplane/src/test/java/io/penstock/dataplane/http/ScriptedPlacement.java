package io.penstock.dataplane.http;

import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.pipeline.Decision;
import io.penstock.dataplane.pipeline.Outcome;
import io.penstock.dataplane.pipeline.RequestPort;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.workers.WorkerEndpoint;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Places requests on the first worker that has not failed them, on a thread of its own, and notes what is told. */
final class ScriptedPlacement implements RequestPort, AutoCloseable {
    record End(long ticket, Outcome outcome, int outputTokens, int cachedTokens) {}

    final List<RouteRequest> asked = new CopyOnWriteArrayList<>();
    final List<End> ends = new CopyOnWriteArrayList<>();
    final List<TraceRecord> traces = new CopyOnWriteArrayList<>();
    final List<Long> firstTokens = new CopyOnWriteArrayList<>();
    final List<Integer> progress = new CopyOnWriteArrayList<>();
    volatile boolean full;
    volatile Decision.Status status = Decision.Status.ROUTED;
    private volatile CountDownLatch held = new CountDownLatch(0);
    private final AtomicInteger routed = new AtomicInteger();
    private final AtomicLong tickets = new AtomicLong();
    private final List<WorkerEndpoint> workers = new CopyOnWriteArrayList<>();
    private final ExecutorService core =
            Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory());

    ScriptedPlacement(List<WorkerEndpoint> workers) {
        this.workers.addAll(workers);
    }

    @Override
    public boolean route(RouteRequest request) {
        if (full) {
            return false;
        }
        routed.incrementAndGet();
        core.execute(() -> {
            await();
            asked.add(request);
            decide(request);
            request.reply.decided(request);
        });
        return true;
    }

    /** Answers nothing until the latch is open. */
    void hold(CountDownLatch latch) {
        held = latch;
    }

    /** Requests that came in. */
    int routed() {
        return routed.get();
    }

    private void await() {
        try {
            held.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private void decide(RouteRequest request) {
        Decision decision = request.decision;
        decision.status = status;
        decision.endpoint = null;
        if (status != Decision.Status.ROUTED) {
            return;
        }
        decision.status = Decision.Status.NONE_ELIGIBLE;
        for (WorkerEndpoint worker : workers) {
            boolean failed = Arrays.stream(request.excludedSlots).anyMatch(slot -> slot == worker.slot());
            if (!failed) {
                decision.status = Decision.Status.ROUTED;
                decision.endpoint = worker;
                decision.slot = worker.slot();
                decision.ticket = tickets.incrementAndGet();
                decision.predictedCachedTokens = 32;
                decision.blockSize = 32;
                decision.candidates = 1;
                decision.candidateBlocks[0] = 2;
                decision.candidateBlocks[1] = 1;
                decision.candidateSlot[0] = worker.slot();
                return;
            }
        }
    }

    @Override
    public boolean firstToken(long ticket) {
        return firstTokens.add(ticket);
    }

    @Override
    public boolean progress(long ticket, int outputTokens) {
        return progress.add(outputTokens);
    }

    @Override
    public boolean finished(long ticket, Outcome outcome, int outputTokens, int cachedTokens, TraceRecord trace) {
        if (trace != null) {
            traces.add(trace);
        }
        return ends.add(new End(ticket, outcome, outputTokens, cachedTokens));
    }

    @Override
    public boolean note(TraceRecord trace) {
        return traces.add(trace);
    }

    @Override
    public void close() {
        core.shutdownNow();
    }
}
