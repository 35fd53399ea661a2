package io.penstock.dataplane.http;

/**
 * How the router listens, prepares requests and talks to engines over HTTP.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param host address that clients connect to
 * @param port its port, 0 for any free one
 * @param adminHost address of the admin port; loopback by default, since it can remove workers
 * @param adminPort port of the admin server, 0 for any free one, -1 for none
 * @param eventLoops event loop threads, 0 for half the processors
 * @param maxBodyBytes largest request body; beyond it 413
 * @param maxInFlightBodyBytes bodies held over all connections, until the first byte of the answer; beyond it: 503
 * @param loopBodyBytes bodies up to this size whose prompt needs no tokeniser are read on the event loop
 * @param preparationThreads threads that parse large bodies, render and tokenise; 0 for half the processors
 * @param preparationQueue requests that may wait for them; beyond it 503 with {@code Retry-After}
 * @param connectTimeoutMs time to connect to an engine
 * @param upstreamIdleTimeoutMs longest silence of an engine while its bytes are awaited
 * @param upstreamKeepAliveMs how long an idle connection to an engine is kept; below the engine's own limit (uvicorn: 5 s)
 * @param upstreamIdleConnections idle connections kept per event loop and engine
 * @param clientIdleTimeoutMs longest silence of a client within a request's body, and longest time from an answer (or
 *     the connection's begin) to the whole head of the next request, however slowly that comes
 * @param clientRequestTimeoutMs longest time for a request's body to arrive
 * @param clientStallTimeoutMs longest time that a client may leave its answer unread before it is given up
 * @param maxAttempts workers tried for one request before the first byte of its answer
 * @param retryUnavailable whether an engine's own 503 or 529 is tried elsewhere; else passed on
 * @param retryAfterSeconds value of {@code Retry-After} in refusals
 * @param drainTimeoutMs how long a stop waits for answers in flight
 * @param tenantSalt whether {@code x-tenant-id} becomes the cache salt of a request that has none
 * @param decisionsKept last decisions that the admin port shows
 */
public record HttpConfig(
        String host,
        int port,
        String adminHost,
        int adminPort,
        int eventLoops,
        int maxBodyBytes,
        long maxInFlightBodyBytes,
        int loopBodyBytes,
        int preparationThreads,
        int preparationQueue,
        int connectTimeoutMs,
        int upstreamIdleTimeoutMs,
        int upstreamKeepAliveMs,
        int upstreamIdleConnections,
        int clientIdleTimeoutMs,
        int clientRequestTimeoutMs,
        int clientStallTimeoutMs,
        int maxAttempts,
        boolean retryUnavailable,
        int retryAfterSeconds,
        int drainTimeoutMs,
        boolean tenantSalt,
        int decisionsKept) {
    /** Checks every value. */
    public HttpConfig {
        if (host == null || host.isBlank()) {
            throw new IllegalArgumentException("an address to listen on is needed: host=" + host);
        }
        if (adminHost == null || adminHost.isBlank()) {
            throw new IllegalArgumentException("an address to listen on is needed: adminHost=" + adminHost);
        }
        range("port", port, 0, 65_535);
        range("adminPort", adminPort, -1, 65_535);
        range("eventLoops", eventLoops, 0, 1_024);
        range("maxBodyBytes", maxBodyBytes, 1_024, 1 << 30);
        if (maxInFlightBodyBytes < maxBodyBytes) {
            throw new IllegalArgumentException(
                    "less than maxBodyBytes=" + maxBodyBytes + ": maxInFlightBodyBytes=" + maxInFlightBodyBytes);
        }
        range("loopBodyBytes", loopBodyBytes, 0, 1 << 20);
        range("preparationThreads", preparationThreads, 0, 1_024);
        range("preparationQueue", preparationQueue, 1, 1 << 20);
        range("connectTimeoutMs", connectTimeoutMs, 1, 600_000);
        range("upstreamIdleTimeoutMs", upstreamIdleTimeoutMs, 10, 86_400_000);
        range("upstreamKeepAliveMs", upstreamKeepAliveMs, 0, 3_600_000);
        range("upstreamIdleConnections", upstreamIdleConnections, 0, 65_536);
        range("clientIdleTimeoutMs", clientIdleTimeoutMs, 10, 86_400_000);
        range("clientRequestTimeoutMs", clientRequestTimeoutMs, 10, 86_400_000);
        range("clientStallTimeoutMs", clientStallTimeoutMs, 10, 86_400_000);
        range("maxAttempts", maxAttempts, 1, 64);
        range("retryAfterSeconds", retryAfterSeconds, 1, 3_600);
        range("drainTimeoutMs", drainTimeoutMs, 0, 3_600_000);
        range("decisionsKept", decisionsKept, 1, 1 << 20);
    }

    private static void range(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException("not in " + least + ".." + most + ": " + name + "=" + value);
        }
    }

    /** Port 8080, admin on loopback 8081, 32 MiB bodies. */
    public static HttpConfig defaults() {
        return new HttpConfig(
                "0.0.0.0",
                8_080,
                "127.0.0.1",
                8_081,
                0,
                32 << 20,
                512L << 20,
                16 << 10,
                0,
                1_024,
                2_000,
                600_000,
                4_000,
                64,
                75_000,
                300_000,
                300_000,
                4,
                true,
                1,
                30_000,
                false,
                1_024);
    }

    /** The same on loopback at other ports. */
    public HttpConfig onLoopback(int newPort, int newAdminPort) {
        return new HttpConfig(
                "127.0.0.1",
                newPort,
                "127.0.0.1",
                newAdminPort,
                eventLoops,
                maxBodyBytes,
                maxInFlightBodyBytes,
                loopBodyBytes,
                preparationThreads,
                preparationQueue,
                connectTimeoutMs,
                upstreamIdleTimeoutMs,
                upstreamKeepAliveMs,
                upstreamIdleConnections,
                clientIdleTimeoutMs,
                clientRequestTimeoutMs,
                clientStallTimeoutMs,
                maxAttempts,
                retryUnavailable,
                retryAfterSeconds,
                drainTimeoutMs,
                tenantSalt,
                decisionsKept);
    }

    /** Event loop threads in effect. */
    public int eventLoopThreads() {
        return eventLoops > 0 ? eventLoops : half();
    }

    /** Preparation threads in effect. */
    public int preparationThreadsInEffect() {
        return preparationThreads > 0 ? preparationThreads : half();
    }

    private static int half() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }
}
