package io.penstock.dataplane.http;

import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.penstock.dataplane.session.SessionTable;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The admin port's paths of sessions.
 *
 * <table>
 * <caption>Paths</caption>
 * <tr><td>{@code GET /sessions?limit=N&group=G&roots=true}</td><td>sessions, last seen first</td></tr>
 * <tr><td>{@code GET /sessions/ID}</td><td>one with its children below it; ID percent-encoded</td></tr>
 * </table>
 *
 * <p><b>Threading:</b> thread-safe.
 */
final class SessionResources {
    static final String PATH = "/sessions";
    private static final int DEFAULT_LIMIT = 100;

    private final SessionTable table;

    SessionResources(SessionTable table) {
        this.table = table;
    }

    DefaultFullHttpResponse list(HttpRequest head) {
        String limit = Resources.parameter(head, "limit");
        int most;
        try {
            most = limit == null ? DEFAULT_LIMIT : Math.max(0, Integer.parseInt(limit));
        } catch (NumberFormatException notOne) {
            return AdminResources.error(400, "not a number: limit=" + limit);
        }
        String asked = Resources.parameter(head, "group");
        String group = asked == null ? null : decoded(asked);
        if (asked != null && group == null) {
            return AdminResources.error(400, "not percent-encoded: group=" + asked);
        }
        boolean roots = "true".equals(Resources.parameter(head, "roots"));
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("known", table.size());
        out.put("sessions", table.list(System.currentTimeMillis(), most, group, roots));
        return FrontResources.json(200, out);
    }

    private static String decoded(String encoded) {
        try {
            return QueryStringDecoder.decodeComponent(encoded.replace("+", "%2B"));
        } catch (IllegalArgumentException senseless) {
            return null;
        }
    }

    DefaultFullHttpResponse tree(String encoded) {
        String id = decoded(encoded);
        if (id == null) {
            return AdminResources.error(400, "not percent-encoded: session=" + encoded);
        }
        Map<String, Object> tree = table.tree(System.currentTimeMillis(), id);
        return tree == null
                ? AdminResources.error(404, "there is no such session: session=" + id)
                : FrontResources.json(200, tree);
    }
}
