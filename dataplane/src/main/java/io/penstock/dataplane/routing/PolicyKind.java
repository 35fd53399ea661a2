package io.penstock.dataplane.routing;

/** The placement policies by the names that configuration and headers use. */
public enum PolicyKind {
    /** Cost of prefill not covered by cache, plus load. */
    KV("kv"),
    /** In turn. */
    ROUND_ROBIN("round-robin"),
    /** Fewest active requests. */
    LEAST_LOADED("least-loaded"),
    /** Uniformly at random, seeded. */
    RANDOM("random");

    private final String label;

    PolicyKind(String label) {
        this.label = label;
    }

    /** Name in configuration and metrics. */
    public String label() {
        return label;
    }

    /** The policy of that name, or null. */
    public static PolicyKind of(String label) {
        for (PolicyKind kind : values()) {
            if (kind.label.equals(label)) {
                return kind;
            }
        }
        return null;
    }
}
