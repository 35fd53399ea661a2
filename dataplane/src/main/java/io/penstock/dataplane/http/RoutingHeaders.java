package io.penstock.dataplane.http;

import io.netty.handler.codec.http.HttpHeaders;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.routing.PolicyKind;

/**
 * Wishes of one request about its placement.
 *
 * <table>
 * <caption>Headers</caption>
 * <tr><td>{@code x-dynamo-worker-instance-id}, {@code x-worker-instance-id}</td><td>name of the worker that must serve
 * it</td></tr>
 * <tr><td>{@code x-dynamo-dp-rank}, {@code x-dp-rank}</td><td>rank that must serve it</td></tr>
 * <tr><td>{@code x-penstock-policy}</td><td>policy of this request</td></tr>
 * <tr><td>{@code x-penstock-required-taints}</td><td>labels that the worker must have, by commas</td></tr>
 * <tr><td>{@code x-penstock-preferred-taints}</td><td>labels that are liked (or not: below 0) with their weights,
 * {@code label=weight} by commas; a label that no worker has says nothing</td></tr>
 * <tr><td>{@code x-penstock-overlap-credit}</td><td>credit per device block of overlap, from 0</td></tr>
 * <tr><td>{@code x-penstock-temperature}</td><td>temperature of the choice, from 0</td></tr>
 * <tr><td>{@code x-penstock-explain}</td><td>1: the answer names worker, prediction and number</td></tr>
 * </table>
 *
 * <p><b>Threading:</b> stateless.
 */
final class RoutingHeaders {
    private RoutingHeaders() {}

    /** Reads them into the question; answers why it cannot, or null. */
    static Refusal read(HttpHeaders headers, FleetNames names, RouteRequest out) {
        String worker = first(headers, "x-dynamo-worker-instance-id", "x-worker-instance-id");
        if (worker != null) {
            out.pinnedWorker = names.worker(worker);
            if (out.pinnedWorker < 0) {
                return Refusal.PINNED_UNAVAILABLE;
            }
        }
        String policy = first(headers, "x-penstock-policy", null);
        if (policy != null) {
            out.policy = PolicyKind.of(policy);
            if (out.policy == null) {
                return Refusal.BAD_HEADER;
            }
        }
        String taints = first(headers, "x-penstock-required-taints", null);
        if (taints != null) {
            for (String label : taints.split(",")) {
                long bit = label.isBlank() ? 0 : names.taint(label.trim());
                if (bit == 0 && !label.isBlank()) {
                    return Refusal.NONE_ELIGIBLE;
                }
                out.requiredTaints |= bit;
            }
        }
        try {
            preferred(first(headers, "x-penstock-preferred-taints", null), names, out);
            return numbers(headers, out);
        } catch (NumberFormatException notOne) {
            return Refusal.BAD_HEADER;
        }
    }

    private static void preferred(String taints, FleetNames names, RouteRequest out) {
        if (taints == null) {
            return;
        }
        for (String entry : taints.split(",")) {
            int equals = entry.lastIndexOf('=');
            double weight = Double.parseDouble(entry.substring(equals + 1).trim());
            if (equals < 1 || !Double.isFinite(weight)) {
                throw new NumberFormatException("not label=weight");
            }
            long bit = names.taint(entry.substring(0, equals).trim());
            if (bit != 0) {
                out.preferredTaints |= bit;
                out.preferredWeights = out.preferredWeights == null ? new double[Long.SIZE] : out.preferredWeights;
                out.preferredWeights[Long.numberOfTrailingZeros(bit)] = weight;
            }
        }
    }

    private static Refusal numbers(HttpHeaders headers, RouteRequest out) {
        String rank = first(headers, "x-dynamo-dp-rank", "x-dp-rank");
        String credit = first(headers, "x-penstock-overlap-credit", null);
        String temperature = first(headers, "x-penstock-temperature", null);
        if (rank != null) {
            out.pinnedRank = Integer.parseInt(rank);
        }
        if (credit != null) {
            out.overlapCredit = weight(credit);
        }
        if (temperature != null) {
            out.temperature = weight(temperature);
        }
        return rank != null && out.pinnedRank < 0 ? Refusal.BAD_HEADER : null;
    }

    private static double weight(String text) {
        double value = Double.parseDouble(text);
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new NumberFormatException("not a weight of 0 or more");
        }
        return value;
    }

    private static String first(HttpHeaders headers, String name, String other) {
        String value = headers.get(name);
        if ((value == null || value.isBlank()) && other != null) {
            value = headers.get(other);
        }
        return value == null || value.isBlank() ? null : value.trim();
    }
}
