package io.penstock.dataplane.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.penstock.bindings.openai.ApiKind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The paths of the public port.
 *
 * <p><b>Threading:</b> immutable.
 */
final class FrontResources implements Resources {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<ApiKind, Resource> apis = new EnumMap<>(ApiKind.class);
    private final Map<String, Resource> own = new HashMap<>();
    private final Resource notFound;
    private final Resource methodNotAllowed;

    FrontResources(Front front, RouterHealth health, Supplier<String> metrics) {
        for (ApiKind kind : ApiKind.values()) {
            apis.put(kind, new ApiResource(front, kind));
        }
        own.put("/health", new OwnResource((head, body) -> json(200, health.details()), front.preparation()));
        own.put("/ready", new OwnResource((head, body) -> ready(health.ready()), null));
        own.put(
                "/metrics",
                new OwnResource(
                        (head, body) -> Answers.of(
                                200,
                                "text/plain; version=0.0.4; charset=utf-8",
                                metrics.get().getBytes(StandardCharsets.UTF_8)),
                        front.preparation()));
        long created = System.currentTimeMillis() / 1_000;
        own.put("/v1/models", new OwnResource((head, body) -> json(200, models(front.names(), created)), null));
        notFound = refusing(front, Refusal.NOT_FOUND);
        methodNotAllowed = refusing(front, Refusal.METHOD_NOT_ALLOWED);
    }

    private static Resource refusing(Front front, Refusal refusal) {
        return new OwnResource(
                (head, body) -> {
                    front.counters().refused(refusal);
                    return refusal.answer(ApiKind.ofPath(head.uri()), null, front.config());
                },
                null);
    }

    @Override
    public Resource find(HttpRequest request) {
        ApiKind kind = ApiKind.ofPath(request.uri());
        if (kind != null) {
            return request.method().equals(HttpMethod.POST) ? apis.get(kind) : methodNotAllowed;
        }
        Resource found = own.get(Resources.path(request));
        if (found == null) {
            return notFound;
        }
        return request.method().equals(HttpMethod.GET) ? found : methodNotAllowed;
    }

    private static DefaultFullHttpResponse ready(boolean ready) {
        return Answers.json(ready ? 200 : 503, ready ? "{\"ready\":true}" : "{\"ready\":false}");
    }

    private static Map<String, Object> models(FleetNames names, long created) {
        List<Map<String, Object>> data = new ArrayList<>();
        for (String name : names.modelNames()) {
            data.add(Map.of("id", name, "object", "model", "created", created, "owned_by", "penstock"));
        }
        return Map.of("object", "list", "data", data);
    }

    static DefaultFullHttpResponse json(int status, Object tree) {
        try {
            return Answers.json(status, JSON.writeValueAsBytes(tree));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("not a tree of maps, lists, texts and numbers", impossible);
        }
    }
}
