package io.penstock.dataplane.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.dataplane.demo.ReplayStats.Snapshot;
import io.penstock.dataplane.engine.EngineConfig;
import io.penstock.dataplane.engine.SimulatedEngine;
import io.penstock.dataplane.trace.GeneratorProfile;
import io.penstock.dataplane.trace.ReplayPlan;
import io.penstock.dataplane.trace.ReplayScale;
import io.penstock.dataplane.trace.SessionGenerator;
import io.penstock.dataplane.trace.TraceSet;
import java.net.URI;
import java.net.http.HttpClient;
import org.junit.jupiter.api.Test;

final class ReplayOnEngineTest {
    private static final int BLOCK = 16;
    private static final long SEED = 11;

    @Test
    void shouldSeeThePlannedHitRateWhenOneEngineHoldsEverything() throws Exception {
        TraceSet trace = new SessionGenerator(GeneratorProfile.defaults(), SEED).sessions(6);
        ReplayPlan plan = ReplayPlan.of(trace, new ReplayScale(16, 1_000, 10_000), 6, 10_000, BLOCK, SEED);
        int blocks = (int) (plan.workingSet().blocks() * 2);
        EngineConfig config = EngineConfig.defaults()
                .withModel(LocalFleet.MODEL, java.util.List.of())
                .withBlocks(BLOCK, blocks)
                .withSpeedup(50);
        try (SimulatedEngine engine = SimulatedEngine.start(config, () -> {})) {
            URI address = URI.create(engine.url());
            Replay replay = new Replay(plan, address, LocalFleet.MODEL, RetryPolicy.defaults(), null);
            replay.run(60_000);
            Snapshot seen = replay.stats().snapshot();
            String figures = seen + " seed " + SEED;
            assertEquals(0, seen.failed(), figures);
            assertEquals(0, seen.withoutUsage(), figures);
            assertEquals(requests(plan), seen.answered(), figures);
            assertEquals(plan.workingSet().idealHitRate(), seen.hitRate(), 0.02, figures);
            EngineGauges gauges = EngineGauges.read(HttpClient.newHttpClient(), address);
            assertEquals(0, gauges.running());
            assertTrue(gauges.kvUse() >= 0 && gauges.kvUse() <= 1, gauges.toString());
        }
    }

    private static int requests(ReplayPlan plan) {
        return plan.sessions().stream().mapToInt(s -> s.requests()).sum();
    }
}
