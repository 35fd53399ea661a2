package io.penstock.dataplane.http;

import io.penstock.dataplane.pipeline.Decision;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.index.Tier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The last decisions with their candidates, for an operator's "why".
 *
 * <p><b>Threading:</b> thread-safe, takes no lock. <b>Cost:</b> about 1 KB a decision kept.
 */
public final class DecisionLog {
    /**
     * A decision.
     *
     * @param number counts from 0
     * @param seq number of the request among the core's inputs, for {@code penstock explain}; -1 without the core
     * @param timeMs wall clock, milliseconds since 1970
     * @param requestId the router's name of the request, as in its trace
     * @param api path asked for
     * @param model as the client names it, or null
     * @param session agent's session, or null
     * @param status result
     * @param mode how it was found
     * @param worker chosen worker, or null
     * @param dpRank chosen rank, or -1
     * @param promptTokens length of the prompt
     * @param predictedCachedTokens tokens the engine should report as cached
     * @param waitNs time in the core's ring
     * @param attempt 1 for the first worker
     * @param candidates best first
     */
    public record Entry(
            long number,
            long seq,
            long timeMs,
            String requestId,
            String api,
            String model,
            String session,
            String status,
            String mode,
            String worker,
            int dpRank,
            int promptTokens,
            int predictedCachedTokens,
            long waitNs,
            int attempt,
            List<Candidate> candidates) {}

    /**
     * A worker's rank that could have been chosen.
     *
     * @param slot its number
     * @param overlapBlocks blocks per tier: device, host, disk, external
     * @param predictedBlocks part of the device blocks that is assumed, not reported
     * @param sharedBlocks blocks that it would get from a shared pool
     * @param prefillTokens prompt tokens waiting there
     * @param decodeBlocks blocks active there
     * @param cost in blocks
     */
    public record Candidate(
            int slot,
            List<Integer> overlapBlocks,
            int predictedBlocks,
            int sharedBlocks,
            long prefillTokens,
            long decodeBlocks,
            double cost) {}

    private final AtomicReferenceArray<Entry> ring;
    private final AtomicLong next = new AtomicLong();

    /** Keeps the last {@code capacity}. */
    public DecisionLog(int capacity) {
        ring = new AtomicReferenceArray<>(capacity);
    }

    /** Notes a decision that the core has given back. */
    public void add(String requestId, String api, String model, int attempt, RouteRequest request) {
        Decision decision = request.decision;
        long number = next.getAndIncrement();
        boolean routed = decision.endpoint != null && decision.status == Decision.Status.ROUTED;
        ring.set(
                (int) (number % ring.length()),
                new Entry(
                        number,
                        decision.seq,
                        System.currentTimeMillis(),
                        requestId,
                        api,
                        model,
                        request.session,
                        decision.status.name(),
                        decision.mode.name(),
                        routed ? decision.endpoint.worker() : null,
                        routed ? decision.endpoint.dpRank() : -1,
                        request.promptTokens,
                        decision.predictedCachedTokens,
                        decision.waitNs,
                        attempt,
                        candidates(decision)));
    }

    private static List<Candidate> candidates(Decision decision) {
        Candidate[] out = new Candidate[decision.candidates];
        for (int i = 0; i < out.length; i++) {
            Integer[] blocks = new Integer[Tier.COUNT];
            for (int tier = 0; tier < Tier.COUNT; tier++) {
                blocks[tier] = decision.candidateBlocks[i * Tier.COUNT + tier];
            }
            out[i] = new Candidate(
                    decision.candidateSlot[i],
                    List.of(blocks),
                    decision.candidatePredicted[i],
                    decision.candidateShared[i],
                    decision.candidatePrefillTokens[i],
                    decision.candidateDecodeBlocks[i],
                    decision.candidateCost[i]);
        }
        return Arrays.asList(out);
    }

    /** The last {@code limit}, youngest first. */
    public List<Entry> last(int limit) {
        long end = next.get();
        List<Entry> out = new ArrayList<>(Math.min(limit, ring.length()));
        for (long number = end - 1; number >= 0 && end - number <= ring.length() && out.size() < limit; number--) {
            Entry entry = ring.get((int) (number % ring.length()));
            if (entry != null && entry.number <= number) {
                out.add(entry);
            }
        }
        return out;
    }

    /** Decisions ever noted. */
    public long count() {
        return next.get();
    }
}
