package io.penstock.dataplane.http;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.penstock.dataplane.routing.BusyThresholds;
import io.penstock.dataplane.session.SessionTable;
import io.penstock.dataplane.workers.WorkerSpec;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * The paths of the admin port: workers, decisions, thresholds.
 *
 * <table>
 * <caption>Paths</caption>
 * <tr><td>{@code GET /workers}</td><td>every worker with state and figures</td></tr>
 * <tr><td>{@code POST /workers}</td><td>adds the worker of the body; one that drains takes requests again</td></tr>
 * <tr><td>{@code POST /workers/NAME/drain}</td><td>sends it nothing new</td></tr>
 * <tr><td>{@code DELETE /workers/NAME}</td><td>forgets it</td></tr>
 * <tr><td>{@code GET /decisions?limit=N}</td><td>the last decisions, youngest first</td></tr>
 * <tr><td>{@code GET /sessions}, {@code GET /sessions/ID}</td><td>{@link SessionResources}</td></tr>
 * <tr><td>{@code GET, POST /busy_threshold}</td><td>thresholds, by model</td></tr>
 * </table>
 *
 * <p><b>Threading:</b> immutable.
 */
final class AdminResources implements Resources {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
    private static final int DEFAULT_LIMIT = 100;
    private static final String NO_OBJECT = "the body is not a JSON object";

    private final FleetAdmin fleet;
    private final DecisionLog decisions;
    private final SessionResources sessions;
    private final Resource resource;

    AdminResources(FleetAdmin fleet, DecisionLog decisions, SessionTable sessions, Executor executor) {
        this.fleet = fleet;
        this.decisions = decisions;
        this.sessions = new SessionResources(sessions);
        this.resource = new OwnResource(this::answer, executor);
    }

    @Override
    public Resource find(HttpRequest request) {
        return resource;
    }

    private DefaultFullHttpResponse answer(HttpRequest head, RequestBody body) {
        if (head.headers().contains(HttpHeaderNames.ORIGIN)) {
            // A page in an operator's browser reaches loopback too.
            return error(403, "not for browsers: Origin=" + head.headers().get(HttpHeaderNames.ORIGIN));
        }
        String path = Resources.path(head);
        boolean get = head.method().equals(HttpMethod.GET);
        boolean post = head.method().equals(HttpMethod.POST);
        if (path.equals("/workers")) {
            return get ? FrontResources.json(200, fleet.workers()) : post ? add(body) : notAllowed();
        }
        if (path.startsWith("/workers/")) {
            return worker(head, path.substring("/workers/".length()), post);
        }
        if (path.equals("/decisions")) {
            return get ? decisions(head) : notAllowed();
        }
        if (path.equals(SessionResources.PATH)) {
            return get ? sessions.list(head) : notAllowed();
        }
        if (path.startsWith(SessionResources.PATH + "/")) {
            return get ? sessions.tree(path.substring(SessionResources.PATH.length() + 1)) : notAllowed();
        }
        if (path.equals("/busy_threshold")) {
            return get ? FrontResources.json(200, fleet.busyThresholds()) : post ? thresholds(body) : notAllowed();
        }
        return error(404, "there is no such path");
    }

    private DefaultFullHttpResponse add(RequestBody body) {
        try {
            WorkerSpec spec = JSON.readValue(body.bytes(), 0, body.length(), WorkerSpec.class);
            if (spec == null) {
                return error(400, NO_OBJECT);
            }
            fleet.add(spec);
            return FrontResources.json(200, Map.of("added", spec.name()));
        } catch (IllegalArgumentException senseless) {
            return error(400, senseless.getMessage());
        } catch (IOException unreadable) {
            return error(400, reason(unreadable));
        }
    }

    private DefaultFullHttpResponse worker(HttpRequest head, String rest, boolean post) {
        boolean delete = head.method().equals(HttpMethod.DELETE);
        boolean drains = rest.endsWith("/drain");
        String encoded = drains ? rest.substring(0, rest.length() - "/drain".length()) : rest;
        String name;
        try {
            name = QueryStringDecoder.decodeComponent(encoded.replace("+", "%2B"));
        } catch (IllegalArgumentException senseless) {
            return error(400, "not percent-encoded: name=" + encoded);
        }
        if (drains ? !post : !delete) {
            return notAllowed();
        }
        if (!(drains ? fleet.drain(name) : fleet.remove(name))) {
            return error(404, "there is no such worker: name=" + name);
        }
        return FrontResources.json(200, Map.of(drains ? "draining" : "removed", name));
    }

    private DefaultFullHttpResponse decisions(HttpRequest head) {
        String limit = Resources.parameter(head, "limit");
        try {
            int count = limit == null ? DEFAULT_LIMIT : Integer.parseInt(limit);
            return FrontResources.json(200, decisions.last(Math.max(0, count)));
        } catch (NumberFormatException notOne) {
            return error(400, "not a number: limit=" + limit);
        }
    }

    /** {@code {"model": "m", "active_decode_blocks_threshold": 0.85, ...}}; what is left out is switched off. */
    private DefaultFullHttpResponse thresholds(RequestBody body) {
        try {
            Map<?, ?> wanted = JSON.readValue(body.bytes(), 0, body.length(), LinkedHashMap.class);
            if (wanted == null) {
                return error(400, NO_OBJECT);
            }
            Object model = wanted.remove("model");
            BusyThresholds thresholds = new BusyThresholds(
                    number(wanted, "active_decode_blocks_threshold").doubleValue(),
                    number(wanted, "active_prefill_tokens_threshold").longValue(),
                    number(wanted, "active_prefill_tokens_threshold_frac").doubleValue());
            if (!wanted.isEmpty()) {
                return error(400, "unknown: " + wanted.keySet().iterator().next());
            }
            if (!fleet.busyThresholds(model == null ? null : model.toString(), thresholds)) {
                return error(404, "there is no such model: model=" + model);
            }
            return FrontResources.json(200, fleet.busyThresholds());
        } catch (IllegalArgumentException senseless) {
            return error(400, senseless.getMessage());
        } catch (IOException unreadable) {
            return error(400, reason(unreadable));
        }
    }

    private static Number number(Map<?, ?> from, String name) {
        Object value = from.remove(name);
        if (value == null) {
            return -1;
        }
        if (value instanceof Number number) {
            return number;
        }
        throw new IllegalArgumentException("not a number: " + name + "=" + value);
    }

    private static String reason(IOException unreadable) {
        if (unreadable instanceof ValueInstantiationException made && made.getCause() != null) {
            return made.getCause().getMessage();
        }
        return unreadable instanceof JacksonException json ? json.getOriginalMessage() : unreadable.getMessage();
    }

    private static DefaultFullHttpResponse notAllowed() {
        return error(405, "the path does not take this method");
    }

    static DefaultFullHttpResponse error(int status, String message) {
        return FrontResources.json(status, Map.of("error", message));
    }
}
