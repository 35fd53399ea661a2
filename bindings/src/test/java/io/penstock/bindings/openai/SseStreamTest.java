package io.penstock.bindings.openai;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Streams recorded from a real engine, cut in every way, give the same events and the same facts. */
class SseStreamTest {

    /** One event as text, with its flags. */
    private record Event(String text, long offset, int flags) {}

    private static List<Event> read(
            byte[] stream, StreamEvents events, int maxEventBytes, boolean direct, int... cuts) {
        List<Event> out = new ArrayList<>();
        SseScanner scanner = new SseScanner(maxEventBytes, (bytes, start, length, offset) -> {
            byte[] copy = new byte[length];
            bytes.get(start, copy);
            out.add(new Event(new String(copy, UTF_8), offset, events.event(bytes, start, length)));
        });
        int from = 0;
        for (int i = 0; i <= cuts.length; i++) {
            int to = i < cuts.length ? cuts[i] : stream.length;
            ByteBuffer chunk = direct ? ByteBuffer.allocateDirect(to - from + 3) : ByteBuffer.allocate(to - from + 3);
            chunk.position(3);
            chunk.put(stream, from, to - from).flip().position(3);
            scanner.feed(chunk);
            from = to;
        }
        assertEquals(stream.length, scanner.position());
        return out;
    }

    @Test
    void shouldGiveTheSameEventsWhenCutAtEveryByte() throws IOException {
        JsonNode samples = SharedData.vllmHttp();
        for (String name : List.of("stream_raw", "tool_named_stream_raw", "tool_required_stream_raw")) {
            for (String lineEnd : List.of("\n", "\r\n")) {
                byte[] stream =
                        samples.get(name).textValue().replace("\n", lineEnd).getBytes(UTF_8);
                List<Event> whole = read(stream, new OpenAiStreamEvents(ApiKind.CHAT), 1 << 20, false);
                StringBuilder joined = new StringBuilder();
                whole.forEach(event -> joined.append(event.text));
                assertEquals(new String(stream, UTF_8), joined.toString());
                for (int cut = 0; cut <= stream.length; cut++) {
                    List<Event> parts =
                            read(stream, new OpenAiStreamEvents(ApiKind.CHAT), 1 << 20, (cut & 1) == 0, cut);
                    assertEquals(whole, parts, name + " cut=" + cut);
                }
                int[] every = java.util.stream.IntStream.range(0, stream.length).toArray();
                assertEquals(whole, read(stream, new OpenAiStreamEvents(ApiKind.CHAT), 1 << 20, false, every));
            }
        }
    }

    @Test
    void shouldNameTheUsageChunkWhenItIsTheOneAskedFor() throws IOException {
        byte[] stream = SharedData.vllmHttp().get("stream_raw").textValue().getBytes(UTF_8);
        OpenAiStreamEvents facts = new OpenAiStreamEvents(ApiKind.CHAT);
        List<Event> events = read(stream, facts, 1 << 20, false);
        int first = 0;
        while ((events.get(first).flags & StreamEvents.CONTENT) == 0) {
            first++;
        }
        assertEquals(1, first, "the chunk that only gives the role is no output");
        List<Event> usage = events.stream()
                .filter(e -> (e.flags & StreamEvents.USAGE_ONLY) != 0)
                .toList();
        assertEquals(1, usage.size());
        JsonNode chunk = new com.fasterxml.jackson.databind.ObjectMapper()
                .readTree(usage.getFirst().text.substring(5));
        assertEquals(0, chunk.get("choices").size());
        assertEquals(chunk.at("/usage/prompt_tokens").intValue(), facts.promptTokens());
        assertEquals(chunk.at("/usage/completion_tokens").intValue(), facts.completionTokens());
        assertEquals(chunk.at("/usage/prompt_tokens_details/cached_tokens").intValue(), facts.cachedTokens());
        assertEquals("length", facts.finishReason());
        assertTrue(facts.saw(StreamEvents.DONE | StreamEvents.FINISH));
        assertFalse(facts.saw(StreamEvents.TOOL_CALL));
        assertEquals(StreamEvents.DONE, events.getLast().flags);
    }

    @Test
    void shouldSeeToolCallsWhenTheEngineMakesThem() throws IOException {
        for (String name : List.of("tool_named_stream_raw", "tool_required_stream_raw")) {
            OpenAiStreamEvents facts = new OpenAiStreamEvents(ApiKind.CHAT);
            read(SharedData.vllmHttp().get(name).textValue().getBytes(UTF_8), facts, 1 << 20, false);
            assertTrue(facts.saw(StreamEvents.TOOL_CALL | StreamEvents.CONTENT | StreamEvents.FINISH), name);
            assertTrue(facts.contentEvents() > 20);
        }
    }

    @Test
    void shouldReadUsageWhenTheAnswerIsABody() throws IOException {
        for (String name : List.of("chat_response", "generate_response")) {
            JsonNode body = SharedData.vllmHttp().get(name);
            OpenAiStreamEvents facts = new OpenAiStreamEvents(ApiKind.CHAT);
            byte[] bytes = body.toString().getBytes(UTF_8);
            facts.body(ByteBuffer.wrap(bytes), 0, bytes.length);
            assertEquals(body.at("/usage/prompt_tokens").intValue(), facts.promptTokens());
            assertEquals(body.at("/usage/completion_tokens").intValue(), facts.completionTokens());
            assertEquals(body.at("/usage/prompt_tokens_details/cached_tokens").intValue(), facts.cachedTokens());
            assertEquals(body.at("/choices/0/finish_reason").textValue(), facts.finishReason());
        }
    }

    @Test
    void shouldReadUsageWhenAResponsesStreamCompletes() {
        String stream =
                "event: response.created\ndata: {\"type\":\"response.created\",\"sequence_number\":0,\"response\":"
                        + "{\"id\":\"resp_1\",\"status\":\"in_progress\",\"usage\":null,\"error\":null}}\n\n"
                        + "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"sequence_number\":1,\"delta\":\"hi\"}\n\n"
                        + "event: response.completed\ndata: {\"type\":\"response.completed\",\"sequence_number\":2,\"response\":{\"id\":\"resp_1\","
                        + "\"tools\":[{\"parameters\":{\"usage\":{\"input_tokens\":9}}}],\"status\":\"completed\",\"usage\":{\"input_tokens\":30,"
                        + "\"input_tokens_details\":{\"cached_tokens\":16},\"output_tokens\":4,\"output_tokens_details\":{\"reasoning_tokens\":1}}}}\n\n";
        OpenAiStreamEvents facts = new OpenAiStreamEvents(ApiKind.RESPONSES);
        List<Event> events = read(stream.getBytes(UTF_8), facts, 1 << 20, false);
        assertEquals(0, events.get(0).flags);
        assertEquals(StreamEvents.CONTENT, events.get(1).flags);
        assertEquals(StreamEvents.DONE | StreamEvents.FINISH | StreamEvents.USAGE, events.get(2).flags);
        assertEquals(30, facts.promptTokens());
        assertEquals(16, facts.cachedTokens());
        assertEquals(4, facts.completionTokens());
        assertEquals("completed", facts.finishReason());
        assertEquals(2, facts.sequenceNumber());
        assertEquals("resp_1", facts.responseId());
    }

    @Test
    void shouldNotTakeAContentChunkForUsageWhenUsageIsContinuous() {
        OpenAiStreamEvents facts = new OpenAiStreamEvents(ApiKind.COMPLETIONS);
        assertEquals(
                StreamEvents.CONTENT | StreamEvents.USAGE,
                event(facts, "{\"choices\":[{\"index\":0,\"text\":\"a\"}],\"usage\":{\"prompt_tokens\":1}}"));
        assertEquals(0, event(facts, "{\"choices\":[],\"usage\":null}"));
        assertEquals(0, event(facts, "{\"choices\":[],\"prompt_filter_results\":[{\"usage\":{\"prompt_tokens\":1}}]}"));
        assertEquals(
                StreamEvents.USAGE | StreamEvents.USAGE_ONLY,
                event(facts, "{\"usage\" : { \"prompt_tokens\" : 3}, \"choices\" : [ ]}"));
        assertEquals(StreamEvents.ERROR, event(facts, "{\"error\":{\"message\":\"m\"}}"));
        assertEquals(
                StreamEvents.CONTENT,
                event(facts, "{\"choices\":[{\"text\":\"\\\"choices\\\":[],\\\"usage\\\":{}\"}]}"));
        assertEquals(3, facts.promptTokens());
    }

    private static int event(StreamEvents events, String json) {
        byte[] bytes = ("data: " + json + "\n\n").getBytes(UTF_8);
        return events.event(ByteBuffer.wrap(bytes), 0, bytes.length);
    }

    @Test
    void shouldGoOnWhenAnEventIsTooLong() {
        String stream = "data: " + "x".repeat(200) + "\n\n: note\n\ndata: [DONE]\n\n";
        OpenAiStreamEvents facts = new OpenAiStreamEvents(ApiKind.CHAT);
        int[] cuts = java.util.stream.IntStream.range(0, stream.length()).toArray();
        List<Event> events = read(stream.getBytes(UTF_8), facts, 64, false, cuts);
        assertEquals(
                List.of(": note\n\n", "data: [DONE]\n\n"),
                events.stream().map(Event::text).toList());
        assertEquals(208, events.getFirst().offset);
        assertTrue(facts.saw(StreamEvents.DONE));
    }

    @Test
    void shouldNeverThrowWhenStreamsAreDamaged() throws IOException {
        long seed = 99;
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        byte[] stream = SharedData.vllmHttp()
                .get("tool_named_stream_raw")
                .textValue()
                .substring(0, 1_500)
                .getBytes(UTF_8);
        for (int i = 0; i < 5_000; i++) {
            byte[] bytes = java.util.Arrays.copyOf(stream, 1 + random.nextInt(stream.length));
            for (int k = random.nextInt(8); k > 0; k--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            ApiKind kind = random.nextBoolean() ? ApiKind.CHAT : ApiKind.RESPONSES;
            OpenAiStreamEvents facts = new OpenAiStreamEvents(kind);
            read(bytes, facts, 1 << 16, random.nextBoolean(), random.nextInt(bytes.length));
            facts.body(ByteBuffer.wrap(bytes), 0, bytes.length);
        }
    }
}
