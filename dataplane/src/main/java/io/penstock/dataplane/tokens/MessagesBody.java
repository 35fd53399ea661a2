package io.penstock.dataplane.tokens;

import io.penstock.dataplane.tokens.jinja.PyJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Anthropic bodies as vLLM's own {@code /v1/messages} turns them into a chat: system blocks joined (the billing header
 * left out), tool results as tool messages before the user's text, thinking as reasoning.
 *
 * <p><b>Threading:</b> stateless.
 */
final class MessagesBody {
    private MessagesBody() {}

    /** The chat body that an Anthropic body stands for. */
    static Map<String, Object> toChat(Map<String, Object> body, Dialect.Deferral deferral) {
        if (!(body.get("messages") instanceof List<?> messages)) {
            throw new UnsupportedPrompt("no messages");
        }
        List<Object> out = new ArrayList<>();
        system(body.get("system"), messages, out);
        for (Object m : messages) {
            if (!(m instanceof Map<?, ?> message)) {
                throw new UnsupportedPrompt("a message that is not an object");
            }
            if (!"system".equals(message.get("role"))) {
                message(message, out);
            }
        }
        Map<String, Object> chat = new LinkedHashMap<>();
        chat.put("messages", out);
        if (body.get("tools") instanceof List<?> tools) {
            List<Object> converted = new ArrayList<>(tools.size());
            for (Object t : tools) {
                converted.add(tool(t, deferral));
            }
            chat.put("tools", converted);
        }
        if (body.get("chat_template_kwargs") != null) {
            chat.put("chat_template_kwargs", body.get("chat_template_kwargs"));
        }
        if (body.get("output_config") instanceof Map<?, ?> config && config.get("effort") != null) {
            chat.put("reasoning_effort", config.get("effort"));
        }
        return chat;
    }

    private static void system(Object top, List<?> messages, List<Object> out) {
        StringBuilder text = new StringBuilder();
        append(top, text);
        for (Object m : messages) {
            if (m instanceof Map<?, ?> message && "system".equals(message.get("role"))) {
                append(message.get("content"), text);
            }
        }
        if (!text.isEmpty()) {
            out.add(new LinkedHashMap<>(Map.of("role", "system", "content", text.toString())));
        }
    }

    private static void append(Object system, StringBuilder out) {
        if (system instanceof String s) {
            out.append(s);
        } else if (system instanceof List<?> blocks) {
            for (Object b : blocks) {
                if (b instanceof Map<?, ?> block
                        && "text".equals(block.get("type"))
                        && block.get("text") instanceof String s
                        && !billing(s)) {
                    out.append(s);
                }
            }
        }
    }

    /** Claude Code's attribution header: it differs from request to request, and engines leave it out. */
    static boolean billing(String text) {
        return text.startsWith("x-anthropic-billing-header");
    }

    private static void message(Map<?, ?> given, List<Object> out) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("role", given.get("role"));
        if (given.get("content") instanceof List<?> blocks) {
            blocks(blocks, "user".equals(given.get("role")), message, out);
        } else {
            message.put("content", given.get("content"));
        }
        if (!"user".equals(given.get("role")) || message.containsKey("content")) {
            out.add(message);
        }
    }

    private static void blocks(List<?> blocks, boolean user, Map<String, Object> message, List<Object> out) {
        List<Object> parts = new ArrayList<>();
        List<Object> calls = new ArrayList<>();
        StringBuilder thinking = null;
        for (Object b : blocks) {
            if (!(b instanceof Map<?, ?> block)) {
                throw new UnsupportedPrompt("a content block that is not an object");
            }
            switch (String.valueOf(block.get("type"))) {
                case "text" -> {
                    if (block.get("text") instanceof String s && !s.isEmpty()) {
                        parts.add(new LinkedHashMap<>(Map.of("type", "text", "text", s)));
                    }
                }
                case "thinking" -> {
                    thinking = thinking == null ? new StringBuilder() : thinking;
                    thinking.append(block.get("thinking") instanceof String s ? s : "");
                }
                case "redacted_thinking" -> {}
                case "tool_use" -> calls.add(call(block));
                case "tool_result" -> {
                    if (!user) {
                        throw new UnsupportedPrompt("a tool result outside the user's turn");
                    }
                    out.add(result(block));
                }
                default -> throw new UnsupportedPrompt("a content block that is not text");
            }
        }
        if (thinking != null) {
            message.put("reasoning", thinking.toString());
        }
        if (!calls.isEmpty()) {
            message.put("tool_calls", calls);
        }
        if (parts.size() == 1) {
            message.put("content", ((Map<?, ?>) parts.getFirst()).get("text"));
        } else if (!parts.isEmpty()) {
            message.put("content", parts);
        }
    }

    private static Map<String, Object> call(Map<?, ?> block) {
        Map<String, Object> function = new LinkedHashMap<>();
        function.put("name", block.get("name") == null ? "" : block.get("name"));
        function.put("arguments", PyJson.dumps(block.get("input") == null ? Map.of() : block.get("input"), true));
        Map<String, Object> call = new LinkedHashMap<>();
        if (!(block.get("id") instanceof String id) || id.isEmpty()) {
            throw new UnsupportedPrompt("a tool use without id");
        }
        call.put("id", block.get("id"));
        call.put("type", "function");
        call.put("function", function);
        return call;
    }

    private static Map<String, Object> result(Map<?, ?> block) {
        StringBuilder text = new StringBuilder();
        if (block.get("content") instanceof String s) {
            text.append(s);
        } else if (block.get("content") instanceof List<?> items) {
            boolean next = false;
            for (Object i : items) {
                if (!(i instanceof Map<?, ?> item) || !"text".equals(item.get("type"))) {
                    throw new UnsupportedPrompt("a tool result that is not text");
                }
                text.append(next ? "\n" : "").append(item.get("text") instanceof String s ? s : "");
                next = true;
            }
        }
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("role", "tool");
        message.put("tool_call_id", block.get("tool_use_id") == null ? "" : block.get("tool_use_id"));
        message.put("content", text.toString());
        return message;
    }

    private static Object tool(Object given, Dialect.Deferral deferral) {
        if (deferral == Dialect.Deferral.UNKNOWN) {
            throw new UnsupportedPrompt("how the engine hands Anthropic tools to the template is not known");
        }
        if (!(given instanceof Map<?, ?> tool) || !tool.containsKey("input_schema")) {
            throw new UnsupportedPrompt("a tool without schema: the engine runs it itself");
        }
        Map<String, Object> function = new LinkedHashMap<>();
        function.put("name", tool.get("name"));
        function.put("description", tool.get("description"));
        function.put("parameters", tool.get("input_schema"));
        if (tool.get("defer_loading") != null && deferral != Dialect.Deferral.ABSENT) {
            function.put("defer_loading", tool.get("defer_loading"));
        } else if (deferral != Dialect.Deferral.ABSENT) {
            function.put("defer_loading", deferral == Dialect.Deferral.FALSE ? false : null);
        }
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("type", "function");
        out.put("function", function);
        return out;
    }
}
