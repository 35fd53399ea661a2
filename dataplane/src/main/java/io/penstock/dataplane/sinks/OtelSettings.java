package io.penstock.dataplane.sinks;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The log collector, by OpenTelemetry's own environment variables.
 *
 * <p>Spoken is OTLP as protobuf over HTTP. Where the environment says grpc, or nothing (then grpc is the default), the same
 * collector is spoken to over HTTP: port 4317 becomes 4318, and a warning says so.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param endpoint URL that logs are posted to
 * @param headers headers of each request
 * @param serviceName name of the service in the resource
 * @param resource further attributes of the resource
 * @param timeoutMs longest wait for an answer
 * @param packed whether requests are packed with gzip
 * @param maxPayloadBytes longest row
 */
public record OtelSettings(
        URI endpoint,
        Map<String, String> headers,
        String serviceName,
        Map<String, String> resource,
        long timeoutMs,
        boolean packed,
        long maxPayloadBytes) {
    private static final String OTLP = "OTEL_EXPORTER_OTLP_";
    private static final String LOGS = OTLP + "LOGS_";
    private static final String PATH = "/v1/logs";
    private static final int HTTP_PORT = 4318;
    private static final int GRPC_PORT = 4317;

    static OtelSettings of(EnvVariables env, List<String> warnings) {
        Map<String, String> resource = pairs(env.text("OTEL_RESOURCE_ATTRIBUTES"));
        String service = env.text("OTEL_SERVICE_NAME");
        String named = resource.remove("service.name");
        String compression = env.text(LOGS + "COMPRESSION", OTLP + "COMPRESSION");
        return new OtelSettings(
                endpoint(env, warnings),
                pairs(env.text(LOGS + "HEADERS", OTLP + "HEADERS")),
                service != null ? service : named != null ? named : "dynamo",
                resource,
                env.number(10_000, n -> n > 0, LOGS + "TIMEOUT", OTLP + "TIMEOUT"),
                "gzip".equalsIgnoreCase(compression),
                env.number(
                        4 << 20,
                        n -> n > 0,
                        "DYN_REQUEST_TRACE_OTEL_MAX_PAYLOAD_BYTES",
                        "DYN_AUDIT_OTEL_MAX_PAYLOAD_BYTES"));
    }

    private static URI endpoint(EnvVariables env, List<String> warnings) {
        String protocol = env.text(LOGS + "PROTOCOL", OTLP + "PROTOCOL");
        boolean http = protocol != null && protocol.toLowerCase(Locale.ROOT).startsWith("http/");
        String own = env.text(LOGS + "ENDPOINT");
        String shared = env.text(OTLP + "ENDPOINT");
        String given = own != null ? own : shared == null ? "http://localhost:" + HTTP_PORT : shared;
        URI uri = URI.create(given.contains("://") ? given : "http://" + given);
        if (uri.getHost() == null || uri.getScheme() == null || !uri.getScheme().startsWith("http")) {
            throw new IllegalArgumentException("a log collector's http URL is needed: " + LOGS + "ENDPOINT=" + given);
        }
        if (!http) {
            uri = at(uri, uri.getPort() == GRPC_PORT || uri.getPort() < 0 ? HTTP_PORT : uri.getPort(), PATH);
            warnings.add("logs go as http/protobuf, grpc is not spoken: protocol=" + protocol + " endpoint=" + uri);
            return uri;
        }
        if (!"http/protobuf".equalsIgnoreCase(protocol)) {
            warnings.add("logs go as http/protobuf: protocol=" + protocol + " endpoint=" + uri);
        }
        // The logs' own endpoint is taken as it is; the shared one is the base of all signals.
        String base = uri.getPath() == null ? "" : uri.getPath().replaceAll("/+$", "");
        return own != null ? uri : at(uri, uri.getPort(), base + PATH);
    }

    private static URI at(URI uri, int port, String path) {
        String host = uri.getHost();
        return URI.create(uri.getScheme() + "://" + host + (port < 0 ? "" : ":" + port) + path);
    }

    /** {@code a=b,c=d} with percent signs decoded. */
    private static Map<String, String> pairs(String list) {
        Map<String, String> pairs = new LinkedHashMap<>();
        if (list != null) {
            for (String pair : list.split(",", -1)) {
                int sign = pair.indexOf('=');
                if (sign > 0) {
                    pairs.put(
                            pair.substring(0, sign).strip(),
                            decoded(pair.substring(sign + 1).strip()));
                }
            }
        }
        return pairs;
    }

    private static String decoded(String value) {
        try {
            // A plus is itself here, unlike in a form.
            return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notEncoded) {
            return value;
        }
    }
}
