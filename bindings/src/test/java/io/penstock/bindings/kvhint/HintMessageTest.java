package io.penstock.bindings.kvhint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HintMessageTest {
    private static final long SEED = Long.getLong("penstock.seed", 20261130L);
    private static final String ACTION =
            "{\"action_id\":\"a\",\"action_type\":\"kv.pin\",\"action_version\":\"2.1\",\"payload\":{}}";

    private static HintMessage decode(String json) throws RefusedHint {
        byte[] bytes = ("  " + json).getBytes(StandardCharsets.UTF_8);
        return HintMessage.decode(bytes, 2, bytes.length - 2);
    }

    private static RefusedHint refused(String json) {
        return assertThrows(RefusedHint.class, () -> decode(json), json);
    }

    @Test
    void shouldWriteAFetchAsTheEnvelopeSays() throws Exception {
        HintText out = new HintText();
        out.beginMessage("r", 7);
        KvFetch.encode(out, "0", "tcp://10.0.0.1:7000", new long[] {1, -1, Long.MIN_VALUE}, 3);
        out.endMessage();
        JsonNode json = new ObjectMapper().readTree(out.toString());
        assertEquals("0.1", json.get("protocol_version").textValue());
        assertEquals("r-7", json.get("message_id").textValue());
        assertEquals(3, json.size());
        JsonNode action = json.get("actions").get(0);
        assertEquals("0", action.get("action_id").textValue());
        assertEquals("kv.fetch", action.get("action_type").textValue());
        assertEquals("1.0", action.get("action_version").textValue());
        JsonNode payload = action.get("payload");
        assertEquals(
                "tcp://10.0.0.1:7000", payload.get("source_control_endpoint").textValue());
        assertEquals(
                new BigInteger("18446744073709551615"),
                payload.get("block_hashes").get(1).bigIntegerValue());
        assertEquals(
                new BigInteger("9223372036854775808"),
                payload.get("block_hashes").get(2).bigIntegerValue());
    }

    @Test
    void shouldReadBackWhateverHashesAndTextsAFetchNames() throws RefusedHint {
        Random random = new Random(SEED);
        HintText out = new HintText();
        for (int round = 0; round < 200; round++) {
            long[] hashes = random.longs(random.nextInt(300)).toArray();
            String endpoint = "tcp://h\"\\\n\u00e9\u4e16" + random.nextInt() + ":1";
            out.beginMessage("m", round);
            KvFetch.encode(out, "a" + round, endpoint, hashes, hashes.length);
            out.endMessage();
            HintMessage read = HintMessage.decode(out.bytes(), 0, out.length());
            assertEquals("m-" + round, read.id());
            HintAction action = read.actions().getFirst();
            assertTrue(action.is(KvFetch.TYPE, KvFetch.VERSION));
            KvFetch fetch = KvFetch.decode(action);
            assertEquals(endpoint, fetch.sourceControlEndpoint(), "seed=" + SEED);
            assertArrayEquals(hashes, fetch.blockHashes(), "seed=" + SEED);
        }
    }

    @Test
    void shouldPassUnknownActionsOnByteForByte() throws RefusedHint {
        String payload = "{ \"x\" : [1e5, 1.50, \"\\u00e9 {}\"],\n \"y\":{\"z\":18446744073709551615} }";
        String json = "{\"protocol_version\":\"0.1\",\"message_id\":\"m\",\"actions\":[" + ACTION
                + ",{\"action_id\":\"b\",\"action_type\":\"x.y\",\"action_version\":\"9\",\"payload\":" + payload
                + "}]}";
        HintMessage message = decode(json);
        assertEquals(payload, new String(message.actions().get(1).payload(), StandardCharsets.UTF_8));
        HintText out = new HintText();
        message.encode(out);
        assertEquals(json, out.toString());
    }

    @Test
    void shouldPassOverFieldsThatTheEnvelopeDoesNotName() throws RefusedHint {
        HintMessage message = decode(
                "{\"extra\":{\"actions\":3},\"actions\":[" + ACTION.replace("{\"action_id", "{\"n\":[1],\"action_id")
                        + "],\"message_id\":\"m\",\"protocol_version\":\"0.1\",\"list\":[[1]]}");
        assertEquals(
                List.of("a"), message.actions().stream().map(HintAction::id).toList());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "7",
                "{",
                "{\"protocol_version\":\"0.1\"",
                "{\"message_id\":\"m\",\"actions\":[]}",
                "{\"protocol_version\":0.1,\"message_id\":\"m\",\"actions\":[]}",
                "{\"protocol_version\":\"0.1\",\"actions\":[]}",
                "{\"protocol_version\":\"0.1\",\"message_id\":\"m\"}",
                "{\"protocol_version\":\"0.1\",\"message_id\":\"m\",\"actions\":{}}",
                "{\"protocol_version\":\"0.1\",\"message_id\":\"m\",\"actions\":[3]}",
                "{\"protocol_version\":\"0.1\",\"message_id\":\"m\",\"actions\":[{\"action_id\":\"a\"}]}",
                "{\"protocol_version\":\"0.1\",\"message_id\":\"m\",\"actions\":[{\"action_type\":\"t\",\"action_version\":\"1\",\"payload\":{}}]}",
                "{\"protocol_version\":\"0.1\",\"message_id\":\"m\",\"actions\":[{\"action_id\":\"a\",\"action_version\":\"1\",\"payload\":{}}]}",
                "{\"protocol_version\":\"0.1\",\"message_id\":\"m\",\"actions\":[{\"action_id\":\"a\",\"action_type\":\"t\",\"payload\":{}}]}",
                "{\"protocol_version\":\"0.1\",\"message_id\":\"m\",\"actions\":[{\"action_id\":\"a\",\"action_type\":\"t\",\"action_version\":\"1\"}]}",
                "{\"protocol_version\":\"0.1\",\"message_id\":\"m\",\"actions\":[{\"action_id\":\"a\",\"action_type\":\"t\",\"action_version\":\"1\",\"payload\":[]}]}",
                "{\"protocol_version\":\"0.1\",\"message_id\":\"m\",\"actions\":[]} 1"
            })
    void shouldRejectWhatSglangRejects(String json) {
        assertEquals(HintOutcome.REJECTED, refused(json).outcome(), json);
    }

    @Test
    void shouldCallAnotherEnvelopeUnsupportedAndNameTheMessage() {
        RefusedHint refused = refused("{\"message_id\":\"m\",\"actions\":[],\"protocol_version\":\"0.2\"}");
        assertEquals(HintOutcome.UNSUPPORTED, refused.outcome());
        assertEquals("m", refused.messageId());
        assertNull(refused("{\"protocol_version\":\"0.2\"}").messageId());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"source_control_endpoint\":\"tcp://a:1\"}",
                "{\"block_hashes\":[1]}",
                "{\"source_control_endpoint\":\"\",\"block_hashes\":[]}",
                "{\"source_control_endpoint\":\"tcp://a:1\",\"block_hashes\":[-1]}",
                "{\"source_control_endpoint\":\"tcp://a:1\",\"block_hashes\":[1.5]}",
                "{\"source_control_endpoint\":\"tcp://a:1\",\"block_hashes\":[null]}",
                "{\"source_control_endpoint\":\"tcp://a:1\",\"block_hashes\":[\"x\"]}",
                "{\"source_control_endpoint\":\"tcp://a:1\",\"block_hashes\":[18446744073709551616]}",
                "{\"source_control_endpoint\":\"tcp://a:1\",\"block_hashes\":[100000000000000000000000]}"
            })
    void shouldRefuseAFetchThatCannotBeDone(String payload) {
        HintAction action =
                new HintAction("a", KvFetch.TYPE, KvFetch.VERSION, payload.getBytes(StandardCharsets.UTF_8));
        assertThrows(RefusedHint.class, () -> KvFetch.decode(action), payload);
    }

    @Test
    void shouldReadHashesWrittenAsDecimalTexts() throws RefusedHint {
        String payload = "{\"source_control_endpoint\":\"tcp://a:1\",\"block_hashes\":[\"18446744073709551615\",5]}";
        HintAction action =
                new HintAction("a", KvFetch.TYPE, KvFetch.VERSION, payload.getBytes(StandardCharsets.UTF_8));
        assertArrayEquals(new long[] {-1, 5}, KvFetch.decode(action).blockHashes());
    }

    @Test
    void shouldReadBackEveryAnswer() throws RefusedHint {
        HintText out = new HintText();
        for (HintOutcome outcome : HintOutcome.values()) {
            HintAnswer answer = new HintAnswer("r-1", "0", outcome, 12);
            out.beginMessage("engine", 3);
            answer.encode(out, "0");
            out.endMessage();
            HintAction action =
                    HintMessage.decode(out.bytes(), 0, out.length()).actions().getFirst();
            assertTrue(action.is(HintAnswer.TYPE, HintAnswer.VERSION));
            assertEquals(answer, HintAnswer.decode(action));
        }
        HintAction unknown = new HintAction(
                "0",
                HintAnswer.TYPE,
                HintAnswer.VERSION,
                "{\"message_id\":\"m\",\"action_id\":\"a\",\"outcome\":\"maybe\"}".getBytes(StandardCharsets.UTF_8));
        assertThrows(RefusedHint.class, () -> HintAnswer.decode(unknown));
    }

    @Test
    void shouldWriteAFetchWithoutAllocating() {
        HintText out = new HintText();
        long[] hashes = new Random(SEED).longs(2_000).toArray();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 200; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            out.beginMessage("router", round);
            KvFetch.encode(out, "0", "tcp://10.0.0.1:7000", hashes, hashes.length);
            out.endMessage();
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertEquals(0, least);
    }
}
