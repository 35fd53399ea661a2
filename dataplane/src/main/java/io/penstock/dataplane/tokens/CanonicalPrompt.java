package io.penstock.dataplane.tokens;

import io.penstock.bindings.openai.ApiKind;
import io.penstock.dataplane.tokens.jinja.PyJson;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The text of a prompt in one order, whatever the order of the body: tools, system, then messages or input. What moves
 * from turn to turn without meaning is left out: {@code cache_control} marks, and Claude Code's billing header. Key
 * order inside a message is kept as sent; white space is not.
 *
 * <p>Why not the raw bytes: harnesses put messages before tools, and move their cache marks each turn, so raw prefixes of
 * two turns part early.
 *
 * <p><b>Threading:</b> stateless.
 */
final class CanonicalPrompt {
    /** Below these the model's own data begins, where a {@code cache_control} would be a name like any other. */
    private static final Set<String> OPAQUE = Set.of("input", "arguments", "parameters", "input_schema", "properties");

    private CanonicalPrompt() {}

    /** The canonical text as UTF-8, empty if the body holds no prompt. */
    static byte[] of(ApiKind api, Map<String, Object> body) {
        StringBuilder out = new StringBuilder(1024);
        switch (api) {
            case CHAT, MESSAGES, COUNT_TOKENS, RESPONSES -> chat(body, out);
            case COMPLETIONS -> plain(body.get("prompt"), out);
            case EMBEDDINGS -> {
                if (body.get("messages") instanceof List<?>) {
                    chat(body, out);
                } else {
                    plain(body.get("input"), out);
                }
            }
            case TOKENIZE -> {
                if (body.get("messages") instanceof List<?>) {
                    chat(body, out);
                } else {
                    plain(body.get("prompt"), out);
                }
            }
        }
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void chat(Map<String, Object> body, StringBuilder out) {
        lines("tool ", body.get("tools"), out);
        lines("system ", body.get("system"), out);
        lines("system ", body.get("instructions"), out);
        lines("", body.get("messages"), out);
        lines("", body.get("input"), out);
    }

    private static void lines(String kind, Object value, StringBuilder out) {
        if (value instanceof List<?> items) {
            for (Object item : items) {
                if (!billing(item)) {
                    out.append(kind).append(PyJson.dumps(unmarked(item), false)).append('\n');
                }
            }
        } else if (value instanceof String s && !s.isEmpty()) {
            out.append(kind).append(PyJson.dumps(s, false)).append('\n');
        }
    }

    private static boolean billing(Object item) {
        return item instanceof Map<?, ?> m && m.get("text") instanceof String s && MessagesBody.billing(s);
    }

    private static Object unmarked(Object value) {
        return switch (value) {
            case Map<?, ?> m -> {
                Map<Object, Object> out = new LinkedHashMap<>();
                m.forEach((k, v) -> {
                    if (OPAQUE.contains(k)) {
                        out.put(k, v);
                    } else if (!"cache_control".equals(k)) {
                        out.put(k, unmarked(v));
                    }
                });
                yield out;
            }
            case List<?> l -> l.stream().map(CanonicalPrompt::unmarked).collect(java.util.stream.Collectors.toList());
            case null, default -> value;
        };
    }

    private static void plain(Object value, StringBuilder out) {
        if (value instanceof String s) {
            out.append(s);
        } else if (value instanceof List<?> l) {
            out.append(PyJson.dumps(l, false));
        }
    }
}
