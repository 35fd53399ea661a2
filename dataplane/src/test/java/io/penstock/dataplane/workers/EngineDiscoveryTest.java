package io.penstock.dataplane.workers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What engines say of themselves, in the words recorded from real ones. */
class EngineDiscoveryTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private TestEngine engine;
    private EngineHttp http;
    private EngineDiscovery discovery;

    @BeforeEach
    void start() throws IOException {
        engine = new TestEngine();
        http = new EngineHttp(1_000);
        discovery = new EngineDiscovery(http, 2_000);
    }

    @AfterEach
    void stop() {
        http.close();
        engine.close();
    }

    private static JsonNode recorded(String file) throws IOException {
        Path path = Path.of(System.getProperty("penstock.shared", "../shared"), "data", file);
        if (!Files.exists(path)) {
            Assumptions.abort("recorded engine answers absent: " + path);
        }
        return MAPPER.readTree(path.toFile());
    }

    private WorkerSpec spec(String kind, String model) {
        return new WorkerSpec("w", engine.url(), model, kind, 0, 0, null, null, null, List.of("own"), null);
    }

    @Test
    void shouldFindEverythingWhenVllmAnswersAsRecorded() throws Exception {
        engine.serving("tiny", "lora-a", "lora-b");
        engine.answers.put(
                "/metrics", recorded("vllm_http_samples.json").get("metrics").textValue());
        engine.answers.put(
                "/kv_event_sources",
                recorded("vllm_kv_events.json").get("kv_event_sources_dp1").toString());
        for (String kind : List.of("vllm", "auto")) {
            EngineFacts facts = discovery.resolve(spec(kind, null));
            assertEquals("vllm", facts.engine());
            assertEquals("tiny", facts.model());
            assertEquals(32, facts.blockSize());
            assertEquals(63, facts.kvBlocks());
            assertEquals(1, facts.dpSize());
            assertEquals(List.of("own", "lora-a", "lora-b"), facts.adapters());
            assertEquals(
                    List.of(new RankFeed("tcp://127.0.0.1:15557", "tcp://127.0.0.1:15558", "kv@127.0.0.1@tiny")),
                    facts.feeds());
            assertNull(facts.problem());
        }
    }

    @Test
    void shouldFindEveryRankWhenVllmRunsDataParallel() throws Exception {
        engine.serving("tiny");
        String line = "vllm:cache_config_info{block_size=\"16\",engine=\"%d\",num_gpu_blocks=\"10\"} 1.0\n";
        engine.answers.put("/metrics", line.formatted(0) + line.formatted(1));
        engine.answers.put(
                "/kv_event_sources",
                recorded("vllm_kv_events.json").get("kv_event_sources_dp2").toString());
        EngineFacts facts = discovery.resolve(spec("vllm", "tiny"));
        assertEquals(2, facts.dpSize());
        assertEquals("tcp://127.0.0.1:15558", facts.feeds().get(1).kvEvents());
        assertEquals("tcp://127.0.0.1:15568", facts.feeds().get(1).kvReplay());
    }

    @Test
    void shouldFindEverythingWhenSglangAnswersAsRecorded() throws Exception {
        engine.serving("tiny");
        int seen = 0;
        for (JsonNode recording : recorded("sglang_kv_events.json")) {
            JsonNode events = recording.get("server_info_kv_events");
            if (!events.isObject()) {
                continue;
            }
            seen++;
            ObjectNode info = MAPPER.createObjectNode();
            info.set("kv_events", events);
            info.put("max_total_num_tokens", 4_096);
            engine.answers.put("/server_info", info.toString());
            EngineFacts facts = discovery.resolve(spec(seen % 2 == 0 ? "auto" : "sglang", "tiny"));
            int ranks = events.get("dp_size").intValue();
            assertEquals("sglang", facts.engine());
            assertEquals(events.get("block_size").intValue(), facts.blockSize());
            assertEquals(4_096 / facts.blockSize(), facts.kvBlocks());
            assertEquals(ranks, facts.dpSize());
            assertEquals(ranks, facts.feeds().size());
            for (int rank = 0; rank < ranks; rank++) {
                int port = events.get("endpoint_port_base").intValue() + rank;
                assertEquals("tcp://127.0.0.1:" + port, facts.feeds().get(rank).kvEvents());
                JsonNode replay = events.get("replay_endpoint_port_base");
                String expected = replay == null ? null : "tcp://127.0.0.1:" + (replay.intValue() + rank);
                assertEquals(expected, facts.feeds().get(rank).kvReplay());
            }
        }
        assertTrue(seen > 10, "recordings seen: " + seen);
    }

    @Test
    void shouldTakeTheWorkersHostWhenTheEngineBindsAWildcard() throws Exception {
        engine.serving("m").vllm(16, 5_557);
        assertEquals(
                "tcp://127.0.0.1:5557",
                discovery.resolve(spec("vllm", null)).feeds().getFirst().kvEvents());
        assertEquals("tcp://h:1", ZmqEndpoint.resolve("tcp://0.0.0.0:1", "h", 0));
        assertEquals("tcp://h:3", ZmqEndpoint.resolve("tcp://[::]:1", "h", 2));
        assertEquals("tcp://10.0.0.1:1", ZmqEndpoint.resolve("tcp://[::ffff:10.0.0.1]:1", "h", 0));
        assertEquals("tcp://[fe80::1]:1", ZmqEndpoint.resolve("tcp://[fe80::1]:1", "h", 0));
        assertEquals("ipc:///tmp/x", ZmqEndpoint.resolve("ipc:///tmp/x", "h", 0));
        assertNull(ZmqEndpoint.resolve("ipc:///tmp/x", "h", 1));
        assertNull(ZmqEndpoint.resolve("tcp://h:99999", "h", 0));
    }

    @Test
    void shouldKeepWhatIsConfiguredWhenTheEngineSaysOtherwise() throws Exception {
        engine.serving("m").vllm(16, 5_557);
        WorkerSpec spec = new WorkerSpec("w", engine.url(), "m", "vllm", 8, 2, "tcp://k:7", null, "t", null, null);
        EngineFacts facts = discovery.resolve(spec);
        assertEquals(8, facts.blockSize());
        assertEquals(2, facts.dpSize());
        assertEquals(
                new RankFeed("tcp://k:7", "tcp://127.0.0.1:5657", "t"),
                facts.feeds().get(0));
        assertEquals(new RankFeed("tcp://k:8", null, "t"), facts.feeds().get(1));
    }

    @Test
    void shouldRouteWithoutEventsWhenTheEngineHasNone() throws Exception {
        engine.serving("m").vllm(16, 5_557);
        engine.answers.remove("/kv_event_sources");
        EngineFacts silent = discovery.resolve(spec("vllm", null));
        assertTrue(silent.feeds().isEmpty());
        assertEquals(16, silent.blockSize());
        assertNotNull(silent.problem());
        engine.answers.remove("/metrics");
        EngineFacts unknown = discovery.resolve(spec("auto", null));
        assertEquals("none", unknown.engine());
        assertNotNull(unknown.problem());
        assertNull(discovery.resolve(spec("none", null)).problem());
    }

    @Test
    void shouldFailInOneLineWhenTheEngineIsNotWhatWasConfigured() {
        engine.serving("m").vllm(16, 5_557);
        assertTrue(message(spec("vllm", "other")).contains("model=other"));
        engine.statuses.put("/metrics", 503);
        assertTrue(message(spec("vllm", "m")).contains("status 503"));
        engine.answers.put("/v1/models", "<html>");
        assertTrue(message(spec("vllm", "m")).contains("/v1/models"));
    }

    private String message(WorkerSpec spec) {
        return assertThrows(IOException.class, () -> discovery.resolve(spec)).getMessage();
    }

    @Test
    void shouldAskNothingWhenNothingIsLeftOpen() {
        WorkerSpec full =
                new WorkerSpec("w", "http://h:1", "m", "vllm", 16, 2, "tcp://h:5", "tcp://h:9", "", null, null);
        assertFalse(EngineDiscovery.isNeeded(full));
        EngineFacts facts = EngineDiscovery.configured(full);
        assertEquals(
                List.of(new RankFeed("tcp://h:5", "tcp://h:9", ""), new RankFeed("tcp://h:6", "tcp://h:10", "")),
                facts.feeds());
        assertFalse(EngineDiscovery.isNeeded(
                new WorkerSpec("w", "http://h:1", "m", "none", 0, 0, null, null, "", null, null)));
        assertTrue(EngineDiscovery.isNeeded(WorkerSpec.of("w", "http://h:1")));
    }
}
