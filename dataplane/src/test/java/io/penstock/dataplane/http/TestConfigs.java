package io.penstock.dataplane.http;

/** Configurations that differ from the defaults in one thing. */
final class TestConfigs {
    private TestConfigs() {}

    static HttpConfig retrying(HttpConfig from, boolean retry) {
        return of(from, from.maxBodyBytes(), from.upstreamIdleTimeoutMs(), retry, from.drainTimeoutMs(), false);
    }

    static HttpConfig silence(HttpConfig from, int idleMs) {
        return of(from, from.maxBodyBytes(), idleMs, from.retryUnavailable(), from.drainTimeoutMs(), false);
    }

    static HttpConfig body(HttpConfig from, int bytes) {
        return of(from, bytes, from.upstreamIdleTimeoutMs(), from.retryUnavailable(), from.drainTimeoutMs(), false);
    }

    static HttpConfig drain(HttpConfig from, int drainMs) {
        return of(from, from.maxBodyBytes(), from.upstreamIdleTimeoutMs(), from.retryUnavailable(), drainMs, false);
    }

    static HttpConfig tenants(HttpConfig from) {
        return of(from, from.maxBodyBytes(), from.upstreamIdleTimeoutMs(), true, from.drainTimeoutMs(), true);
    }

    private static HttpConfig of(
            HttpConfig from, int bodyBytes, int idleMs, boolean retry, int drainMs, boolean tenantSalt) {
        return new HttpConfig(
                from.host(),
                from.port(),
                from.adminHost(),
                from.adminPort(),
                from.eventLoops(),
                bodyBytes,
                from.loopBodyBytes(),
                from.preparationThreads(),
                from.preparationQueue(),
                from.connectTimeoutMs(),
                idleMs,
                from.upstreamKeepAliveMs(),
                from.upstreamIdleConnections(),
                from.clientIdleTimeoutMs(),
                from.clientStallTimeoutMs(),
                from.maxAttempts(),
                retry,
                from.retryAfterSeconds(),
                drainMs,
                tenantSalt,
                from.decisionsKept());
    }
}
