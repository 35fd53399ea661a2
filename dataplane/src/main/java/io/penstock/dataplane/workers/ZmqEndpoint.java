package io.penstock.dataplane.workers;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Endpoints as engines write them, turned into ones that can be connected to.
 *
 * <p>An engine binds to a wildcard and says so: the worker's own host stands in for it. vLLM writes {@code
 * [::ffff:a.b.c.d]} to bind one IPv4 address: that address.
 *
 * <p><b>Threading:</b> stateless.
 */
final class ZmqEndpoint {
    private static final Pattern TCP = Pattern.compile("tcp://(\\[[^\\]]*\\]|[^:\\[\\]]*):(\\d{1,5})");
    private static final String MAPPED = "[::ffff:";

    private ZmqEndpoint() {}

    /**
     * The endpoint of a rank.
     *
     * @param endpoint rank 0's, {@code tcp://host:port}, or of another transport
     * @param host the worker's host, as in its URL
     * @param rank added to the port
     * @return null when the endpoint has no port to add to, or none that can be connected to
     */
    static String resolve(String endpoint, String host, int rank) {
        Matcher tcp = TCP.matcher(endpoint);
        if (!tcp.matches()) {
            return rank == 0 && (endpoint.startsWith("ipc://") || endpoint.startsWith("inproc://")) ? endpoint : null;
        }
        return tcp(tcp.group(1), Integer.parseInt(tcp.group(2)) + rank, host);
    }

    /** A TCP endpoint, or null when the port is none. */
    static String tcp(String bound, int port, String host) {
        if (port < 1 || port > 65_535) {
            return null;
        }
        return "tcp://" + connectable(bound, host) + ":" + port;
    }

    private static String connectable(String bound, String host) {
        return switch (bound) {
            case "", "*", "0.0.0.0", "::", "[::]", "[::ffff:0.0.0.0]" -> host;
            default -> {
                if (bound.startsWith(MAPPED)) {
                    yield bound.substring(MAPPED.length(), bound.length() - 1);
                }
                yield bound.indexOf(':') >= 0 && !bound.startsWith("[") ? "[" + bound + "]" : bound;
            }
        };
    }
}
