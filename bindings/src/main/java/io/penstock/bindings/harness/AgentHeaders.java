package io.penstock.bindings.harness;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Keeps the headers by which harnesses describe a turn, verbatim, for whoever reads the journal.
 *
 * <p>At most 64 values, 16 KiB each, 32 KiB in all with their names (bytes); a value over a limit is left out whole, and
 * a later one may still fit. They may say more about a user than the user knows: nothing is redacted.
 *
 * <p><b>Threading:</b> one thread, one request.
 */
final class AgentHeaders {
    private static final int MAX_VALUES = 64;
    private static final int MAX_VALUE_BYTES = 16 * 1024;
    private static final int MAX_TOTAL_BYTES = 32 * 1024;

    private final Map<String, List<String>> kept = new LinkedHashMap<>();
    private final boolean withSessionId;
    private int values;
    private int bytes;

    private AgentHeaders(boolean withSessionId) {
        this.withSessionId = withSessionId;
    }

    /**
     * The headers to keep, by lower-case name.
     *
     * @param withSessionId also {@code session-id}, which means something only beside a {@code thread-id}
     */
    static Map<String, List<String>> of(HeaderFields fields, boolean withSessionId) {
        AgentHeaders headers = new AgentHeaders(withSessionId);
        fields.forEach(headers::take);
        headers.kept.replaceAll((name, list) -> Collections.unmodifiableList(list));
        return Collections.unmodifiableMap(headers.kept);
    }

    private void take(String name, String value) {
        if (!IdentityHeaders.mayMatter(name)) {
            return;
        }
        String lower = name.toLowerCase(Locale.ROOT);
        // Text is ASCII here, so its characters are its bytes.
        if (!isKept(lower) || !IdentityHeaders.isText(value) || value.length() > MAX_VALUE_BYTES) {
            return;
        }
        int cost = lower.length() + value.length();
        if (values < MAX_VALUES && bytes + cost <= MAX_TOTAL_BYTES) {
            values++;
            bytes += cost;
            kept.computeIfAbsent(lower, key -> new ArrayList<>(1)).add(value);
        }
    }

    private boolean isKept(String name) {
        return switch (name) {
            case "thread-id", "x-openai-subagent", "x-openai-memgen-request", "x-session-id", "x-parent-session-id" ->
                true;
            case "session-id" -> withSessionId;
            default -> name.startsWith("x-claude-code-") || name.startsWith("x-codex-");
        };
    }
}
