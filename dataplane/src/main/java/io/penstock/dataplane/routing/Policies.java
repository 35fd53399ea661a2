package io.penstock.dataplane.routing;

/**
 * The policies of one core, one of each kind, so that a request may name another than the default.
 *
 * <p><b>Threading:</b> owned by the core.
 */
public final class Policies {
    private final Policy[] byKind = new Policy[PolicyKind.values().length];
    private final PolicyKind standard;
    private final RoundRobinPolicy inTurn;

    /** All kinds, for slots below {@code slots}. */
    public Policies(RoutingConfig config, int slots) {
        standard = config.policy();
        inTurn = new RoundRobinPolicy(slots);
        for (PolicyKind kind : PolicyKind.values()) {
            byKind[kind.ordinal()] = switch (kind) {
                case KV -> new KvPolicy(config);
                case ROUND_ROBIN -> inTurn;
                case LEAST_LOADED -> new LeastLoadedPolicy();
                case RANDOM -> new RandomPolicy();
            };
        }
    }

    /** The policy of that kind; null for the default. */
    public Policy of(PolicyKind kind) {
        return byKind[(kind == null ? standard : kind).ordinal()];
    }

    /** The policy that keeps whose turn it is: the only one with a memory. */
    public RoundRobinPolicy inTurn() {
        return inTurn;
    }
}
