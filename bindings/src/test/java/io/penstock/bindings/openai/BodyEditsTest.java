package io.penstock.bindings.openai;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Edits change what they say and not one byte more. */
class BodyEditsTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private static RequestScan scan(String json) {
        byte[] bytes = json.getBytes(UTF_8);
        return RequestScan.scan(ApiKind.CHAT, bytes, 0, bytes.length);
    }

    private static String usage(String json) {
        byte[] bytes = json.getBytes(UTF_8);
        return new String(Splice.apply(bytes, 0, bytes.length, UsageSplice.of(scan(json))), UTF_8);
    }

    @Test
    void shouldAskForUsageWhenTheClientDidNot() {
        assertEquals("{\"stream\":true ,\"stream_options\":{\"include_usage\":true}} ", usage("{\"stream\":true } "));
        assertEquals(options("null"), "{\"include_usage\":true}");
        assertEquals(options("{ }"), "{ \"include_usage\":true}");
        assertEquals(options("{\"include_usage\": false }"), "{\"include_usage\": true }");
        assertEquals(options("{\"include_usage\":null,\"a\":1}"), "{\"include_usage\":true,\"a\":1}");
        assertEquals(
                options("{\"a\":{\"include_usage\":true}}"), "{\"a\":{\"include_usage\":true},\"include_usage\":true}");
        assertEquals(
                options("{\"continuous_usage_stats\":true}"),
                "{\"continuous_usage_stats\":false,\"include_usage\":true}");
    }

    private static String options(String options) {
        String head = "{\"stream\":true,\"stream_options\":";
        String edited = usage(head + options + ",\"z\":[]}");
        assertTrue(edited.startsWith(head) && edited.endsWith(",\"z\":[]}"), edited);
        return edited.substring(head.length(), edited.length() - ",\"z\":[]}".length());
    }

    @Test
    void shouldLeaveTheBodyWhenUsageNeedsNoAsking() {
        for (String json : new String[] {
            "{\"stream\":true,\"stream_options\":{\"include_usage\":true,\"continuous_usage_stats\":true}}",
            "{\"stream\":false}",
            "{}",
            "{\"stream\":true,\"stream_options\":\"yes\"}"
        }) {
            assertEquals(json, usage(json));
        }
        byte[] responses = "{\"stream\":true}".getBytes(UTF_8);
        assertTrue(UsageSplice.of(RequestScan.scan(ApiKind.RESPONSES, responses, 0, responses.length))
                .isEmpty());
        assertTrue(UsageSplice.of(RequestScan.scan(ApiKind.MESSAGES, responses, 0, responses.length))
                .isEmpty());
    }

    @Test
    void shouldRefuseWhenTheBodyCouldNotBeRead() {
        assertThrows(IllegalArgumentException.class, () -> new BodyEdits(scan("{")));
    }

    @Test
    void shouldEqualTheTreeEditWhenBodiesAreRandom() throws IOException {
        long seed = 4_711;
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 5_000; i++) {
            String json = body(random);
            byte[] bytes = json.getBytes(UTF_8);
            RequestScan scan = scan(json);
            assertTrue(scan.ok(), () -> json + ": " + scan.error);
            List<Splice> splices = new BodyEdits(scan)
                    .addText("session", "a\"b")
                    .model("lora-\u00e9\n")
                    .askForUsage()
                    .splices();
            byte[] edited = Splice.apply(bytes, 0, bytes.length, splices);
            assertEquals(expected(json), MAPPER.readTree(edited), json);
            assertEquals(json, new String(undo(edited, bytes, splices), UTF_8));
        }
    }

    /** The same edits made on the tree. */
    private static JsonNode expected(String json) throws IOException {
        ObjectNode tree = (ObjectNode) MAPPER.readTree(json);
        tree.put("session", "a\"b");
        tree.put("model", "lora-\u00e9\n");
        JsonNode options = tree.path("stream_options");
        if (tree.path("stream").asBoolean() && !options.path("include_usage").asBoolean()) {
            ObjectNode edited = options.isObject() ? (ObjectNode) options : MAPPER.createObjectNode();
            edited.put("include_usage", true);
            if (edited.path("continuous_usage_stats").asBoolean()) {
                edited.put("continuous_usage_stats", false);
            }
            tree.set("stream_options", edited);
        }
        return tree;
    }

    /** Takes the inserted bytes out and puts the removed ones back: all others must be where they were. */
    private static byte[] undo(byte[] edited, byte[] original, List<Splice> splices) {
        List<Splice> inverse = new ArrayList<>();
        int shift = 0;
        for (Splice splice : splices) {
            byte[] removed =
                    java.util.Arrays.copyOfRange(original, splice.offset(), splice.offset() + splice.removeLength());
            inverse.add(new Splice(splice.offset() + shift, splice.insert().length, removed));
            shift += splice.insert().length - splice.removeLength();
        }
        return Splice.apply(edited, 0, edited.length, inverse);
    }

    private static String body(Random random) {
        List<String> fields = new ArrayList<>();
        if (random.nextInt(4) > 0) {
            fields.add("\"stream\"" + space(random) + ":" + space(random) + random.nextBoolean());
        }
        if (random.nextInt(4) > 0) {
            fields.add("\"model\":" + space(random) + pick(random, "\"m\"", "\"\\u00e9\\\"{\"", "\"\u20ac\""));
        }
        if (random.nextInt(3) > 0) {
            List<String> options = new ArrayList<>();
            if (random.nextBoolean()) {
                options.add("\"include_usage\":" + space(random) + pick(random, "true", "false", "null"));
            }
            if (random.nextBoolean()) {
                options.add("\"continuous_usage_stats\" :" + pick(random, "true", "false"));
            }
            if (random.nextBoolean()) {
                options.add("\"other\":{\"include_usage\":[true,{}]}");
            }
            Collections.shuffle(options, random);
            String object = "{" + space(random) + String.join(space(random) + ",", options) + space(random) + "}";
            fields.add("\"stream_options\":" + (random.nextInt(6) == 0 ? "null" : object));
        }
        if (random.nextBoolean()) {
            fields.add("\"messages\":[{\"role\":\"user\",\"content\":\"\\\"stream_options\\\":{} \u00fc }]\"}]");
        }
        if (random.nextBoolean()) {
            fields.add("\"metadata\":{\"stream\":true,\"model\":\"x\",\"stream_options\":null}");
        }
        Collections.shuffle(fields, random);
        return space(random) + "{" + space(random) + String.join(",", fields) + space(random) + "}" + space(random);
    }

    private static String space(Random random) {
        return pick(random, "", "", " ", "\n\t", "\r\n ");
    }

    private static String pick(Random random, String... options) {
        return options[random.nextInt(options.length)];
    }
}
