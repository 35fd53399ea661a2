package io.penstock.dataplane.tokens;

import io.penstock.dataplane.tokens.jinja.PyJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Responses bodies as vLLM's own {@code /v1/responses} turns them into a chat: instructions as the system message, items
 * in order, calls and reasoning merged into the assistant's message before them.
 *
 * <p>Tools are not claimed: their form depends on the version of the client library inside the engine, and no endpoint
 * tells.
 *
 * <p><b>Threading:</b> stateless.
 */
final class ResponsesBody {
    private ResponsesBody() {}

    /** The chat body that a Responses body stands for. */
    static Map<String, Object> toChat(Map<String, Object> body) {
        if (body.get("previous_response_id") != null || body.get("prompt") != null) {
            throw new UnsupportedPrompt("the prompt's beginning is stored in the engine");
        }
        if (body.get("tools") instanceof List<?> tools && !tools.isEmpty()) {
            throw new UnsupportedPrompt("the form of Responses tools depends on the engine's version");
        }
        List<Object> messages = new ArrayList<>();
        if (body.get("instructions") instanceof String s && !s.isEmpty()) {
            messages.add(message("system", s));
        }
        switch (body.get("input")) {
            case String s -> messages.add(message("user", s));
            case List<?> items -> items.forEach(i -> item(i, messages));
            case null, default -> throw new UnsupportedPrompt("no input");
        }
        Map<String, Object> chat = new LinkedHashMap<>();
        chat.put("messages", messages);
        if (body.get("reasoning") instanceof Map<?, ?> reasoning && reasoning.get("effort") != null) {
            chat.put("reasoning_effort", reasoning.get("effort"));
        }
        return chat;
    }

    private static Map<String, Object> message(Object role, Object content) {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("role", role);
        out.put("content", content);
        return out;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> lastAssistant(List<Object> messages) {
        return !messages.isEmpty() && messages.getLast() instanceof Map<?, ?> m && "assistant".equals(m.get("role"))
                ? (Map<String, Object>) m
                : null;
    }

    private static void item(Object given, List<Object> messages) {
        if (!(given instanceof Map<?, ?> item)) {
            throw new UnsupportedPrompt("an input item that is not an object");
        }
        if ("incomplete".equals(item.get("status")) || "in_progress".equals(item.get("status"))) {
            throw new UnsupportedPrompt("an unfinished item is continued");
        }
        switch (String.valueOf(item.get("type"))) {
            case "function_call" -> call(item, item.get("arguments"), messages);
            case "custom_tool_call" -> {
                Map<String, Object> input = new LinkedHashMap<>();
                input.put("input", item.get("input"));
                call(item, PyJson.dumps(input, true), messages);
            }
            case "function_call_output", "custom_tool_call_output" -> {
                Map<String, Object> out = message("tool", item.get("output"));
                out.put("tool_call_id", item.get("call_id"));
                messages.add(out);
            }
            case "reasoning" -> reasoning(item, messages);
            case "message", "null" -> plain(item, messages);
            default -> throw new UnsupportedPrompt("an input item of type " + item.get("type"));
        }
    }

    private static void call(Map<?, ?> item, Object arguments, List<Object> messages) {
        if (item.get("namespace") != null) {
            throw new UnsupportedPrompt("a call with a namespace");
        }
        Map<String, Object> function = new LinkedHashMap<>();
        function.put("name", item.get("name"));
        function.put("arguments", arguments);
        Map<String, Object> call = new LinkedHashMap<>();
        call.put("id", item.get("call_id"));
        call.put("type", "function");
        call.put("function", function);
        Map<String, Object> last = lastAssistant(messages);
        if (last == null) {
            last = message("assistant", null);
            messages.add(last);
        }
        List<Object> calls = new ArrayList<>(last.get("tool_calls") instanceof List<?> before ? before : List.of());
        calls.add(call);
        last.put("tool_calls", calls);
    }

    private static void reasoning(Map<?, ?> item, List<Object> messages) {
        if (item.get("encrypted_content") != null) {
            throw new UnsupportedPrompt("encrypted reasoning");
        }
        String text = first(item.get("content"));
        text = text == null ? first(item.get("summary")) : text;
        Map<String, Object> last = lastAssistant(messages);
        if (last != null && last.get("reasoning") == null) {
            last.put("reasoning", text == null ? "" : text);
            return;
        }
        Map<String, Object> out = message("assistant", null);
        out.put("reasoning", text == null ? "" : text);
        messages.add(out);
    }

    private static void plain(Map<?, ?> item, List<Object> messages) {
        if (!"assistant".equals(item.get("role"))) {
            messages.add(new LinkedHashMap<>(withContent(item)));
            return;
        }
        Object content = item.get("content");
        String text = content instanceof String s ? s : first(content);
        Map<String, Object> last = lastAssistant(messages);
        if (text != null && last != null && last.get("content") == null) {
            last.put("content", text);
        } else {
            messages.add(message("assistant", text));
        }
    }

    private static Map<String, Object> withContent(Map<?, ?> item) {
        if (!(item.get("role") instanceof String role) || item.get("content") == null) {
            throw new UnsupportedPrompt("a message without role or content");
        }
        return Map.of("role", role, "content", item.get("content"));
    }

    private static String first(Object content) {
        return content instanceof List<?> parts
                        && !parts.isEmpty()
                        && parts.getFirst() instanceof Map<?, ?> part
                        && part.get("text") instanceof String s
                ? s
                : null;
    }
}
