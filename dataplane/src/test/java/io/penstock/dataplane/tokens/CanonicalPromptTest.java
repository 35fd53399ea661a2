package io.penstock.dataplane.tokens;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.bindings.openai.ApiKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CanonicalPromptTest {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final ObjectMapper PLAIN = new ObjectMapper();
    private static final ObjectMapper ESCAPED =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    @Test
    void shouldMeanTheSameWhateverTheWhiteSpaceAndTheEscapes() throws IOException {
        long seed = 20261130L;
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            ObjectNode body = NODES.objectNode();
            body.putArray("messages").add(tree(random, 0));
            String text = of(ApiKind.CHAT, PLAIN.writeValueAsString(body));
            assertEquals(body.get("messages").get(0), PLAIN.readTree(text), text);
            String loose = ESCAPED.writerWithDefaultPrettyPrinter().writeValueAsString(body);
            assertEquals(text, of(ApiKind.CHAT, loose));
        }
    }

    @Test
    void shouldTakeEscapesForWhatTheyMeanWhenTheyCouldBeWrittenOtherwise() throws IOException {
        assertEquals(
                of(ApiKind.COMPLETIONS, "{\"prompt\":\"a/b\\n\\\"\\\\ é 😀 ?\"}"),
                of(
                        ApiKind.COMPLETIONS,
                        "{\"prompt\":\"\\u0061\\/b\\u000a\\u0022\\u005c \\u00E9 \\ud83d\\uDE00 \\ud83d\"}"));
        assertEquals(
                of(ApiKind.CHAT, "{\"messages\":[[1.50,-0,1e2]]}"), of(ApiKind.CHAT, "{\"messages\":[[1.5,0,100.0]]}"));
    }

    @Test
    void shouldLeaveOutMarksButNotWhatTheModelsDataCallsSo() throws IOException {
        assertEquals(
                "{\"a\":[{}],\"input\":{\"cache_control\":1}}\n",
                of(
                        ApiKind.CHAT,
                        "{\"messages\":[{\"cache_contro\\u006c\":{},\"a\":[{\"cache_control\":[]}],"
                                + "\"input\":{\"cache_control\":1}}]}"));
    }

    @Test
    void shouldOrderSectionsAndTakeTheLastOfAKeyGivenTwice() throws IOException {
        assertEquals(
                "tool {\"name\":\"f\"}\nsystem {\"text\":\"s\"}\n\"m\"\n",
                of(
                        ApiKind.MESSAGES,
                        "{\"messages\":[1],\"n\":{\"messages\":[3]},\"messages\":[\"m\"],\"instructions\":\"\",\"system\":[{\"text\":"
                                + "\"x-anthropic-billing-header: 1\"},{\"text\":\"s\"}],\"tools\":[{\"name\":\"f\"}]}"));
    }

    @Test
    void shouldRefuseWhenItIsNoJson() {
        for (String bad : List.of(
                "",
                "[]",
                "{\"messages\":[1,]}",
                "{\"messages\":[\"a]}",
                "{\"messages\":[\"\n\"]}",
                "{\"messages\":[\"\\x\"]}",
                "{\"messages\":[\"\\u00g0\"]}",
                "{\"messages\":[tru]}",
                "{\"messages\":[1.2.3]}",
                "{\"messages\":[],}",
                "{\"messages\" []}",
                "{\"messages\":" + "[".repeat(100_000))) {
            assertThrows(IOException.class, () -> of(ApiKind.CHAT, bad), bad);
        }
    }

    private static String of(ApiKind api, String body) throws IOException {
        // Bytes around the body must not be read.
        byte[] bytes = ("\"" + body + "\"}").getBytes(StandardCharsets.UTF_8);
        CanonicalPrompt.Text text = CanonicalPrompt.of(api, bytes, 1, bytes.length - 3);
        return new String(text.bytes(), text.from(), text.length(), StandardCharsets.UTF_8);
    }

    private static JsonNode tree(Random random, int depth) {
        int kind = random.nextInt(depth > 4 ? 5 : 9);
        if (kind < 5) {
            return switch (kind) {
                case 0 -> NODES.booleanNode(random.nextBoolean());
                case 1 -> NODES.nullNode();
                case 2 -> NODES.numberNode(random.nextInt());
                case 3 -> NODES.numberNode(random.nextDouble() * 1e9);
                default -> NODES.textNode(word(random));
            };
        }
        if (kind < 7) {
            ArrayNode list = NODES.arrayNode();
            for (int i = random.nextInt(5); i > 0; i--) {
                list.add(tree(random, depth + 1));
            }
            return list;
        }
        ObjectNode object = NODES.objectNode();
        for (int i = random.nextInt(5); i > 0; i--) {
            object.set(word(random), tree(random, depth + 1));
        }
        return object;
    }

    private static String word(Random random) {
        StringBuilder word = new StringBuilder("w");
        for (int i = random.nextInt(40); i > 0; i--) {
            word.appendCodePoint(
                    switch (random.nextInt(8)) {
                        case 0 -> random.nextInt(32);
                        case 1 -> "\"\\/".charAt(random.nextInt(3));
                        case 2 -> 0x80 + random.nextInt(0x700);
                        case 3 -> 0x1f300 + random.nextInt(200);
                        default -> 'a' + random.nextInt(26);
                    });
        }
        return word.toString();
    }
}
