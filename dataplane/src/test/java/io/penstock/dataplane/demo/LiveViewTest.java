package io.penstock.dataplane.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LiveViewTest {
    private static final EngineGauges SILENT = new EngineGauges(Double.NaN, 0, 0);

    @Test
    void shouldShowSessionsHitsLatenciesAndEveryEngine() {
        ReplayStats stats = new ReplayStats();
        stats.sessionStarted();
        stats.record(new Exchange(Exchange.End.ANSWERED, 20_000_000, 100, 75, 10, 1, null, null));
        List<EngineGauges> engines = List.of(new EngineGauges(0.5, 3, 1), SILENT);
        String frame = String.join("\n", LiveView.frame("kv", 7, 40, 48, stats.snapshot(), engines));
        for (String part : List.of(
                "1 of 48",
                "75.0 %",
                "p50 20 ms",
                "retries 1",
                "50.0 % KV   running 3   waiting 1",
                "engine-2     silent")) {
            assertTrue(frame.contains(part), part + " expected in\n" + frame);
        }
        String line = LiveView.line("kv", 7, stats.snapshot(), engines);
        assertTrue(line.contains("hit 75.0 %") && line.endsWith("KV % 50 -"), line);
    }

    @Test
    void shouldReadGaugesByVllmsNames() {
        String metrics = """
                # HELP vllm:num_requests_running x
                vllm:num_requests_running{engine="0",model_name="sim"} 2.0
                vllm:num_requests_waiting{engine="0",model_name="sim"} 1.0
                vllm:num_requests_waiting_by_reason{engine="0",reason="capacity"} 9.0
                vllm:kv_cache_usage_perc{engine="0",model_name="sim"} 0.25
                """;
        assertEquals(new EngineGauges(0.25, 2, 1), EngineGauges.parse(metrics));
    }

    @Test
    void shouldCountOnlyProvenRanksAsWarm() throws Exception {
        String workers = """
                [{"state":"healthy","ranks":[{"state":"proven","blocks":{"device":7,"host":1}}]},
                 {"state":"healthy","ranks":[{"state":"unproven","blocks":{"device":9}}]},
                 {"state":"unhealthy","ranks":[]}]
                """;
        assertEquals(new WorkersView(2, 1, 7), WorkersView.parse(new ObjectMapper().readTree(workers)));
    }
}
