package io.penstock.dataplane.workers;

/**
 * How engines are asked who they are, and whether they live.
 *
 * @param discoveryTimeoutMs longest wait for one answer of an engine, milliseconds
 * @param discoveryBackoffMs pause after the first failed discovery; doubles with each further one
 * @param discoveryMaxBackoffMs longest such pause
 * @param adapterRefreshMs time between two looks at the adapters of a worker; 0 for never
 * @param healthIntervalMs time between two probes of a worker
 * @param healthTimeoutMs longest wait for a probe's answer; SGLang takes a second over it, since it generates a token
 * @param unhealthyAfter failures in a row, probes and reported connect failures, that make a worker unhealthy
 * @param healthyAfter good probes in a row that make it healthy again
 * @param healthPath path that answers 200 while the engine can serve
 */
public record FleetConfig(
        int discoveryTimeoutMs,
        int discoveryBackoffMs,
        int discoveryMaxBackoffMs,
        int adapterRefreshMs,
        int healthIntervalMs,
        int healthTimeoutMs,
        int unhealthyAfter,
        int healthyAfter,
        String healthPath) {
    /** Refuses what cannot work. */
    public FleetConfig {
        positive("discoveryTimeoutMs", discoveryTimeoutMs);
        positive("discoveryBackoffMs", discoveryBackoffMs);
        if (discoveryMaxBackoffMs < discoveryBackoffMs) {
            throw new IllegalArgumentException(
                    "below discoveryBackoffMs: discoveryMaxBackoffMs=" + discoveryMaxBackoffMs);
        }
        if (adapterRefreshMs < 0) {
            throw new IllegalArgumentException("negative: adapterRefreshMs=" + adapterRefreshMs);
        }
        positive("healthIntervalMs", healthIntervalMs);
        positive("healthTimeoutMs", healthTimeoutMs);
        positive("unhealthyAfter", unhealthyAfter);
        positive("healthyAfter", healthyAfter);
        healthPath = healthPath == null ? "/health" : healthPath;
        if (!healthPath.startsWith("/")) {
            throw new IllegalArgumentException("must start with a slash: healthPath=" + healthPath);
        }
    }

    /** Two seconds for an answer, a probe a second, two failures make unhealthy, one success heals. */
    public static FleetConfig defaults() {
        return new FleetConfig(2_000, 200, 5_000, 30_000, 1_000, 5_000, 2, 1, "/health");
    }

    private static void positive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException("must be positive: " + name + "=" + value);
        }
    }
}
