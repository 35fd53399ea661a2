package io.penstock.dataplane;

import io.penstock.dataplane.pipeline.PipelineView;
import io.penstock.dataplane.pipeline.PipelineView.SlotState;
import io.penstock.dataplane.workers.Fleet;
import io.penstock.dataplane.workers.WorkerState;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * When a router reached each step of its start, in milliseconds since the JVM's own start, and what opening its index
 * files cost.
 *
 * <p><b>Threading:</b> thread-safe; {@link #watch} runs a thread {@code penstock-start} that ends once all is warm.
 */
public final class StartTimes {
    /** Steps, in the order in which they are usually reached. */
    public enum Step {
        /** Our first line runs: the JVM is up. */
        MAIN,
        /** The configuration is read. */
        CONFIG,
        /** Both ports listen. */
        LISTENING,
        /** The first index file is open, repaired where that was due. */
        INDEX,
        /** {@code /ready} answers 200. */
        READY,
        /** Every configured worker takes requests and every rank's blocks count. */
        WARM
    }

    private static final long LOOK_NS = 5_000_000;
    private static final long WATCH_NS = 60_000_000_000L;

    private final long jvmStartMs = ManagementFactory.getRuntimeMXBean().getStartTime();
    private final Map<Step, Long> reached = new ConcurrentHashMap<>();
    private volatile long indexNs;
    private volatile long chronicleNs;

    /** Nothing reached yet. */
    public StartTimes() {}

    /** Notes that a step is reached; the first time counts. */
    public void reached(Step step) {
        reached.putIfAbsent(step, System.currentTimeMillis() - jvmStartMs);
    }

    /** Adds what opening an index file took, Chronicle Map's part of it apart. */
    void opened(long totalNs, long inChronicleNs) {
        indexNs += totalNs;
        chronicleNs += inChronicleNs;
        reached(Step.INDEX);
    }

    /** Notes readiness and warmth as they come; {@code tell} gets one line then. */
    void watch(BooleanSupplier ready, PipelineView view, Fleet fleet, Consumer<String> tell) {
        Thread.ofPlatform().daemon().name("penstock-start").start(() -> {
            long until = System.nanoTime() + WATCH_NS;
            while (System.nanoTime() < until && !reached.containsKey(Step.WARM)) {
                if (ready.getAsBoolean()) {
                    reached(Step.READY);
                    if (warm(view, fleet)) {
                        reached(Step.WARM);
                    }
                }
                LockSupport.parkNanos(this, LOOK_NS);
            }
            if (reached.containsKey(Step.WARM)) {
                tell.accept(line());
            }
        });
    }

    private static boolean warm(PipelineView view, Fleet fleet) {
        List<PipelineView.SlotFigures> slots = view.slots();
        return fleet.list().stream()
                .allMatch(worker -> worker.state() == WorkerState.HEALTHY
                        && slots.stream()
                                .filter(slot -> slot.workerNumber() == worker.number())
                                .allMatch(slot ->
                                        slot.state() == SlotState.PROVEN || slot.state() == SlotState.APPROXIMATE));
    }

    /** The start in one line, seconds. */
    String line() {
        return String.format(
                Locale.ROOT,
                "warm after %.2f s: jvm %.2f, config %.2f, listening %.2f, ready %.2f; index opened in %.2f (chronicle"
                        + " %.2f), at %.2f",
                seconds(Step.WARM),
                seconds(Step.MAIN),
                seconds(Step.CONFIG),
                seconds(Step.LISTENING),
                seconds(Step.READY),
                indexNs / 1e9,
                chronicleNs / 1e9,
                seconds(Step.INDEX));
    }

    private double seconds(Step step) {
        return reached.getOrDefault(step, 0L) / 1e3;
    }

    /** For {@code /health}. */
    Map<String, Object> details() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("jvmStartMs", jvmStartMs);
        all.put("uptimeMs", System.currentTimeMillis() - jvmStartMs);
        Map<String, Object> steps = new LinkedHashMap<>();
        for (Step step : Step.values()) {
            Long at = reached.get(step);
            if (at != null) {
                steps.put(step.name().toLowerCase(Locale.ROOT) + "Ms", at);
            }
        }
        all.put("reached", steps);
        all.put("indexOpenMs", indexNs / 1_000_000);
        all.put("chronicleOpenMs", chronicleNs / 1_000_000);
        return all;
    }
}
