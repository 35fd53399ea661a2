package io.penstock.bindings.openai;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.bindings.harness.InputTrigger;
import io.penstock.bindings.openai.RequestScan.PromptKind;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a request body tells, and that no body can make the scan throw. */
class RequestScanTest {

    private static RequestScan scan(ApiKind kind, String json) {
        byte[] padded = ("##" + json + "##").getBytes(UTF_8);
        return RequestScan.scan(kind, padded, 2, padded.length - 4);
    }

    private static String cut(String json, Span span) {
        byte[] bytes = json.getBytes(UTF_8);
        return new String(bytes, span.start(), span.length(), UTF_8);
    }

    @Test
    void shouldTellThatAnExtraKeyIsThereWhenItSaysSomething() {
        assertTrue(scan(ApiKind.CHAT, "{\"extra_key\":\"class-1\"}").hasExtraKey);
        RequestScan several = scan(ApiKind.COMPLETIONS, "{\"extra_key\":[\"a\",\"b\"],\"model\":\"m\"}");
        assertTrue(several.hasExtraKey);
        assertEquals("m", several.model);
        assertFalse(scan(ApiKind.CHAT, "{\"extra_key\":null}").hasExtraKey);
        assertFalse(scan(ApiKind.CHAT, "{\"model\":\"m\"}").hasExtraKey);
    }

    @Test
    void shouldReadEveryFieldWhenChatIsGiven() {
        String json =
                "{ \"model\": \"tïny\" , \"stream\":true, \"stream_options\" : {\"include_usage\": false ,\"x\":[1]},"
                        + "\"max_tokens\":5,\"max_completion_tokens\":7,\"n\":2,\"cache_salt\":\"s\",\"session_id\":\"i\",\"priority\":-3,"
                        + "\"user\":\"u\",\"prompt_cache_key\":\"k\",\"metadata\":{\"user_id\":\"m\",\"a\":{}},"
                        + "\"client_metadata\":{\"session_id\":\"c\"},\"tools\":[{\"type\":\"image\"}],"
                        + "\"messages\":[{\"role\":\"system\",\"content\":\"\\\"é\"},{\"role\":\"user\",\"content\":[{\"type\":\"text\"}]}]} ";
        RequestScan scan = scan(ApiKind.CHAT, json);
        assertNull(scan.error);
        assertEquals("tïny", scan.model);
        assertEquals("\"tïny\"", cut(json, scan.modelSpan));
        assertTrue(scan.stream);
        assertEquals("{\"include_usage\": false ,\"x\":[1]}", cut(json, scan.streamOptions));
        assertEquals("false", cut(json, scan.includeUsageSpan));
        assertFalse(scan.includeUsage);
        assertEquals(7, scan.maxOutputTokens);
        assertEquals(2, scan.choices);
        assertEquals("s", scan.cacheSalt);
        assertEquals("i", scan.sessionId);
        assertEquals(-3, scan.priority);
        assertEquals("u", scan.user);
        assertEquals("k", scan.identity.promptCacheKey());
        assertEquals("m", scan.identity.userId());
        assertEquals("c", scan.identity.clientSession());
        assertEquals(PromptKind.MESSAGES, scan.promptKind);
        assertEquals(2, scan.messageCount);
        assertFalse(scan.hasMedia);
        assertEquals(InputTrigger.USER_MESSAGE, scan.inputTrigger);
        assertTrue(cut(json, scan.messages).startsWith("[{\"role\":\"system\""));
        assertEquals(json.getBytes(UTF_8).length - 2, scan.objectEnd);
    }

    @Test
    void shouldGiveTokenIdsWhenPromptIsOneListOfThem() {
        assertArrayEquals(new int[] {1, 2, 3}, scan(ApiKind.COMPLETIONS, "{\"prompt\":[1,2,3]}").promptTokens);
        assertArrayEquals(new int[] {4, 5}, scan(ApiKind.COMPLETIONS, "{\"prompt\":[[4,5]]}").promptTokens);
        assertArrayEquals(new int[] {6}, scan(ApiKind.EMBEDDINGS, "{\"input\":[6]}").promptTokens);
        assertEquals(PromptKind.BATCH, scan(ApiKind.COMPLETIONS, "{\"prompt\":[[4,5],[6]]}").promptKind);
        assertEquals(PromptKind.BATCH, scan(ApiKind.COMPLETIONS, "{\"prompt\":[\"a\",\"b\"]}").promptKind);
        for (String odd :
                new String[] {"[]", "[[]]", "[[],[1]]", "[1,\"a\"]", "[1,99999999999]", "{}", "[{}]", "[[{}]]", "[1.5]"
                }) {
            RequestScan scan = scan(ApiKind.COMPLETIONS, "{\"prompt\":" + odd + ",\"model\":\"m\"}");
            assertEquals(PromptKind.NONE, scan.promptKind, odd);
            assertNull(scan.promptTokens, odd);
            assertEquals("m", scan.model, odd);
        }
    }

    @Test
    void shouldGiveTokenIdsWhenTheyStandBesideMessages() {
        String list = IntStream.range(0, 500).mapToObj(Integer::toString).collect(Collectors.joining(","));
        int[] ids = IntStream.range(0, 500).toArray();
        String messages = "\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]";
        for (ApiKind kind : new ApiKind[] {ApiKind.CHAT, ApiKind.MESSAGES}) {
            String first = "{\"nvext\":{\"token_data\":[" + list + "],\"x\":{}}," + messages + "}";
            String last = "{" + messages + ",\"nvext\":{\"x\":[1],\"token_data\":[" + list + "]}}";
            for (String json : new String[] {first, last}) {
                RequestScan scan = scan(kind, json);
                assertNull(scan.error);
                assertArrayEquals(ids, scan.promptTokens);
                assertEquals(PromptKind.MESSAGES, scan.promptKind);
                assertEquals("\"m\"", cut(json, scan.modelSpan));
                assertEquals(json.length() - 1, scan.objectEnd);
            }
            assertNull(scan(kind, "{" + messages + ",\"nvext\":[" + list + "]}").promptTokens);
            assertNull(scan(kind, "{\"token_data\":[" + list + "]," + messages + "}").promptTokens);
            assertNull(scan(kind, "{\"nvext\":{\"token_data\":\"1,2\"}," + messages + "}").promptTokens);
        }
        String responses = "{\"nvext\":{\"token_data\":[" + list + "]},\"input\":\"hi\"}";
        assertArrayEquals(ids, scan(ApiKind.RESPONSES, responses).promptTokens);
    }

    @Test
    void shouldReadALongListOfIdsAsItReadsAShortOne() {
        // All lengths of numbers, one to ten digits.
        int[] ids = new Random(7)
                .ints(2_000, 0, Integer.MAX_VALUE)
                .map(i -> i >>> i % 31)
                .toArray();
        String list = IntStream.of(ids).mapToObj(Integer::toString).collect(Collectors.joining(" ,\n"));
        String json = "{\"model\":\"m\",\"prompt\" : [ " + list + " ],\"n\":2,\"stream\":true,\"stream_options\":{}}";
        RequestScan scan = scan(ApiKind.COMPLETIONS, json);
        assertNull(scan.error);
        assertEquals(PromptKind.TOKENS, scan.promptKind);
        assertArrayEquals(ids, scan.promptTokens);
        assertEquals("\"m\"", cut(json, scan.modelSpan));
        assertEquals("{}", cut(json, scan.streamOptions));
        assertEquals(json.length() - 1, scan.objectEnd);
        assertEquals(2, scan.choices);

        String aside = "{\"metadata\":{\"prompt\":[" + list + "]},\"prompt\":[5],\"cache_salt\":\"s\"}";
        assertArrayEquals(new int[] {5}, scan(ApiKind.COMPLETIONS, aside).promptTokens);
        assertEquals(aside.length() - 1, scan(ApiKind.COMPLETIONS, aside).objectEnd);
        String twice = "{\"prompt\":[" + list + "],\"prompt\":\"text\"}";
        assertEquals(PromptKind.TEXT, scan(ApiKind.COMPLETIONS, twice).promptKind);
        assertEquals("\"text\"", cut(twice, scan(ApiKind.COMPLETIONS, twice).promptSpan));
        for (String odd : new String[] {"1.5", "01", "-1", "\"a\"", "99999999999", "[1]", "", "1 2"}) {
            RequestScan other = scan(ApiKind.COMPLETIONS, "{\"prompt\":[" + list + "," + odd + "],\"model\":\"m\"}");
            boolean json5 = odd.isEmpty() || odd.equals("01") || odd.equals("1 2");
            assertEquals(json5, !other.ok(), odd);
            assertEquals(odd.equals("-1"), other.promptKind == PromptKind.TOKENS, odd);
        }
        RequestScan broken = scan(ApiKind.COMPLETIONS, "{\"prompt\":[" + list + "],\"model\":?}");
        assertFalse(broken.ok());
        assertTrue(broken.errorOffset > list.length(), "offset " + broken.errorOffset);
    }

    @Test
    void shouldDecodeTextOnDemandWhenPromptIsText() {
        assertEquals(
                "a\"\u00e9\n",
                scan(ApiKind.COMPLETIONS, "{\"prompt\":\"a\\\"\u00e9\\n\"}").promptText());
        assertEquals("one", scan(ApiKind.COMPLETIONS, "{\"prompt\":[\"one\"]}").promptText());
        assertEquals(
                "t",
                scan(ApiKind.TOKENIZE, "{\"model\":\"m\",\"prompt\":\"t\"}").promptText());
        RequestScan responses = scan(ApiKind.RESPONSES, "{\"input\":\"hi\",\"max_output_tokens\":9}");
        assertEquals("hi", responses.promptText());
        assertEquals(9, responses.maxOutputTokens);
        assertEquals(InputTrigger.USER_MESSAGE, responses.inputTrigger);
    }

    @Test
    void shouldReadFlagsAsEnginesDoWhenTheyAreWords() {
        for (String yes : new String[] {"true", "1", "\"true\"", "\"Yes\"", "\"1\""}) {
            RequestScan scan =
                    scan(ApiKind.CHAT, "{\"stream\":" + yes + ",\"stream_options\":{\"include_usage\":" + yes + "}}");
            assertTrue(scan.stream && scan.includeUsage, yes);
        }
        for (String no : new String[] {"false", "0", "2", "null", "\"no\"", "[1]", "{}"}) {
            assertFalse(scan(ApiKind.CHAT, "{\"stream\":" + no + "}").stream, no);
        }
    }

    @Test
    void shouldTakeTheLastValueWhenAKeyIsGivenTwice() {
        RequestScan scan = scan(ApiKind.CHAT, "{\"model\":\"a\",\"model\":\"b\",\"stream\":true,\"stream\":false}");
        assertEquals("b", scan.model);
        assertFalse(scan.stream);
    }

    @Test
    void shouldNoticeMediaWhenAPartIsNotText() {
        String part = "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"image\"},%s]}]}";
        assertTrue(scan(ApiKind.CHAT, part.formatted("{\"type\":\"image_url\"}")).hasMedia);
        assertTrue(
                scan(ApiKind.MESSAGES, part.formatted("{\"type\":\"tool_result\",\"content\":[{\"type\":\"image\"}]}"))
                        .hasMedia);
        assertFalse(scan(ApiKind.MESSAGES, part.formatted("{\"type\":\"tool_use\",\"input\":{\"type\":\"image\"}}"))
                .hasMedia);
        assertTrue(scan(
                        ApiKind.RESPONSES,
                        "{\"input\":[{\"type\":\"function_call_output\",\"output\":[{\"type\":\"input_image\"}]}]}")
                .hasMedia);
    }

    @Test
    void shouldFollowEachApisRuleWhenTheLastItemIsClassified() {
        assertEquals(InputTrigger.TOOL_RESULT, trigger(ApiKind.CHAT, "messages", "{\"role\":\"tool\"}"));
        assertEquals(InputTrigger.TOOL_RESULT, trigger(ApiKind.CHAT, "messages", "{\"role\":\"function\"}"));
        assertEquals(InputTrigger.OTHER, trigger(ApiKind.CHAT, "messages", "{\"role\":\"assistant\"}"));
        assertEquals(InputTrigger.OTHER, scan(ApiKind.CHAT, "{\"messages\":[]}").inputTrigger);
        assertEquals(
                InputTrigger.USER_MESSAGE,
                trigger(ApiKind.MESSAGES, "messages", "{\"role\":\"user\",\"content\":\"x\"}"));
        assertEquals(
                InputTrigger.TOOL_RESULT,
                trigger(
                        ApiKind.MESSAGES,
                        "messages",
                        "{\"content\":[{\"type\":\"tool_result\"},{\"type\":\"text\"}],\"role\":\"user\"}"));
        assertEquals(
                InputTrigger.OTHER,
                trigger(
                        ApiKind.MESSAGES,
                        "messages",
                        "{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_result\"}]}"));
        assertEquals(
                InputTrigger.USER_MESSAGE, trigger(ApiKind.RESPONSES, "input", "{\"role\":\"user\",\"content\":[]}"));
        assertEquals(
                InputTrigger.TOOL_RESULT,
                trigger(ApiKind.RESPONSES, "input", "{\"type\":\"custom_tool_call_output\"}"));
        assertEquals(
                InputTrigger.TOOL_RESULT,
                trigger(ApiKind.RESPONSES, "input", "{\"type\":\"tool_search_output\",\"execution\":\"client\"}"));
        assertEquals(InputTrigger.OTHER, trigger(ApiKind.RESPONSES, "input", "{\"type\":\"tool_search_output\"}"));
        assertEquals(
                InputTrigger.OTHER,
                trigger(ApiKind.RESPONSES, "input", "{\"type\":\"agent_message\",\"role\":\"user\"}"));
        assertEquals(InputTrigger.OTHER, trigger(ApiKind.RESPONSES, "input", "{\"type\":\"mcp_approval_response\"}"));
    }

    private static InputTrigger trigger(ApiKind kind, String key, String item) {
        return scan(kind, "{\"" + key + "\":[{\"role\":\"user\"}," + item + "]}").inputTrigger;
    }

    @Test
    void shouldSayWhereAndWhyWhenTheBodyIsMalformed() {
        assertEquals(2, scan(ApiKind.CHAT, "  [1]").errorOffset);
        assertEquals("empty body", scan(ApiKind.CHAT, "").error);
        assertNotNull(scan(ApiKind.CHAT, "{} {}").error);
        assertNotNull(scan(ApiKind.CHAT, "{\"a\":\"\u0001\"}").error);
        RequestScan deep = scan(ApiKind.CHAT, "{\"a\":" + "[".repeat(100_000));
        assertNotNull(deep.error);
        RequestScan wrong = scan(ApiKind.CHAT, "{\"model\":tiny}");
        assertTrue(wrong.errorOffset >= 9 && wrong.errorOffset <= 14, "offset=" + wrong.errorOffset);
        byte[] utf16 = "{\"a\":1}".getBytes(java.nio.charset.StandardCharsets.UTF_16LE);
        assertEquals("not UTF-8", RequestScan.scan(ApiKind.CHAT, utf16, 0, utf16.length).error);
    }

    @Test
    void shouldNeverThrowWhenBytesAreCutOrFlipped() {
        long seed = 20_261_130;
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        String json =
                "{\"model\":\"m\",\"stream\":true,\"stream_options\":{\"include_usage\":null},\"prompt\":[[1,2],[3]],"
                        + "\"input\":[1],\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"\u20ac\"}]}],\"priority\":4}";
        byte[] whole = json.getBytes(UTF_8);
        for (ApiKind kind : ApiKind.values()) {
            for (int cut = 0; cut < whole.length; cut++) {
                RequestScan scan = RequestScan.scan(kind, whole, 0, cut);
                assertFalse(scan.ok(), "cut=" + cut);
                assertTrue(
                        scan.errorOffset >= 0 && scan.errorOffset <= cut, "cut=" + cut + " offset=" + scan.errorOffset);
            }
            for (int i = 0; i < 5_000; i++) {
                byte[] bytes = whole.clone();
                for (int k = random.nextInt(3); k >= 0; k--) {
                    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
                }
                RequestScan scan = RequestScan.scan(kind, bytes, 0, bytes.length);
                if (scan.ok()) {
                    assertEquals('}', bytes[scan.objectEnd]);
                    UsageSplice.of(scan);
                }
            }
        }
    }

    @Test
    void shouldFindTheApiWhenTheTargetHasAQuery() {
        assertEquals(ApiKind.MESSAGES, ApiKind.ofPath("/v1/messages?beta=true"));
        assertEquals(ApiKind.CHAT, ApiKind.ofPath("/v1/chat/completions"));
        assertEquals(ApiKind.COUNT_TOKENS, ApiKind.ofPath("/v1/messages/count_tokens?beta=true"));
        assertNull(ApiKind.ofPath("/v1/messages/batches"));
    }
}
