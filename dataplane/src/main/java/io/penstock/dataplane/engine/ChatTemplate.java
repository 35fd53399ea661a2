package io.penstock.dataplane.engine;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * ChatML: the prompt of OpenAI messages, Anthropic messages and Responses items, in the style of the tiny test model's
 * template.
 *
 * <p>What is no text (images, unknown parts) becomes its type in brackets, so that different parts give different
 * tokens.
 *
 * <p><b>Threading:</b> stateless.
 */
final class ChatTemplate {
    private ChatTemplate() {}

    /** The prompt of a request's messages. */
    static String render(GenerationRequest request) throws RefusedException {
        if (request.messages == null || !request.messages.isArray() || request.messages.isEmpty()) {
            throw RefusedException.bad("messages must be a list with at least one entry", "messages");
        }
        StringBuilder out = new StringBuilder(1024);
        if (request.tools != null && !request.tools.isEmpty()) {
            out.append("<|im_start|>system\n# Tools\n");
            for (JsonNode tool : request.tools) {
                out.append(tool).append('\n');
            }
            out.append("<|im_end|>\n");
        }
        if (request.system != null) {
            message(out, "system", request.system, null);
        }
        for (JsonNode entry : request.messages) {
            item(out, entry);
        }
        if (request.addGenerationPrompt) {
            out.append("<|im_start|>assistant\n");
        }
        return out.toString();
    }

    private static void item(StringBuilder out, JsonNode entry) throws RefusedException {
        switch (entry.path("type").asText("message")) {
            case "function_call" -> message(out, "assistant", null, entry);
            case "function_call_output" -> message(out, "tool", entry.path("output"), null);
            case "reasoning" -> message(out, "assistant", entry.path("summary"), null);
            default -> {
                if (!entry.path("role").isTextual()) {
                    throw RefusedException.bad("a message needs a role", "messages");
                }
                message(out, entry.get("role").asText(), entry.path("content"), entry);
            }
        }
    }

    private static void message(StringBuilder out, String role, JsonNode content, JsonNode entry) {
        out.append("<|im_start|>").append(role).append('\n');
        if (content != null) {
            content(out, content);
        }
        if (entry != null) {
            for (JsonNode call : entry.path("tool_calls")) {
                call(
                        out,
                        call.path("function").path("name"),
                        call.path("function").path("arguments"));
            }
            if (entry.has("call_id")) {
                call(out, entry.path("name"), entry.path("arguments"));
            }
        }
        out.append("<|im_end|>\n");
    }

    private static void call(StringBuilder out, JsonNode name, JsonNode arguments) {
        out.append("<tool_call>\n{\"name\": ").append(name).append(", \"arguments\": ");
        out.append(arguments.isTextual() ? arguments.asText() : arguments.toString())
                .append("}\n</tool_call>");
    }

    private static void content(StringBuilder out, JsonNode content) {
        if (content.isTextual()) {
            out.append(content.asText());
            return;
        }
        for (JsonNode part : content) {
            String type = part.path("type").asText("text");
            switch (type) {
                case "tool_use" -> call(out, part.path("name"), part.path("input"));
                case "tool_result" -> content(out, part.path("content"));
                case "thinking" -> out.append(part.path("thinking").asText());
                default -> {
                    if (part.isTextual()) {
                        out.append(part.asText());
                    } else if (part.path("text").isTextual()) {
                        out.append(part.get("text").asText());
                    } else {
                        out.append('[')
                                .append(type)
                                .append(':')
                                .append(Integer.toHexString(part.hashCode()))
                                .append(']');
                    }
                }
            }
        }
    }
}
