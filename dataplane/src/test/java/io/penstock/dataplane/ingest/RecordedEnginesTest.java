package io.penstock.dataplane.ingest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.dataplane.hashing.PromptHasher;
import io.penstock.index.Overlaps;
import io.penstock.index.Tier;
import io.penstock.index.reference.ReferenceIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** A request's own hashes find its blocks, in the right tier, from the events that real engines published. */
class RecordedEnginesTest {
    private final EventDecoder decoder = new EventDecoder(1 << 12);

    @Test
    void shouldFindEveryRequestAfterEveryFrameWhenSglangIsReplayed() throws IOException {
        int checks = 0;
        for (int refuseEvery : new int[] {0, 3}) {
            for (JsonNode recording : recordings("sglang_kv_events.json")) {
                if (!recording.get("requests").get(0).path("bigram").asBoolean()) {
                    checks += replay(recording, refuseEvery);
                }
            }
        }
        assertTrue(checks > 1_000, "comparisons: " + checks);
    }

    @Test
    void shouldDropBigramsWhenTheEngineIsNotIndexedByThem() throws IOException {
        for (JsonNode recording : recordings("sglang_kv_events.json")) {
            if (recording.get("requests").get(0).path("bigram").asBoolean()) {
                IndexPort port = new IndexPort(new ReferenceIndex(4, 1 << 16, 4));
                int slot = port.index.openSlot("engine", 0);
                FeedCounters counters = new FeedCounters();
                Delivery delivery = delivery("sglang", port, counters, slot, 4);
                for (JsonNode frame : recording.get("frames")) {
                    apply(delivery, payload(frame.get("frames_hex").get(2)));
                }
                assertEquals(0, port.index.blockCount());
                assertTrue(counters.snapshot()[FeedCounter.DROPPED_BIGRAM.ordinal()] >= 4);
            }
        }
    }

    @Test
    void shouldFindEveryRequestWhenVllmIsReplayed() throws IOException {
        JsonNode recording = recordings("vllm_kv_events.json");
        IndexPort port = new IndexPort(new ReferenceIndex(32, 1 << 16, 4));
        int[] slots = {port.index.openSlot("one", 0), port.index.openSlot("two", 0), port.index.openSlot("two", 1)};
        for (JsonNode frame : recording.get("frames")) {
            boolean two = frame.get("source").asText().contains("dp=2");
            if (two || frame.get("seq").asInt() <= 5) {
                int slot =
                        !two ? slots[0] : slots[1 + frame.get("decoded").get(2).asInt()];
                apply(delivery("vllm", port, new FeedCounters(), slot, 32), payload(frame.get("payload_hex")));
            }
        }
        assertEquals(0, port.unknownParents);
        JsonNode one = recording.get("requests_dp1");
        for (String name :
                new String[] {"c1", "c2_same_prefix", "c3_repeat_c1", "c5_session_header", "c6_report_full"}) {
            assertAllFound(port, slots[0], one.get(name), null);
        }
        assertAllFound(port, slots[0], one.get("c4_salt"), "tenant-A");
        JsonNode two = recording.get("requests_dp2");
        assertEquals(5, found(port, slots[1], chain(tokens(two.get(0), "prompt_token_ids"), 32, null, null))[0]);
        assertEquals(5, found(port, slots[2], chain(tokens(two.get(1), "prompt_token_ids"), 32, null, null))[0]);
        assertEquals(5, found(port, slots[1], chain(tokens(two.get(3), "prompt_token_ids"), 32, null, "tenant-A"))[0]);
        assertEquals(0, found(port, slots[2], chain(tokens(two.get(3), "prompt_token_ids"), 32, null, "tenant-A"))[0]);
    }

    @Test
    void shouldHashAsTheRecordedVectorsWhenTokensAreRecorded() throws IOException {
        JsonNode recording = recordings("vllm_kv_events.json");
        JsonNode vectors = recording.get("own_hash_vectors");
        int[] tokens = tokens(recording.get("requests_dp1").get("c1"), "prompt_token_ids");
        assertArrayEquals(unsigned(vectors.get("seq_u64")), chain(tokens, 32, null, null));
        assertArrayEquals(unsigned(vectors.get("salt_tenant_A_seq_u64")), chain(tokens, 32, null, "tenant-A"));
    }

    private static void assertAllFound(IndexPort port, int slot, JsonNode request, String salt) {
        int[] prompt = tokens(request, "prompt_token_ids");
        int[] output = tokens(request, "output_token_ids");
        int[] all = Arrays.copyOf(prompt, prompt.length + output.length - 1);
        System.arraycopy(output, 0, all, prompt.length, output.length - 1);
        long[] hashes = chain(all, 32, null, salt);
        assertEquals(hashes.length, found(port, slot, hashes)[0]);
    }

    private int replay(JsonNode recording, int refuseEvery) {
        String name = recording.get("scenario").asText() + " "
                + recording.get("encoding").asText();
        int pageSize = recording.get("page_size").asInt();
        // These formats hash the extra key, but the event does not say it: its blocks look like those without.
        boolean hidden = recording.get("event_format").asText().equals("dynamo") || name.contains("LoRA");
        IndexPort port = new IndexPort(new ReferenceIndex(pageSize, 1 << 20, 4));
        port.refuseEvery = refuseEvery;
        int[] slots = {port.index.openSlot("engine", 0), port.index.openSlot("engine", 1)};
        Copies[] copies = {new Copies(), new Copies()};
        FeedCounters counters = new FeedCounters();
        int checks = 0;
        for (JsonNode frame : recording.get("frames")) {
            if (hidden && extraKeyed(recording, frame.get("during").asText())) {
                return checks;
            }
            int rank = frame.path("socket_rank").asInt();
            apply(
                    delivery("sglang", port, counters, slots[rank], pageSize),
                    payload(frame.get("frames_hex").get(2)));
            copies[rank].apply(frame.get("decoded").get(1));
            for (JsonNode request : recording.get("requests")) {
                if (request.has("expected_page_hashes") && !(hidden && request.has("extra_key"))) {
                    for (int r = 0; r < 2; r++) {
                        int[] expected = copies[r].match(request.get("expected_page_hashes"));
                        int[] actual = found(port, slots[r], own(request, pageSize));
                        assertArrayEquals(
                                expected,
                                actual,
                                name + ", seq " + frame.get("seq") + ", request " + request.get("step") + ", rank "
                                        + r);
                        checks++;
                    }
                }
            }
        }
        assertEquals(0, port.unknownParents, name);
        assertEquals(0, port.colds, name);
        assertEquals(0, port.out, name);
        return checks;
    }

    private static boolean extraKeyed(JsonNode recording, String step) {
        return StreamSupport.stream(recording.get("requests").spliterator(), false)
                .anyMatch(request -> request.get("step").asText().equals(step) && request.has("extra_key"));
    }

    private static long[] own(JsonNode request, int pageSize) {
        int[] prompt = tokens(request, "prompt_token_ids");
        int[] output = tokens(request, "output_ids");
        int pages = request.get("expected_page_hashes").size();
        int[] all = Arrays.copyOf(prompt, prompt.length + output.length);
        System.arraycopy(output, 0, all, prompt.length, output.length);
        return chain(
                Arrays.copyOf(all, pages * pageSize),
                pageSize,
                request.path("lora_path").asText(null),
                request.path("cache_salt").asText(null));
    }

    private static long[] chain(int[] tokens, int blockSize, String adapter, String salt) {
        PromptHasher hasher = PromptHasher.of(blockSize, adapter, salt);
        long[] out = new long[hasher.blocks(tokens.length)];
        hasher.chain(tokens, tokens.length, 0, out);
        return out;
    }

    private static int[] found(IndexPort port, int slot, long[] hashes) {
        Overlaps overlaps = new Overlaps(8);
        port.index.match(hashes, hashes.length, overlaps);
        for (int i = 0; i < overlaps.size(); i++) {
            if (overlaps.slot(i) == slot) {
                return new int[] {overlaps.blocks(i, Tier.DEVICE), overlaps.blocks(i, Tier.HOST)};
            }
        }
        return new int[] {0, 0};
    }

    private Delivery delivery(String engine, IndexPort port, FeedCounters counters, int slot, int blockSize) {
        return new Delivery(port, decoder, decoder.cursor(engine), counters, slot, blockSize, 0, true);
    }

    private static void apply(Delivery delivery, byte[] payload) {
        delivery.batch(0, payload, 0, payload.length, false);
        for (int i = 0; !delivery.flush(); i++) {
            assertTrue(i < 10_000, "never taken");
        }
    }

    private static byte[] payload(JsonNode hex) {
        return HexFormat.of().parseHex(hex.asText());
    }

    private static int[] tokens(JsonNode request, String field) {
        return StreamSupport.stream(request.get(field).spliterator(), false)
                .mapToInt(JsonNode::asInt)
                .toArray();
    }

    private static long[] unsigned(JsonNode decimals) {
        return StreamSupport.stream(decimals.spliterator(), false)
                .mapToLong(value -> Long.parseUnsignedLong(value.asText()))
                .toArray();
    }

    private static JsonNode recordings(String name) throws IOException {
        return new ObjectMapper()
                .readTree(Path.of(System.getProperty("penstock.root"), "bindings/src/test/resources/recordings", name)
                        .toFile());
    }

    /** What the engine holds, from the decoded form of its events and its own hashes. */
    private static final class Copies {
        private final Map<String, Map<Long, Integer>> byMedium = new HashMap<>();

        void apply(JsonNode events) {
            for (JsonNode event : events) {
                boolean array = event.isArray();
                String type = (array ? event.get(0) : event.get("type")).asText();
                if (type.equals("AllBlocksCleared")) {
                    byMedium.clear();
                    continue;
                }
                boolean stored = type.equals("BlockStored");
                String medium = (array ? event.get(stored ? 6 : 2) : event.get("medium")).asText();
                for (JsonNode hash : array ? event.get(1) : event.get("block_hashes")) {
                    byMedium.computeIfAbsent(medium, m -> new HashMap<>())
                            .merge(hash.asLong(), stored ? 1 : -1, Integer::sum);
                }
            }
        }

        int[] match(JsonNode pages) {
            int device = run(pages, 0, "GPU");
            return new int[] {device, run(pages, device, "CPU_PINNED")};
        }

        private int run(JsonNode pages, int from, String medium) {
            Map<Long, Integer> held = byMedium.getOrDefault(medium, Map.of());
            int at = from;
            while (at < pages.size() && held.getOrDefault(pages.get(at).asLong(), 0) > 0) {
                at++;
            }
            return at - from;
        }
    }
}
