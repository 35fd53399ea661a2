package io.penstock.dataplane.engine;

import static io.penstock.dataplane.engine.VirtualEngine.field;
import static io.penstock.dataplane.engine.VirtualEngine.hashes;
import static io.penstock.dataplane.engine.VirtualEngine.range;
import static io.penstock.dataplane.engine.VirtualEngine.type;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.msgpack.value.Value;

/** The scheduler on a virtual clock, held to what a real vLLM did. */
class SchedulerTest {
    private static final EngineConfig SMALL = EngineConfig.defaults().withBlocks(32, 64);

    @Test
    void shouldPublishTheRecordedBytesWhenGivenTheRecordedRequests() throws Exception {
        JsonNode recorded = Recordings.events();
        EngineConfig.Events e = EngineConfig.Events.defaults();
        EngineConfig config =
                SMALL.withEvents(new EngineConfig.Events(true, 0, 0, "", e.bufferSteps(), e.bufferBytes(), false));
        VirtualEngine[] ranks = {new VirtualEngine(config, 0), new VirtualEngine(config, 1)};
        for (JsonNode request : recorded.get("requests_dp2")) {
            VirtualEngine engine = ranks[request.get("rank").asInt()];
            Sequence s = engine.submit(
                    Recordings.ints(request.get("prompt_token_ids")),
                    Recordings.ints(request.get("output_token_ids")),
                    request.get("salt").asText(null),
                    null,
                    false);
            engine.runToEnd();
            assertUsage(request.get("usage"), s);
        }
        int compared = 0;
        for (JsonNode frame : recorded.get("frames")) {
            if (frame.get("source").asText().contains("dp=2")) {
                VirtualEngine engine = ranks[frame.at("/decoded/2").asInt()];
                byte[] mine = engine.batches.get(frame.get("seq").asInt()).clone();
                byte[] theirs = Recordings.payload(frame);
                // The timestamps differ: bytes 2 to 9, behind the array's and the float's heads.
                System.arraycopy(theirs, 2, mine, 2, 8);
                assertEquals(HexFormat.of().formatHex(theirs), HexFormat.of().formatHex(mine));
                compared++;
            }
        }
        assertEquals(3, compared);
    }

    @Test
    void shouldPublishTheSameEventsAsVllmWhenHashesAreNamedByFirstSight() throws Exception {
        JsonNode recorded = Recordings.events();
        VirtualEngine engine = new VirtualEngine(SMALL);
        Map<String, String> salts = Map.of("c4_salt", "tenant-A");
        Map<String, String> sessions = Map.of("c5_session_header", "sess-42", "c6_report_full", "sess-body");
        for (String name :
                List.of("c1", "c2_same_prefix", "c3_repeat_c1", "c4_salt", "c5_session_header", "c6_report_full")) {
            JsonNode request = recorded.at("/requests_dp1/" + name);
            Sequence s = engine.submit(
                    Recordings.ints(request.get("prompt_token_ids")),
                    Recordings.ints(request.get("output_token_ids")),
                    salts.get(name),
                    sessions.get(name),
                    name.equals("c6_report_full"));
            engine.runToEnd();
            assertUsage(request.get("usage"), s);
        }
        Map<String, Integer> myNames = new HashMap<>();
        Map<String, Integer> theirNames = new HashMap<>();
        int compared = 0;
        for (JsonNode frame : recorded.get("frames")) {
            int seq = frame.get("seq").asInt();
            if (frame.get("source").asText().contains("dp=1") && seq <= 5) {
                assertEquals(
                        named(VirtualEngine.events(Recordings.payload(frame)), theirNames),
                        named(VirtualEngine.events(engine.batches.get(seq)), myNames));
                compared++;
            }
        }
        assertEquals(6, compared);
        assertEquals(6, engine.batches.size());
    }

    @Test
    void shouldEvictInTheRecordedOrderWhenThePoolOverflows() throws Exception {
        JsonNode recorded = Recordings.events();
        VirtualEngine engine = new VirtualEngine(SMALL);
        for (String name :
                List.of("c1", "c2_same_prefix", "c3_repeat_c1", "c4_salt", "c5_session_header", "c6_report_full")) {
            JsonNode request = recorded.at("/requests_dp1/" + name);
            engine.submit(
                    Recordings.ints(request.get("prompt_token_ids")),
                    Recordings.ints(request.get("output_token_ids")),
                    name.equals("c4_salt") ? "tenant-A" : null,
                    null,
                    false);
            engine.runToEnd();
        }
        List<Long> c1 = hashes(engine.events().getFirst());
        List<Long> c2 = hashes(VirtualEngine.events(engine.batches.get(1)).getFirst());
        List<Long> c4 = hashes(VirtualEngine.events(engine.batches.get(2)).getFirst());
        List<Long> c5 = new ArrayList<>(
                hashes(VirtualEngine.events(engine.batches.get(3)).getFirst()));
        c5.addAll(hashes(VirtualEngine.events(engine.batches.get(4)).getFirst()));
        engine.batches.clear();
        engine.run(range(1000, 60 * 32), 1);
        List<Long> removed = engine.events().stream()
                .filter(e -> type(e).equals("BlockRemoved"))
                .flatMap(e -> hashes(e).stream())
                .toList();
        // The real one: c2's own block, the salted chain from its end to its root, then c5's from its end (recorded seq
        // 9).
        List<Long> expected = new ArrayList<>(c2);
        expected.addAll(c4.reversed());
        expected.addAll(c5.reversed());
        expected.addAll(c1.reversed());
        assertTrue(removed.size() > 10, "the pool was to overflow");
        assertEquals(expected.subList(0, removed.size()), removed);
        List<String> types = engine.events().stream().map(VirtualEngine::type).toList();
        assertEquals(removed.size(), types.indexOf("BlockStored"), "evictions of a pass come before its stores");
    }

    @Test
    void shouldStoreAndRemoveEachCopyWhenTheSamePromptComesThrice() {
        VirtualEngine engine = new VirtualEngine(SMALL);
        for (int i = 0; i < 3; i++) {
            Sequence s = engine.run(range(100, 64), 1);
            assertEquals(i == 0 ? 0 : 32, s.cachedTokens, "a block-aligned prompt computes its last block again");
            assertEquals(i == 0 ? 64 : 32, s.createdCacheTokens(32));
        }
        long second = hashes(engine.events().getFirst()).get(1);
        assertEquals(3, count(engine, "BlockStored", second));
        for (int i = 0; i < 8; i++) {
            engine.run(range(1000 * (i + 1), 289), 1);
        }
        assertEquals(3, count(engine, "BlockRemoved", second));
    }

    @Test
    void shouldClearInFrontOfTheNextPassWhenTheCacheIsReset() {
        VirtualEngine engine = new VirtualEngine(SMALL);
        engine.run(range(0, 70), 4);
        engine.submit(range(0, 70), 4);
        engine.pass();
        assertEquals(false, engine.scheduler.resetPrefixCache(), "blocks are in use");
        engine.runToEnd();
        engine.batches.clear();
        assertTrue(engine.scheduler.resetPrefixCache());
        assertEquals(0, engine.run(range(0, 70), 4).cachedTokens);
        assertEquals(
                List.of("AllBlocksCleared", "BlockStored"),
                engine.events().stream().map(VirtualEngine::type).toList());
    }

    @Test
    void shouldTakeTheAnchorTimesWhenPassesAreOfKnownSize() {
        PassTiming timing = new PassTiming(1, 1);
        assertEquals(169.1, timing.durationNs(8192, 0, 0, 1) / 1e6, 0.05);
        assertEquals(24.4, timing.durationNs(512, 0, 0, 1) / 1e6, 0.05);
        assertEquals(26.3, timing.durationNs(0, 4, 500, 1000) / 1e6, 0.05);
        assertEquals(34.0, timing.durationNs(0, 4, 1000, 1000) / 1e6, 0.05);
        assertEquals(3.40, new PassTiming(5, 2).durationNs(0, 4, 1000, 1000) / 1e6, 0.005);
        assertEquals(0, timing.durationNs(0, 0, 0, 1));

        VirtualEngine engine = new VirtualEngine(EngineConfig.defaults());
        engine.submit(range(0, 8192 + 512), 2);
        assertEquals(169.1, engine.pass() / 1e6, 0.05, "the first chunk fills the token budget");
        assertEquals(24.4, engine.pass() / 1e6, 0.05, "the rest, and with it the first token");
        assertEquals(5.74 + 54.01 * 8705 / (16384 * 16), engine.pass() / 1e6, 0.1, "one decode step");
        assertTrue(!engine.scheduler.hasWork());
    }

    @Test
    void shouldHitBlocksOfTheSamePassWhenPromptsArriveTogether() {
        VirtualEngine engine = new VirtualEngine(SMALL);
        Sequence[] same = {
            engine.submit(range(0, 200), 3), engine.submit(range(0, 200), 3), engine.submit(range(0, 200), 3)
        };
        engine.runToEnd();
        assertEquals(
                List.of(0, 192, 192),
                Arrays.stream(same).map(s -> s.cachedTokens).toList());
        assertEquals(
                1,
                engine.events().stream()
                        .filter(e -> type(e).equals("BlockStored"))
                        .count());
    }

    @Test
    void shouldFinishEveryoneAndLoseNoBlockWhenScriptsAreRandom() {
        long seed = System.nanoTime();
        for (int script = 0; script < 60; script++) {
            randomScript(seed + script);
        }
    }

    private static void randomScript(long seed) {
        Random random = new Random(seed);
        String message = "seed " + seed;
        EngineConfig config = EngineConfig.defaults()
                .withBlocks(8, 10 + random.nextInt(60))
                .withBatching(new EngineConfig.Batching(1 + random.nextInt(12), 16 + random.nextInt(200), 0, 1, 1));
        VirtualEngine engine = new VirtualEngine(config);
        List<Sequence> all = new ArrayList<>();
        for (int step = 0; step < 300; step++) {
            if (random.nextInt(4) == 0) {
                int room = config.maxModelLen();
                int prompt = 1 + random.nextInt(room - 1);
                all.add(engine.submit(
                        range(random.nextInt(3) * 500, prompt), 1 + random.nextInt(Math.min(40, room - prompt))));
            }
            if (random.nextInt(20) == 0 && !all.isEmpty()) {
                engine.scheduler.cancel(all.get(random.nextInt(all.size())), FinishReason.ABORT);
            }
            if (engine.scheduler.hasWork()) {
                engine.pass();
            }
            int held = all.stream().mapToInt(Sequence::blockCount).sum();
            assertTrue(engine.pool.usable() - engine.pool.free() <= held, message);
        }
        engine.runToEnd();
        assertEquals(engine.pool.usable(), engine.pool.free(), message);
        for (Sequence s : all) {
            assertNotNull(s.finished, message);
            assertTrue(
                    s.finished == FinishReason.ABORT || s.outputs() == s.plan().length(), message);
            assertTrue(s.cachedTokens <= (s.promptLength() - 1) / 8 * 8, message);
        }
        assertEquals(all.size(), engine.ended.size(), message);
        consistent(engine, message);
    }

    /** A consumer that counts copies never sees a remove without its store, nor a store without its parent. */
    private static void consistent(VirtualEngine engine, String message) {
        Map<Long, Integer> copies = new HashMap<>();
        for (Map<Value, Value> event : engine.events()) {
            if (type(event).equals("BlockStored")) {
                Value parent = field(event, "parent_block_hash");
                assertTrue(
                        parent.isNilValue()
                                || copies.containsKey(
                                        parent.asIntegerValue().toBigInteger().longValue()),
                        message);
                hashes(event).forEach(h -> copies.merge(h, 1, Integer::sum));
            } else {
                for (long h : hashes(event)) {
                    assertTrue(copies.containsKey(h), message);
                    copies.computeIfPresent(h, (k, n) -> n == 1 ? null : n - 1);
                }
            }
        }
        assertEquals(engine.pool.cachedHashes(), copies.size(), message);
    }

    private static void assertUsage(JsonNode usage, Sequence s) {
        assertEquals(usage.get("prompt_tokens").asInt(), s.promptLength());
        assertEquals(usage.get("completion_tokens").asInt(), s.outputs());
        assertEquals(usage.at("/prompt_tokens_details/cached_tokens").asInt(), s.cachedTokens);
        assertEquals(usage.at("/prompt_tokens_details/created_cache_tokens").asInt(), s.createdCacheTokens(32));
    }

    private static long count(VirtualEngine engine, String type, long hash) {
        return engine.events().stream()
                .filter(e -> type(e).equals(type))
                .flatMap(e -> hashes(e).stream())
                .filter(h -> h == hash)
                .count();
    }

    /** Events with each hash replaced by the number of its first appearance. */
    private static List<String> named(List<Map<Value, Value>> events, Map<String, Integer> names) {
        List<String> out = new ArrayList<>();
        for (Map<Value, Value> event : events) {
            StringBuilder line = new StringBuilder();
            event.forEach((key, value) -> {
                line.append(key).append('=');
                if (key.toString().equals("block_hashes")) {
                    value.asArrayValue()
                            .forEach(h -> line.append(names.computeIfAbsent(h.toString(), k -> names.size()))
                                    .append(' '));
                } else if (key.toString().equals("parent_block_hash") && !value.isNilValue()) {
                    line.append(names.get(value.toString()));
                } else {
                    line.append(value);
                }
                line.append(';');
            });
            out.add(line.toString());
        }
        return out;
    }
}
