package io.penstock.dataplane.inputlog;

import io.penstock.dataplane.core.RouterCore;
import io.penstock.dataplane.pipeline.Decision;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.routing.Candidates;
import io.penstock.dataplane.routing.KvTerms;
import io.penstock.dataplane.routing.PolicyKind;
import io.penstock.dataplane.routing.RoutingConfig;
import java.util.Locale;

/**
 * Says in plain words why a core has just decided as it did.
 *
 * <p><b>Threading:</b> owned by the caller; reads the core's last candidates.
 */
final class Reason {
    private final RouterCore core;
    private final RouteRequest request;
    private final RoutingConfig config;
    private final Candidates c;
    private final PolicyKind policy;

    Reason(RouterCore core, RouteRequest request, RoutingConfig config) {
        this.core = core;
        this.request = request;
        this.config = config;
        c = core.candidates();
        policy = request.policy == null ? config.policy() : request.policy;
    }

    PolicyKind policy() {
        return policy;
    }

    /** The chosen candidate, or -1. */
    int chosen() {
        for (int i = 0; i < c.size; i++) {
            if (request.decision.status == Decision.Status.ROUTED && c.slot[i] == request.decision.slot) {
                return i;
            }
        }
        return -1;
    }

    /** Terms of a candidate, or null for a policy without. */
    KvTerms terms(int i) {
        if (policy != PolicyKind.KV) {
            return null;
        }
        long least = Long.MAX_VALUE;
        for (int k = 0; k < c.size; k++) {
            least = Math.min(least, c.prefillTokens[k]);
        }
        return KvTerms.of(config, usable(request.overlapCredit, config.overlapScoreCredit()), c, i, least);
    }

    private static double usable(double own, double standard) {
        return own >= 0 && own < Double.POSITIVE_INFINITY ? own : standard;
    }

    String text() {
        return switch (request.decision.status) {
            case ROUTED -> c.size == 1 ? name(0) + " is the only worker that may take it" : routed(chosen());
            case NO_WORKER -> "the model has no worker";
            case NONE_ELIGIBLE ->
                "no worker may take it: each is unhealthy, draining, excluded, lacks a required taint or the adapter";
            case ALL_BUSY -> "every worker that may take it is over its busy thresholds";
            case PINNED_UNAVAILABLE -> "the pinned worker is not there or may not take it";
        };
    }

    private String routed(int chosen) {
        return switch (policy) {
            case KV -> kv(chosen);
            case LEAST_LOADED ->
                name(chosen) + " has the fewest requests in flight (" + c.activeRequests[chosen] + ")" + lot(chosen);
            case ROUND_ROBIN -> "it is " + name(chosen) + "'s turn";
            case RANDOM -> "the lot among " + c.size + " fell on " + name(chosen);
        };
    }

    private String kv(int chosen) {
        double temperature = usable(request.temperature, config.temperature());
        if (temperature > 0) {
            return "the lot fell on " + name(chosen) + " among " + c.size + ", the cheaper the likelier (temperature "
                    + temperature + "); its cost is " + blocks(c.cost[chosen]) + ", the least is "
                    + blocks(c.cost[next(-1)]);
        }
        int next = next(chosen);
        String first = name(chosen) + " costs least: " + blocks(c.cost[chosen]);
        if (tokens(next) == tokens(chosen)) {
            return first + lot(chosen);
        }
        return first + "; next is " + name(next) + " with " + blocks(c.cost[next]) + ", " + because(chosen, next);
    }

    /** The term in which the chosen one gains most on the next. */
    private String because(int chosen, int next) {
        KvTerms a = terms(chosen);
        KvTerms b = terms(next);
        double scale = config.prefillLoadScale();
        double cache = scale * (credit(a) - credit(b));
        double prefill = scale * (b.prefillBlocks() - a.prefillBlocks());
        double decode = b.decodeBlocks() + b.requestBlocks() - a.decodeBlocks() - a.requestBlocks();
        double most = Math.max(cache, Math.max(prefill, decode));
        if (most <= 0) {
            return "because its preferred taints weigh more";
        }
        if (most == cache) {
            return "mostly because it has " + held(chosen) + " of the prompt's " + c.requestBlocks[chosen] + " blocks"
                    + shared(chosen) + ", " + name(next) + " " + held(next) + shared(next);
        }
        if (most == prefill) {
            return "mostly because fewer prompt tokens wait there: " + c.prefillTokens[chosen] + ", on " + name(next)
                    + " " + c.prefillTokens[next];
        }
        return "mostly because fewer blocks would be in flight there: " + blocks(a.decodeBlocks()) + ", on "
                + name(next) + " " + blocks(b.decodeBlocks());
    }

    private static double credit(KvTerms terms) {
        return terms.deviceCredit() + terms.hostCredit() + terms.diskCredit() + terms.sharedCredit();
    }

    private String shared(int i) {
        return c.sharedBeyond[i] == 0 ? "" : " (and would get " + c.sharedBeyond[i] + " from the shared pool)";
    }

    private int held(int i) {
        return c.device[i] + c.host[i] + c.disk[i] + c.external[i];
    }

    private double tokens(int i) {
        return c.cost[i] * c.blockSize[i];
    }

    private int next(int but) {
        int best = -1;
        for (int i = 0; i < c.size; i++) {
            if (i != but && (best < 0 || tokens(i) < tokens(best))) {
                best = i;
            }
        }
        return best;
    }

    private String lot(int chosen) {
        int ties = 0;
        for (int i = 0; i < c.size; i++) {
            ties += tokens(i) == tokens(chosen) ? 1 : 0;
        }
        return ties > 1 ? ", as " + (ties - 1) + " others do; the lot fell on it" : "";
    }

    private static String blocks(double blocks) {
        return blocks == Math.rint(blocks)
                ? (long) blocks + " blocks"
                : String.format(Locale.ROOT, "%.2f blocks", blocks);
    }

    private String name(int i) {
        return core.nameOf(c.slot[i]);
    }
}
