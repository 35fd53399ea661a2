package io.penstock.dataplane.tokens;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Chat bodies as vLLM hands them to the template: contents flattened or wrapped by {@link ContentFormat}, tool call
 * arguments parsed, tools with the fields in its order.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param format the template's content format
 * @param dialect details in which engine versions differ
 * @param reasoning whether the template reads the reasoning of earlier turns
 */
record ChatBody(ContentFormat format, Dialect dialect, boolean reasoning) {
    /** Integers of any size stay integers, as in Python. */
    static final ObjectMapper JSON = new ObjectMapper();

    private static final Set<String> TEXT_PARTS = Set.of("text", "input_text", "output_text", "refusal", "thinking");

    /** The conversation of a {@code /v1/chat/completions} or {@code /tokenize} body. */
    Conversation chat(Map<String, Object> body) {
        refuse(body, "chat_template", "continue_final_message", "truncate_prompt_tokens", "mm_processor_kwargs");
        if (!(body.get("messages") instanceof List<?> messages)) {
            throw new UnsupportedPrompt("no messages");
        }
        List<Object> tools = null;
        if (body.get("tools") instanceof List<?> given) {
            tools = new ArrayList<>();
            for (Object t : given) {
                tools.add(tool(t));
            }
        }
        Map<String, Object> variables = new LinkedHashMap<>();
        if (body.get("reasoning_effort") != null) {
            variables.put("reasoning_effort", body.get("reasoning_effort"));
        }
        if (body.get("documents") != null) {
            variables.put("documents", body.get("documents"));
        }
        if (body.get("chat_template_kwargs") instanceof Map<?, ?> more) {
            more.forEach((k, v) -> variables.put((String) k, v));
        }
        return new Conversation(
                messages(messages),
                tools,
                variables,
                !Boolean.FALSE.equals(body.get("add_generation_prompt")),
                Boolean.TRUE.equals(body.get("add_special_tokens")));
    }

    private static void refuse(Map<String, Object> body, String... fields) {
        for (String field : fields) {
            Object v = body.get(field);
            if (v != null && !Boolean.FALSE.equals(v)) {
                throw new UnsupportedPrompt("the request sets " + field);
            }
        }
    }

    /** Messages in the template's form. */
    List<Object> messages(List<?> given) {
        List<Object> out = new ArrayList<>(given.size());
        for (Object m : given) {
            if (!(m instanceof Map<?, ?> message) || !(message.get("role") instanceof String)) {
                throw new UnsupportedPrompt("a message without role");
            }
            out.add(message(message));
        }
        return out;
    }

    private Map<String, Object> message(Map<?, ?> given) {
        Map<String, Object> out = new LinkedHashMap<>();
        Object role = given.get("role");
        out.put("role", role);
        out.put("content", content(given.get("content")));
        if ("assistant".equals(role)) {
            if (given.get("tool_calls") instanceof List<?> calls && !calls.isEmpty()) {
                List<Object> parsed = new ArrayList<>();
                for (Object call : calls) {
                    parsed.add(call(call));
                }
                out.put("tool_calls", parsed);
            }
            if (given.get("reasoning") instanceof String thought) {
                out.put("reasoning", thought);
                out.put("reasoning_content", thought);
            } else if (reasoning && given.get("reasoning_content") != null) {
                throw new UnsupportedPrompt("engines differ on reasoning_content");
            }
        } else if ("tool".equals(role) && given.containsKey("tool_call_id")) {
            out.put("tool_call_id", given.get("tool_call_id"));
        }
        if (given.get("name") instanceof String name) {
            out.put("name", name);
        }
        return out;
    }

    private Object content(Object given) {
        List<Object> texts = new ArrayList<>();
        switch (given) {
            case null -> {}
            case String s -> texts.add(s);
            case List<?> parts -> parts.forEach(p -> part(p, texts));
            default -> throw new UnsupportedPrompt("content is neither text nor parts");
        }
        if (format == ContentFormat.TEXT) {
            // vLLM keeps a part only if it is true in Python, and an empty text is not; as a dict it would be.
            texts.removeIf(""::equals);
        }
        if (format == ContentFormat.TEXT) {
            return String.join("\n", texts.toArray(String[]::new));
        }
        List<Object> wrapped = new ArrayList<>(texts.size());
        for (Object t : texts) {
            Map<String, Object> part = new LinkedHashMap<>();
            part.put("type", "text");
            part.put("text", t);
            wrapped.add(part);
        }
        return wrapped;
    }

    private static void part(Object part, List<Object> texts) {
        if (part instanceof String s) {
            texts.add(s);
            return;
        }
        if (!(part instanceof Map<?, ?> m) || !TEXT_PARTS.contains(String.valueOf(m.get("type")))) {
            throw new UnsupportedPrompt("a content part that is not text");
        }
        String type = (String) m.get("type");
        Object text = m.get(type.equals("refusal") || type.equals("thinking") ? type : "text");
        if (text instanceof String s) {
            texts.add(s);
        } else if (text != null) {
            throw new UnsupportedPrompt("a text part without text");
        }
    }

    private Object call(Object given) {
        if (!(given instanceof Map<?, ?> call) || !(call.get("function") instanceof Map<?, ?> function)) {
            throw new UnsupportedPrompt("a tool call without function");
        }
        Object arguments = function.get("arguments");
        if (arguments == null || "".equals(arguments)) {
            arguments = new LinkedHashMap<>();
        } else if (arguments instanceof String text) {
            try {
                arguments = JSON.readValue(text, Object.class);
            } catch (JsonProcessingException e) {
                throw new UnsupportedPrompt("tool call arguments are not JSON");
            }
        }
        Map<String, Object> inner = new LinkedHashMap<>();
        if (dialect.argumentsFirst()) {
            inner.put("arguments", arguments);
            inner.put("name", function.get("name"));
        } else {
            inner.put("name", function.get("name"));
            inner.put("arguments", arguments);
        }
        Map<String, Object> out = new LinkedHashMap<>();
        if (call.containsKey("id")) {
            out.put("id", call.get("id"));
        }
        out.put("function", inner);
        out.put("type", call.get("type") == null ? "function" : call.get("type"));
        return out;
    }

    /** A tool with its fields in the order of vLLM's model, absent ones null where the dialect keeps them. */
    Object tool(Object given) {
        if (!(given instanceof Map<?, ?> tool) || !(tool.get("function") instanceof Map<?, ?> function)) {
            throw new UnsupportedPrompt("a tool that is not a function");
        }
        Map<String, Object> inner = new LinkedHashMap<>();
        field(inner, function, "name");
        field(inner, function, "description");
        field(inner, function, "parameters");
        function.forEach((k, v) -> extra(inner, (String) k, v));
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("type", tool.get("type") == null ? "function" : tool.get("type"));
        out.put("function", inner);
        tool.forEach((k, v) -> extra(out, (String) k, v));
        return out;
    }

    private void extra(Map<String, Object> out, String name, Object value) {
        if (!out.containsKey(name) && (value != null || dialect.keepsNulls())) {
            out.put(name, value);
        }
    }

    private void field(Map<String, Object> out, Map<?, ?> from, String name) {
        if (from.get(name) != null || dialect.keepsNulls()) {
            out.put(name, from.get(name));
        }
    }
}
