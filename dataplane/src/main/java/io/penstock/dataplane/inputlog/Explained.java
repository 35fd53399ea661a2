package io.penstock.dataplane.inputlog;

import io.penstock.dataplane.routing.KvTerms;
import java.util.List;

/**
 * A decision made again.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param seq the request's number among the core's inputs
 * @param timeMs wall clock, Unix milliseconds
 * @param replayedFrom where the replay began
 * @param inputs inputs applied to come to the state of then
 * @param decisionsBefore decisions made again on the way
 * @param equalBefore how many of those are those of then, byte for byte
 * @param equal whether this one is that of then, byte for byte
 * @param logged whether the log holds the decision of then
 * @param status result
 * @param worker the chosen one, or null
 * @param policy policy that chose
 * @param why in plain words
 * @param promptTokens length of the prompt
 * @param blocks full blocks of the prompt at the chosen worker's block size
 * @param predictedCachedTokens tokens that the engine should report as cached
 * @param waitNs time in the core's ring then
 * @param randomState what lots were drawn from, before the decision
 * @param candidates all that could have been chosen, cheapest first
 * @param other what another policy would have done, or null
 */
public record Explained(
        long seq,
        long timeMs,
        String replayedFrom,
        long inputs,
        long decisionsBefore,
        long equalBefore,
        boolean equal,
        boolean logged,
        String status,
        String worker,
        String policy,
        String why,
        int promptTokens,
        int blocks,
        int predictedCachedTokens,
        long waitNs,
        String randomState,
        List<Candidate> candidates,
        Other other) {
    /**
     * A worker's rank that could have been chosen.
     *
     * @param slot its number
     * @param worker its name
     * @param chosen whether it was
     * @param cost as the policy counted it
     * @param device overlap in blocks, {@code predicted} included
     * @param host overlap beyond that
     * @param disk overlap beyond that
     * @param external overlap beyond that
     * @param predicted part that no event had confirmed
     * @param shared blocks that it would get from a shared pool
     * @param trust factor on the overlap
     * @param prefillTokens prompt tokens waiting there
     * @param decodeBlocks blocks of requests in flight
     * @param activeRequests requests in flight
     * @param terms of the cost, or null where the policy has none
     */
    public record Candidate(
            int slot,
            String worker,
            boolean chosen,
            double cost,
            int device,
            int host,
            int disk,
            int external,
            int predicted,
            int shared,
            double trust,
            long prefillTokens,
            long decodeBlocks,
            int activeRequests,
            KvTerms terms) {}

    /**
     * Another policy's choice in the same state.
     *
     * @param policy its name
     * @param status result
     * @param worker the worker, or null
     * @param predictedCachedTokens tokens that its engine should report as cached
     * @param why in plain words
     * @param same whether it is the same worker
     */
    public record Other(
            String policy, String status, String worker, int predictedCachedTokens, String why, boolean same) {}
}
