package io.penstock.dataplane.sinks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.penstock.bindings.zmq.ZmqMessage;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.sinks.SinkCounts.ToolEvent;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ToolEventDecoderTest {
    private static final String TOPIC = "agent-tool-events";

    private final ToolEventDecoder decoder = new ToolEventDecoder(TOPIC.getBytes(StandardCharsets.UTF_8));
    private final ZmqMessage message = new ZmqMessage(1 << 20);

    private ToolEvent read(String topic, byte[] body) {
        message.clear();
        part(topic.getBytes(StandardCharsets.UTF_8));
        part(new byte[8]);
        part(body);
        return decoder.read(message);
    }

    private void part(byte[] bytes) {
        int at = message.append(bytes.length);
        System.arraycopy(bytes, 0, message.bytes(), at, bytes.length);
    }

    private ToolEvent read(String json) {
        return read(TOPIC, PackedEvents.pack(json));
    }

    @Test
    void shouldTakeTheFlatShapeAndTheNestedOne() {
        assertEquals(ToolEvent.TAKEN, read(PackedEvents.FLAT));
        TraceRecord flat = decoder.record();
        assertEquals(TraceRecord.Kind.TOOL_END, flat.kind);
        assertEquals(1_777_312_801_500L, flat.epochMs);
        assertEquals("run-42:researcher", flat.agent.session());
        assertNull(flat.agent.parent());
        assertEquals("call-abc", flat.toolCallId);
        assertEquals("web_search", flat.toolClass);
        assertEquals("succeeded", flat.toolStatus);
        assertEquals(420.5, flat.toolMs);
        assertEquals(ToolEvent.TAKEN, read(PackedEvents.NESTED));
        assertEquals("run-42:planner", decoder.record().agent.parent());
        assertEquals(
                ToolEvent.TAKEN,
                read(PackedEvents.FLAT.replace("\"session_id\"", "\"parent_session_id\":\"p\",\"session_id\"")));
        assertEquals("p", decoder.record().agent.parent());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "tool_end|tool_start|TAKEN",
                "tool_end|tool_error|TAKEN",
                "succeeded|ok|TAKEN",
                "420.5|420|TAKEN",
                "420.5|null|TAKEN",
                "tool_end|request_end|SCHEMA",
                "tool_end|tool_stop|SCHEMA",
                "trace.v1|trace.v2|SCHEMA",
                "\"event_time_unix_ms\":1777312801500|\"event_time_unix_ms\":-1|SCHEMA",
                "\"session_id\"|\"session\"|NO_SESSION",
                "\"run-42:researcher\"|\" \"|NO_SESSION",
                "\"run-42:researcher\"|7|NO_SESSION",
                "\"tool\":|\"tools\":|TOOL",
                "\"tool_call_id\"|\"call_id\"|TOOL",
                "\"web_search\"|null|TOOL",
                "420.5|NaN|TOOL",
                "420.5|Infinity|TOOL",
                "420.5|\"long\"|TOOL",
                "succeeded|exploded|TOOL",
                "1777312801080|-5|TOOL",
                "1777312801080|1.5|TOOL",
                "\"session_id\"|\"request\":{},\"session_id\"|FOREIGN",
                "\"session_id\"|\"payload\":{},\"session_id\"|FOREIGN"
            })
    void shouldHoldEveryEventAgainstTheContract(String part, String other, ToolEvent result) {
        assertEquals(result, read(PackedEvents.FLAT.replace(part, other)));
    }

    @Test
    void shouldDropWhatIsNoEventAtAll() {
        byte[] body = PackedEvents.pack(PackedEvents.FLAT);
        assertEquals(ToolEvent.TOPIC, read("agent-tool-events-2", body));
        assertEquals(ToolEvent.TOPIC, read("agent-tool-event", body));
        assertEquals(ToolEvent.UNREADABLE, read(TOPIC, "{}".getBytes(StandardCharsets.UTF_8)));
        assertEquals(ToolEvent.UNREADABLE, read(TOPIC, PackedEvents.pack("[1]")));
        assertEquals(ToolEvent.UNREADABLE, read(TOPIC, Arrays.copyOf(body, body.length + 1)));
        assertEquals(
                ToolEvent.UNREADABLE,
                read(TOPIC, PackedEvents.pack("{\"a\":" + "[".repeat(40) + "]".repeat(40) + "}")));
        message.clear();
        part(TOPIC.getBytes(StandardCharsets.UTF_8));
        part(body);
        assertEquals(ToolEvent.FRAMES, decoder.read(message));
    }

    @Test
    void shouldNeverThrowWhateverTheBytes() {
        byte[] whole = PackedEvents.pack(PackedEvents.NESTED);
        for (int length = 0; length < whole.length; length++) {
            assertEquals(ToolEvent.UNREADABLE, read(TOPIC, Arrays.copyOf(whole, length)));
        }
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = whole.clone();
            for (int flips = random.nextInt(8); flips >= 0; flips--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            read(TOPIC, bytes);
        }
    }
}
