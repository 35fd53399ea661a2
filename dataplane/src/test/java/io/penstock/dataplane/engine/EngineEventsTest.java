package io.penstock.dataplane.engine;

import static io.penstock.dataplane.engine.EngineFixture.complete;
import static io.penstock.dataplane.engine.EngineFixture.completion;
import static io.penstock.dataplane.engine.EngineFixture.config;
import static io.penstock.dataplane.engine.EngineFixture.get;
import static io.penstock.dataplane.engine.EngineFixture.json;
import static io.penstock.dataplane.engine.EngineFixture.post;
import static io.penstock.dataplane.engine.EngineFixture.replay;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.dataplane.engine.EngineFixture.Frame;
import io.penstock.dataplane.engine.EngineFixture.Subscriber;
import java.io.IOException;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Event stream, replay, lives and faults over real sockets. */
class EngineEventsTest {

    @Test
    void shouldReplayWhatWasPublishedWhenAskedFromAnySeq() throws Exception {
        EngineConfig.Events e = EngineConfig.Events.defaults();
        EngineConfig config = config().withEvents(
                        new EngineConfig.Events(true, 0, 0, "kv@tiny", e.bufferSteps(), e.bufferBytes(), true));
        try (SimulatedEngine engine = SimulatedEngine.start(config);
                Subscriber subscriber = new Subscriber(engine.kvEndpoint(0))) {
            Frame seen = subscriber.first(engine);
            for (int i = 0; i < 5; i++) {
                complete(engine, 1000 * i, 70, 1);
                Frame live = subscriber.next();
                assertEquals(seen.seq() + 1, live.seq());
                assertEquals("kv@tiny", live.topic());
                seen = live;
            }
            long last = seen.seq();
            List<Frame> all = replay(engine.replayEndpoint(0), 0);
            assertEquals(
                    LongStream.rangeClosed(0, last).boxed().toList(),
                    all.stream().map(Frame::seq).toList());
            assertArrayEquals(seen.payload(), all.getLast().payload());
            assertEquals("kv@tiny", all.getLast().topic());
            assertEquals(
                    List.of(last),
                    replay(engine.replayEndpoint(0), last).stream()
                            .map(Frame::seq)
                            .toList());
            assertEquals(List.of(), replay(engine.replayEndpoint(0), last + 1));
            assertEquals(List.of(), replay(engine.replayEndpoint(0), 999_999));
        }
    }

    @Test
    void shouldHaveLostTheBeginningWhenTheBufferIsShort() throws Exception {
        EngineConfig config = config().withEvents(new EngineConfig.Events(true, 0, 0, "", 3, 1 << 20, true));
        try (SimulatedEngine engine = SimulatedEngine.start(config)) {
            for (int i = 0; i < 8; i++) {
                complete(engine, 1000 * i, 40, 1);
            }
            assertEquals(
                    List.of(5L, 6L, 7L),
                    replay(engine.replayEndpoint(0), 0).stream().map(Frame::seq).toList());
        }
    }

    @Test
    void shouldLeaveAGapThatTheReplayClosesWhenEventsAreDropped() throws Exception {
        try (SimulatedEngine engine = SimulatedEngine.start(config());
                Subscriber subscriber = new Subscriber(engine.kvEndpoint(0))) {
            long first = subscriber.first(engine).seq();
            post(engine, "/sim/fault", "{\"dropEvents\":2}");
            for (int i = 0; i < 3; i++) {
                complete(engine, 1000 * i, 40, 1);
            }
            assertEquals(first + 3, subscriber.next().seq());
            assertEquals(
                    List.of(first + 1, first + 2, first + 3),
                    replay(engine.replayEndpoint(0), first + 1).stream()
                            .map(Frame::seq)
                            .toList());
            post(engine, "/sim/fault", "{\"loseEvents\":1}");
            complete(engine, 5000, 40, 1);
            complete(engine, 6000, 40, 1);
            assertEquals(first + 5, subscriber.next().seq());
            assertEquals(
                    List.of(first + 5),
                    replay(engine.replayEndpoint(0), first + 4).stream()
                            .map(Frame::seq)
                            .toList());
        }
    }

    @Test
    void shouldCountFromZeroWithAnEmptyCacheWhenRestarted() throws Exception {
        try (SimulatedEngine engine = SimulatedEngine.start(config())) {
            complete(engine, 0, 70, 1);
            assertEquals(
                    64,
                    complete(engine, 0, 70, 1)
                            .at("/usage/prompt_tokens_details/cached_tokens")
                            .asInt());
            byte[] before = replay(engine.replayEndpoint(0), 0).getFirst().payload();
            assertEquals(
                    2, json(engine, "/sim/restart", "{}").get("incarnation").asInt());
            assertEquals(0, engine.nextSeq(0));
            assertEquals(List.of(), replay(engine.replayEndpoint(0), 0));
            assertEquals(
                    0,
                    complete(engine, 0, 70, 1)
                            .at("/usage/prompt_tokens_details/cached_tokens")
                            .asInt());
            Frame again = replay(engine.replayEndpoint(0), 0).getFirst();
            assertEquals(0, again.seq());
            assertEquals(
                    VirtualEngine.hashes(VirtualEngine.events(before).getFirst()),
                    VirtualEngine.hashes(VirtualEngine.events(again.payload()).getFirst()),
                    "sha256_cbor is the same in each life");
        }
    }

    @Test
    void shouldKeepRanksApartWhenThereAreTwo() throws Exception {
        try (SimulatedEngine engine = SimulatedEngine.start(config().withDpSize(2))) {
            JsonNode sources = EngineFixture.JSON.readTree(get(engine, "/kv_event_sources"));
            assertEquals(engine.kvEndpoint(1), sources.at("/1/endpoint").asText());
            assertEquals(
                    engine.replayEndpoint(1), sources.at("/1/replay_endpoint").asText());
            complete(engine, 0, 70, 1, "X-data-parallel-rank", "1");
            assertEquals(
                    0,
                    complete(engine, 0, 70, 1, "X-data-parallel-rank", "0")
                            .at("/usage/prompt_tokens_details/cached_tokens")
                            .asInt());
            assertEquals(
                    64,
                    complete(engine, 0, 70, 1, "X-data-parallel-rank", "1")
                            .at("/usage/prompt_tokens_details/cached_tokens")
                            .asInt());
            byte[] payload = replay(engine.replayEndpoint(1), 0).getFirst().payload();
            assertEquals(1, payload[payload.length - 1]);
            assertTrue(get(engine, "/metrics")
                    .contains("vllm:prefix_cache_hits_total{engine=\"1\",model_name=\"tiny\"} 64.0"));
        }
    }

    @Test
    void shouldCutTheStreamWhenItDiesInTheMiddle() throws Exception {
        try (SimulatedEngine engine = SimulatedEngine.start(config())) {
            engine.faults().dieAfterTokens(5);
            assertThrows(IOException.class, () -> post(engine, "/v1/completions", completion(0, 40, 500, true)));
            EngineFixture.await("connections refused", () -> {
                try {
                    get(engine, "/health");
                    return false;
                } catch (Exception e) {
                    return true;
                }
            });
            engine.kill();
            try (SimulatedEngine next = SimulatedEngine.start(engine.resolvedConfig())) {
                assertEquals(engine.url(), next.url());
                assertEquals(engine.kvEndpoint(0), next.kvEndpoint(0));
                complete(next, 0, 40, 2);
            }
        }
    }

    @Test
    void shouldFailRefuseAndDelayWhenTold() throws Exception {
        try (SimulatedEngine engine = SimulatedEngine.start(config())) {
            post(engine, "/sim/fault", "{\"failNext\":2,\"failStatus\":503}");
            assertEquals(
                    503,
                    post(engine, "/v1/completions", completion(0, 40, 1, false)).statusCode());
            assertEquals(
                    503,
                    post(engine, "/v1/completions", completion(0, 40, 1, false)).statusCode());
            assertEquals(
                    200,
                    post(engine, "/v1/completions", completion(0, 40, 1, false)).statusCode());
            post(engine, "/sim/fault", "{\"refuse\":true}");
            assertThrows(IOException.class, () -> post(engine, "/v1/completions", completion(0, 40, 1, false)));
            post(engine, "/sim/fault", "{\"refuse\":false,\"delayMs\":50}");
            long start = System.nanoTime();
            assertEquals(
                    200,
                    post(engine, "/v1/completions", completion(0, 40, 1, false)).statusCode());
            assertTrue(System.nanoTime() - start >= 50_000_000L, "a delay is a lower bound");
            assertEquals(400, post(engine, "/sim/fault", "{\"delayMs\":-1}").statusCode());
        }
    }

    @Test
    void shouldResetTheCacheWhenNothingRuns() throws Exception {
        try (SimulatedEngine engine = SimulatedEngine.start(config())) {
            complete(engine, 0, 70, 1);
            assertEquals(
                    true, json(engine, "/reset_prefix_cache", "").get("success").asBoolean());
            assertEquals(1, engine.nextSeq(0), "the event waits for the next pass");
            assertEquals(
                    0,
                    complete(engine, 0, 70, 1)
                            .at("/usage/prompt_tokens_details/cached_tokens")
                            .asInt());
            byte[] payload = replay(engine.replayEndpoint(0), 1).getFirst().payload();
            assertEquals(
                    List.of("AllBlocksCleared", "BlockStored"),
                    VirtualEngine.events(payload).stream()
                            .map(VirtualEngine::type)
                            .toList());
        }
    }

    @Test
    void shouldNameTheSettingWhenAConfigurationIsBad() {
        IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class, () -> EngineConfig.defaults().withBlocks(0, 64));
        assertTrue(e.getMessage().endsWith("blockSize=0"), e.getMessage());
        assertThrows(
                IllegalArgumentException.class, () -> EngineConfig.defaults().withSpeedup(0));
        try (SimulatedEngine engine = SimulatedEngine.start(config())) {
            IllegalArgumentException taken = assertThrows(
                    IllegalArgumentException.class, () -> SimulatedEngine.start(config().withPort(engine.port())));
            assertTrue(taken.getMessage().contains("port=" + engine.port()), taken.getMessage());
        }
    }
}
