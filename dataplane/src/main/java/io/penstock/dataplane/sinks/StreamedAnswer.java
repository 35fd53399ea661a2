package io.penstock.dataplane.sinks;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Puts the events of a streamed answer together to the one object that the same API answers without streaming: chat,
 * completions, responses, messages.
 *
 * <p><b>Threading:</b> one thread, one answer.
 */
final class StreamedAnswer {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ObjectNode answer;

    private StreamedAnswer() {}

    /** The object, or null if there is not one event of these APIs in it. A stream that was cut gives what came. */
    static byte[] of(byte[] stream) {
        StreamedAnswer whole = new StreamedAnswer();
        StringBuilder data = new StringBuilder();
        // A last event that lacks its empty line was cut off, but may be whole.
        for (String line : (new String(stream, StandardCharsets.UTF_8) + "\n\n").split("\r\n|\r|\n", -1)) {
            if (line.startsWith("data:")) {
                data.append(data.isEmpty() ? "" : "\n")
                        .append(line.substring("data:".length()).strip());
            } else if (line.isEmpty() && !data.isEmpty()) {
                whole.take(data.toString());
                data.setLength(0);
            }
        }
        try {
            return whole.answer == null ? null : JSON.writeValueAsBytes(whole.answer);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("an answer's tree cannot be written", impossible);
        }
    }

    private void take(String data) {
        JsonNode event;
        try {
            event = JSON.readTree(data);
        } catch (JacksonException noJson) {
            // [DONE], or the half of an event.
            return;
        }
        if (event.path("choices").isArray()) {
            chunk((ObjectNode) event);
        } else if (event.path("response").isObject()) {
            answer = (ObjectNode) event.get("response");
        } else if (event.path("message").isObject()) {
            answer = (ObjectNode) event.get("message");
        } else if (answer != null) {
            message(event);
        }
    }

    /** Chat and completions: texts grow, everything else is what came last. */
    private void chunk(ObjectNode chunk) {
        ArrayNode choices = (ArrayNode) chunk.remove("choices");
        if (answer == null) {
            answer = chunk;
            answer.put("object", chunk.path("object").asText().replace(".chunk", ""));
            answer.putArray("choices");
        } else {
            keepLast(answer, chunk, "object");
        }
        for (JsonNode each : choices) {
            if (each instanceof ObjectNode part) {
                ObjectNode choice = at((ArrayNode) answer.get("choices"), part);
                if (part.remove("delta") instanceof ObjectNode delta) {
                    grow(object(choice, "message"), delta);
                }
                grow(choice, part);
            }
        }
    }

    private void message(JsonNode event) {
        ArrayNode content = answer.withArray("content");
        switch (event.path("type").asText()) {
            case "content_block_start" -> {
                if (event.path("content_block") instanceof ObjectNode block) {
                    content.add(block);
                }
            }
            case "content_block_delta" -> {
                JsonNode block = content.path(event.path("index").asInt(-1));
                if (block instanceof ObjectNode into && event.path("delta") instanceof ObjectNode delta) {
                    delta.remove("type");
                    JsonNode input = delta.remove("partial_json");
                    if (input != null) {
                        into.put(
                                "input",
                                (into.path("input").isTextual()
                                                ? into.get("input").textValue()
                                                : "")
                                        + input.asText());
                    }
                    grow(into, delta);
                }
            }
            case "content_block_stop" -> {
                JsonNode block = content.path(event.path("index").asInt(-1));
                if (block instanceof ObjectNode into && into.path("input").isTextual()) {
                    parseInput(into);
                }
            }
            case "message_delta" -> {
                if (event.path("delta") instanceof ObjectNode delta) {
                    keepLast(answer, delta, "");
                }
                if (event.path("usage") instanceof ObjectNode usage) {
                    keepLast(object(answer, "usage"), usage, "");
                }
            }
            default -> {
                // ping, message_stop: nothing to keep.
            }
        }
    }

    private static void parseInput(ObjectNode block) {
        try {
            block.set("input", JSON.readTree(block.get("input").textValue()));
        } catch (JacksonException cut) {
            // Arguments that are no JSON stay the text they are.
        }
    }

    /** Texts are appended, lists joined by their entries' index, the rest replaced. */
    private static void grow(ObjectNode into, ObjectNode part) {
        for (Map.Entry<String, JsonNode> field : part.properties()) {
            String name = field.getKey();
            JsonNode value = field.getValue();
            JsonNode old = into.get(name);
            if (value.isTextual() && old != null && old.isTextual() && grows(name)) {
                into.put(name, old.textValue() + value.textValue());
            } else if (value.isArray() && name.equals("tool_calls")) {
                ArrayNode list = into.withArray(name);
                for (JsonNode each : value) {
                    if (each instanceof ObjectNode entry) {
                        grow(at(list, entry), entry);
                    }
                }
            } else if (value instanceof ObjectNode nested && old instanceof ObjectNode known) {
                grow(known, nested);
            } else if (!value.isNull() || old == null) {
                into.set(name, value);
            }
        }
    }

    private static boolean grows(String name) {
        return switch (name) {
            case "content", "reasoning_content", "reasoning", "refusal", "arguments", "text", "thinking", "signature" ->
                true;
            default -> false;
        };
    }

    /** The entry of the same {@code index}, made where it is missing. */
    private static ObjectNode at(ArrayNode list, ObjectNode part) {
        int index = part.path("index").asInt(0);
        for (JsonNode each : list) {
            if (each instanceof ObjectNode entry && entry.path("index").asInt(0) == index) {
                return entry;
            }
        }
        return list.addObject().put("index", index);
    }

    private static ObjectNode object(ObjectNode parent, String name) {
        return parent.get(name) instanceof ObjectNode known ? known : parent.putObject(name);
    }

    private static void keepLast(ObjectNode into, ObjectNode part, String except) {
        for (Map.Entry<String, JsonNode> field : part.properties()) {
            if (!field.getKey().equals(except) && !field.getValue().isNull()) {
                into.set(field.getKey(), field.getValue());
            }
        }
    }
}
