package io.penstock.bindings.harness;

import java.util.Locale;

/**
 * First values of the headers that identify an agent, each trimmed; null where absent, blank or not ASCII text.
 *
 * <p><b>Threading:</b> one thread, one request.
 */
final class IdentityHeaders {
    static final String[] NAMES = {
        "x-dynamo-session-id",
        "x-dynamo-parent-session-id",
        "x-dynamo-session-final",
        "x-claude-code-session-id",
        "x-claude-code-agent-id",
        "x-claude-code-parent-agent-id",
        "thread-id",
        "x-codex-parent-thread-id",
        "x-session-id",
        "x-parent-session-id",
        "x-session-affinity",
        "session-id",
        "session_id"
    };
    static final int DYNAMO = 0;
    static final int DYNAMO_PARENT = 1;
    static final int FINAL = 2;
    static final int CLAUDE = 3;
    static final int CLAUDE_AGENT = 4;
    static final int CLAUDE_PARENT = 5;
    static final int THREAD = 6;
    static final int CODEX_PARENT = 7;
    static final int OPENCODE = 8;
    static final int OPENCODE_PARENT = 9;
    static final int AFFINITY = 10;
    static final int SESSION = 11;
    static final int SESSION_UNDERSCORE = 12;

    private final String[] values = new String[NAMES.length];
    private final boolean[] seen = new boolean[NAMES.length];

    IdentityHeaders(HeaderFields fields) {
        fields.forEach(this::take);
    }

    private void take(String name, String value) {
        if (!mayMatter(name)) {
            return;
        }
        for (int i = 0; i < NAMES.length; i++) {
            // Only the first value counts, also where it turns out to be unusable.
            if (!seen[i] && NAMES[i].equalsIgnoreCase(name)) {
                seen[i] = true;
                values[i] = usable(value);
                return;
            }
        }
    }

    /** Cheap sieve: the names looked for begin with {@code x-}, {@code t} or {@code s}. */
    static boolean mayMatter(String name) {
        if (name.length() < 2) {
            return false;
        }
        char first = name.charAt(0);
        return (first == 'x' || first == 'X') && name.charAt(1) == '-'
                || first == 't'
                || first == 'T'
                || first == 's'
                || first == 'S';
    }

    private static String usable(String value) {
        if (!isText(value)) {
            return null;
        }
        String trimmed = value.strip();
        return trimmed.isEmpty() ? null : trimmed;
    }

    /** Visible ASCII, blank and tab: what HTTP libraries hand out as text. */
    static boolean isText(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c != '\t' && (c < ' ' || c > '~')) {
                return false;
            }
        }
        return true;
    }

    String value(int header) {
        return values[header];
    }

    /** The terminal marker: true, false, or null when absent or anything else. */
    Boolean sessionFinal() {
        String value = values[FINAL];
        return value == null
                ? null
                : switch (value.toLowerCase(Locale.ROOT)) {
                    case "1", "true", "on", "yes" -> Boolean.TRUE;
                    case "0", "false", "off", "no" -> Boolean.FALSE;
                    default -> null;
                };
    }
}
