package io.penstock.dataplane.workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.dataplane.pipeline.MembershipPort;
import io.penstock.dataplane.pipeline.SlotPosition;
import io.penstock.dataplane.pipeline.WorkerAddition;
import io.penstock.dataplane.pool.PoolConfig;
import io.penstock.dataplane.pool.PoolLayout;
import io.penstock.dataplane.pool.PoolLayouts;
import io.penstock.dataplane.routing.BusyThresholds;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Engines on real sockets say how they name what they keep; they agree, disagree, restart and go. */
class LayoutWatchTest {
    private static final FleetConfig QUICK = new FleetConfig(2_000, 10, 50, 50, 20, 1_000, 2, 1, null);

    private final PoolConfig defaults = PoolConfig.defaults();
    private final PoolLayouts layouts = new PoolLayouts(new PoolConfig(
            "",
            "http://127.0.0.1:1",
            "",
            null,
            List.of(PoolLayout.of("m")),
            defaults.listingIntervalS(),
            defaults.probesPerSecond(),
            defaults.timeoutMs(),
            defaults.ttlS(),
            defaults.capacityPages()));
    private TestEngine one;
    private TestEngine two;
    private Fleet fleet;
    private LayoutWatch watch;

    /** A core that takes every worker in at once. */
    private static final class Core implements MembershipPort, EventFeeds {
        @Override
        public boolean addWorker(WorkerAddition worker) {
            worker.reply().added(worker.number(), List.of(new SlotPosition(worker.number(), 0, -1, 0, 0, 0)));
            return true;
        }

        @Override
        public boolean drain(int workerNumber) {
            return true;
        }

        @Override
        public boolean remove(int workerNumber) {
            return true;
        }

        @Override
        public boolean setHealthy(int workerNumber, boolean healthy) {
            return true;
        }

        @Override
        public boolean setBusyThresholds(int model, BusyThresholds thresholds) {
            return true;
        }

        @Override
        public void add(WorkerSpec worker, List<RankFeed> ranks, List<SlotPosition> positions) {}

        @Override
        public void remove(String worker) {}

        @Override
        public void replay(String worker, int slot) {}
    }

    @BeforeEach
    void start() throws IOException {
        one = engine(0, 2);
        two = engine(0, 2);
        Core core = new Core();
        fleet = new Fleet(QUICK, core, core);
        watch = new LayoutWatch(fleet, layouts);
    }

    @AfterEach
    void stop() {
        watch.close();
        fleet.close();
        one.close();
        two.close();
    }

    private static TestEngine engine(int port, int tp) throws IOException {
        TestEngine engine = new TestEngine(port).serving("m");
        says(engine, tp);
        return engine;
    }

    private static void says(TestEngine engine, int tp) {
        engine.answers.put(
                "/server_info",
                "{\"enable_hierarchical_cache\":true,\"hicache_storage_backend\":\"mooncake\",\"page_size\":64,"
                        + "\"served_model_name\":\"m\",\"tp_size\":" + tp + "}");
    }

    private static WorkerSpec worker(String name, TestEngine engine) {
        return new WorkerSpec(name, engine.url(), "m", "sglang", 0, 0, null, null, "", null, null);
    }

    private static void await(BooleanSupplier condition, String what) {
        long end = System.nanoTime() + 10_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, what);
            LockSupport.parkNanos(5_000_000);
        }
    }

    private PoolLayouts.Status status() {
        return layouts.status().getFirst();
    }

    @Test
    void shouldFollowWhatTheEnginesSayAsTheyComeAndGo() {
        fleet.add(worker("a", one));
        await(() -> status().keyed(), "a's layout is taken");
        assertEquals("sglang mha prefix=m tp=2 pp=1 pageSize=64 objects=4", status().layout());
        says(two, 4);
        fleet.add(worker("b", two));
        await(() -> status().problem().startsWith("workers a and b disagree"), "a and b disagree");
        assertTrue(layouts.of("m") == null);
        fleet.remove("b");
        await(() -> status().keyed(), "b no longer disagrees");
        assertEquals("", status().problem());
    }

    @Test
    void shouldAskAgainWhenAnEngineIsAnother() throws IOException {
        fleet.add(worker("a", one));
        await(() -> status().keyed(), "a's layout is taken");
        int port = one.port();
        one.close();
        await(() -> fleet.list().getFirst().state() == WorkerState.UNHEALTHY, "a is ill");
        one = engine(port, 8);
        await(() -> status().layout().contains("tp=8"), "a's new layout is taken");
    }

    @Test
    void shouldSayWhatIsWrongWhenAnEngineKeepsNothingThere() {
        one.answers.put("/server_info", "{\"page_size\":64}");
        fleet.add(worker("a", one));
        await(
                () -> status().problem()
                        .equals("worker a: the engine keeps nothing in Mooncake: hicache_storage_backend=none"),
                "a says that it keeps nothing");
    }
}
