package io.penstock.dataplane.workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.dataplane.pipeline.MembershipPort;
import io.penstock.dataplane.pipeline.SlotPosition;
import io.penstock.dataplane.pipeline.WorkerAddition;
import io.penstock.dataplane.routing.BusyThresholds;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Workers come, fall ill, recover, change and go, with engines on real sockets. */
class FleetTest {
    private static final FleetConfig QUICK = new FleetConfig(2_000, 10, 50, 50, 20, 1_000, 2, 1, null);

    private final Calls calls = new Calls();
    private Fleet fleet;
    private TestEngine engine;

    /** Writes down what core and feeds are told, in order, and gives slots as the core does. */
    private static final class Calls implements MembershipPort, EventFeeds {
        final List<String> log = new CopyOnWriteArrayList<>();
        final AtomicInteger full = new AtomicInteger();
        volatile WorkerAddition last;
        volatile String refusal;

        private boolean accepts() {
            return full.getAndUpdate(left -> Math.max(0, left - 1)) == 0;
        }

        @Override
        public boolean addWorker(WorkerAddition worker) {
            if (!accepts()) {
                return false;
            }
            last = worker;
            log.add("add " + worker.name() + " block=" + worker.blockSize() + " events=" + worker.kvEvents());
            if (refusal == null) {
                worker.reply().added(worker.number(), slots(worker.dpSize()));
            } else {
                worker.reply().refused(worker.number(), refusal);
            }
            return true;
        }

        static List<SlotPosition> slots(int ranks) {
            return java.util.stream.IntStream.range(0, ranks)
                    .mapToObj(rank -> new SlotPosition(7 + rank, rank, -1, 0, 0, 0))
                    .toList();
        }

        @Override
        public boolean drain(int workerNumber) {
            return accepts() && log.add("drain " + workerNumber);
        }

        @Override
        public boolean remove(int workerNumber) {
            return accepts() && log.add("remove " + workerNumber);
        }

        @Override
        public boolean setHealthy(int workerNumber, boolean healthy) {
            return accepts() && log.add("healthy " + workerNumber + " " + healthy);
        }

        @Override
        public boolean setBusyThresholds(int model, BusyThresholds thresholds) {
            return accepts();
        }

        @Override
        public void add(WorkerSpec worker, List<RankFeed> ranks, List<SlotPosition> positions) {
            log.add("feed " + worker.name() + " " + ranks.getFirst().kvEvents() + " slot="
                    + positions.getFirst().slot());
        }

        @Override
        public void remove(String worker) {
            log.add("unfeed " + worker);
        }

        @Override
        public void replay(String worker, int slot) {
            log.add("replay " + worker + " " + slot);
        }
    }

    @BeforeEach
    void start() throws IOException {
        engine = new TestEngine().serving("m", "lora").vllm(16, 5_557);
        fleet = new Fleet(QUICK, calls, calls);
    }

    @AfterEach
    void stop() {
        fleet.close();
        engine.close();
    }

    private static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadline, "not within 20 s: " + what);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private void awaitState(String worker, WorkerState state) {
        await(worker + " " + state, () -> status(worker).state() == state);
    }

    private WorkerStatus status(String worker) {
        return fleet.list().stream()
                .filter(status -> status.name().equals(worker))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldJoinAndFeedWhenTheEngineAnswers() {
        fleet.add(WorkerSpec.of("w", engine.url()));
        awaitState("w", WorkerState.HEALTHY);
        assertEquals(List.of("add w block=16 events=true", "feed w tcp://127.0.0.1:5557 slot=7"), calls.log);
        WorkerStatus status = status("w");
        assertEquals(List.of(7), status.slots());
        assertEquals("vllm", status.engine());
        assertEquals(List.of("lora"), status.adapters());
        assertNull(status.problem());
        assertEquals(64, calls.last.totalKvBlocks());
        assertEquals(engine.port(), calls.last.endpoints().getFirst().port());
        assertEquals("lora", fleet.models().resolve("lora").adapterName());
        assertEquals(engine.url(), fleet.url("m"));
        assertNull(fleet.url("other"));
    }

    @Test
    void shouldJoinLaterWhenTheEngineIsDownAtFirst() throws IOException {
        int port = engine.port();
        engine.close();
        fleet.add(WorkerSpec.of("w", "http://127.0.0.1:" + port));
        await("a reason", () -> status("w").problem() != null);
        assertEquals(WorkerState.RESOLVING, status("w").state());
        assertTrue(calls.log.isEmpty());
        engine = new TestEngine(port).serving("m").vllm(16, 5_557);
        awaitState("w", WorkerState.HEALTHY);
        assertNull(status("w").problem());
    }

    @Test
    void shouldTellTheCoreWhenHealthChanges() {
        fleet.add(WorkerSpec.of("w", engine.url()));
        awaitState("w", WorkerState.HEALTHY);
        engine.statuses.put("/health", 503);
        awaitState("w", WorkerState.UNHEALTHY);
        await("told", () -> calls.log.contains("healthy 0 false"));
        assertNull(fleet.url("m"));
        engine.statuses.clear();
        awaitState("w", WorkerState.HEALTHY);
        await("told again", () -> calls.log.contains("healthy 0 true"));
        assertEquals(2, status("w").transitions());
        assertFalse(calls.log.contains("unfeed w"));
    }

    @Test
    void shouldFallIllAtOnceWhenConnectionsFail() {
        fleet.close();
        FleetConfig slowProbes = new FleetConfig(2_000, 10, 50, 0, 3_600_000, 1_000, 2, 1, null);
        fleet = new Fleet(slowProbes, calls, calls);
        fleet.add(WorkerSpec.of("w", engine.url()));
        awaitState("w", WorkerState.HEALTHY);
        engine.close();
        fleet.reportFailure("w");
        awaitState("w", WorkerState.UNHEALTHY);
        fleet.reportFailure("unknown");
    }

    @Test
    void shouldLeaveAndJoinAgainWhenAnotherEngineAnswers() {
        fleet.add(WorkerSpec.of("w", engine.url()));
        awaitState("w", WorkerState.HEALTHY);
        calls.log.clear();
        engine.vllm(32, 6_000);
        await("joined again", () -> calls.log.contains("feed w tcp://127.0.0.1:6000 slot=7"));
        assertEquals(List.of("unfeed w", "remove 0", "add w block=32 events=true"), calls.log.subList(0, 3));
        assertEquals(32, fleet.models().resolve("m").blockSizes()[0]);
    }

    @Test
    void shouldOnlyDescribeAnewWhenAnAdapterIsLoaded() {
        fleet.add(WorkerSpec.of("w", engine.url()));
        awaitState("w", WorkerState.HEALTHY);
        calls.log.clear();
        engine.serving("m", "lora", "second");
        await("adapter known", () -> fleet.models().resolve("second") != null);
        await("told", () -> calls.last.adapters().size() == 2);
        assertEquals(List.of("add w block=16 events=true"), calls.log);
    }

    @Test
    void shouldReadEventsAnewWhenTheCoreReopensItsIndexes() {
        fleet.add(WorkerSpec.of("w", engine.url()));
        awaitState("w", WorkerState.HEALTHY);
        calls.log.clear();
        calls.last.reply().added(0, List.of(new SlotPosition(7, 0, 41, 1, 2, 3)));
        await("fed again", () -> calls.log.contains("feed w tcp://127.0.0.1:5557 slot=7"));
        calls.last.reply().replayWanted(7);
        await("replay", () -> calls.log.contains("replay w 7"));
    }

    @Test
    void shouldDrainResumeAndRemoveWhenAsked() {
        fleet.add(WorkerSpec.of("w", engine.url()));
        awaitState("w", WorkerState.HEALTHY);
        assertThrows(IllegalArgumentException.class, () -> fleet.add(WorkerSpec.of("w", engine.url())));
        calls.log.clear();
        assertTrue(fleet.drain("w"));
        awaitState("w", WorkerState.DRAINING);
        fleet.add(WorkerSpec.of("w", engine.url()));
        awaitState("w", WorkerState.HEALTHY);
        assertTrue(fleet.remove("w"));
        await("removed", () -> calls.log.contains("remove 0"));
        assertEquals(List.of("drain 0", "add w block=16 events=true", "unfeed w", "remove 0"), calls.log);
        assertTrue(fleet.list().isEmpty());
        assertFalse(fleet.drain("w"));
        assertFalse(fleet.remove("w"));
        await("adapter gone", () -> fleet.models().resolve("lora") == null);
        assertNotNull(fleet.models().resolve("m"));
        fleet.add(WorkerSpec.of("w", engine.url()));
        awaitState("w", WorkerState.HEALTHY);
        assertEquals(1, status("w").number());
    }

    @Test
    void shouldKeepTheOrderWhenTheRingIsFull() {
        calls.full.set(50);
        fleet.add(WorkerSpec.of("w", engine.url()));
        await("resolved", () -> status("w").state() == WorkerState.JOINING || !calls.log.isEmpty());
        fleet.drain("w");
        fleet.remove("w");
        await("removed", () -> calls.log.contains("remove 0"));
        List<String> core =
                calls.log.stream().filter(call -> !call.contains("feed")).toList();
        assertEquals(List.of("add w block=16 events=true", "drain 0", "remove 0"), core);
        assertFalse(calls.log.stream().anyMatch(call -> call.startsWith("feed")), "events of a worker that went");
    }

    @Test
    void shouldTryAgainWhenTheCoreRefuses() {
        calls.refusal = "no slot left";
        fleet.add(WorkerSpec.of("w", engine.url()));
        awaitState("w", WorkerState.REFUSED);
        assertEquals("refused by the core: no slot left", status("w").problem());
        engine.serving("m", "lora", "second");
        await("adapter told", () -> calls.last.adapters().size() == 2);
        calls.refusal = null;
        awaitState("w", WorkerState.HEALTHY);
        assertTrue(calls.log.contains("feed w tcp://127.0.0.1:5557 slot=7"));
    }

    @Test
    void shouldAskNoEngineWhenNothingIsLeftOpen() {
        fleet.add(new WorkerSpec(
                "w", "http://127.0.0.1:1", "m", "vllm", 16, 2, "tcp://h:5", "tcp://h:9", "", null, List.of("gpu")));
        await("joined", () -> calls.log.contains("feed w tcp://h:5 slot=7"));
        assertEquals(1, calls.last.taints());
        assertEquals(2, calls.last.dpSize());
        awaitState("w", WorkerState.UNHEALTHY);
    }
}
