package io.penstock.bindings.harness;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The group that a body names: {@code prompt_cache_key}, else {@code client_metadata.session_id}, else the session in
 * {@code metadata.user_id}.
 *
 * <p>Claude Code writes a JSON text into {@code user_id}, formerly {@code user_…_session_…}; a user id without a
 * session says nothing about a group of agents.
 *
 * <p><b>Threading:</b> stateless.
 */
final class SessionGroup {
    private static final int MAX_CHARS = 4_096;
    private static final Pattern SESSION_ID = Pattern.compile("\"session_id\"\\s*:\\s*\"([^\"\\\\]+)\"");
    private static final Pattern OLD_SESSION = Pattern.compile("_session_([0-9A-Za-z-]+)$");

    private SessionGroup() {}

    static String of(BodyIdentity body) {
        if (isName(body.promptCacheKey())) {
            return body.promptCacheKey();
        }
        if (isName(body.clientSession())) {
            return body.clientSession();
        }
        return body.userId() == null ? null : ofUserId(body.userId());
    }

    /** A body can hold megabytes in any field; what is so long names nothing. */
    private static boolean isName(String text) {
        return text != null && !text.isBlank() && text.length() <= MAX_CHARS;
    }

    private static String ofUserId(String userId) {
        if (userId.length() > MAX_CHARS) {
            return null;
        }
        Pattern pattern = userId.startsWith("{") ? SESSION_ID : OLD_SESSION;
        Matcher matcher = pattern.matcher(userId);
        return matcher.find() ? matcher.group(1) : null;
    }
}
