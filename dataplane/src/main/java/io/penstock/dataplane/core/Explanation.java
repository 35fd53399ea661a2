package io.penstock.dataplane.core;

import io.penstock.dataplane.pipeline.Decision;
import io.penstock.dataplane.routing.Candidates;
import io.penstock.index.Tier;

/**
 * Writes into a decision why it was made: the cheapest candidates, the chosen one always among them.
 *
 * <p><b>Threading:</b> owned by the core. <b>Cost:</b> nothing allocated; one pass over the candidates with an insertion
 * into at most {@link Decision#MAX_CANDIDATES} places.
 */
final class Explanation {
    private final int[] best = new int[Decision.MAX_CANDIDATES];

    void write(Candidates c, int chosen, Decision out) {
        int size = 0;
        for (int i = 0; i < c.size; i++) {
            if (size == best.length && !before(c, i, best[size - 1], chosen)) {
                continue;
            }
            int at = size < best.length ? size++ : size - 1;
            while (at > 0 && before(c, i, best[at - 1], chosen)) {
                best[at] = best[at - 1];
                at--;
            }
            best[at] = i;
        }
        boolean there = false;
        for (int k = 0; k < size; k++) {
            there |= best[k] == chosen;
        }
        if (!there) {
            best[size - 1] = chosen;
        }
        for (int k = 0; k < size; k++) {
            int i = best[k];
            out.candidateSlot[k] = c.slot[i];
            out.candidateBlocks[k * Tier.COUNT + Tier.DEVICE] = c.device[i];
            out.candidateBlocks[k * Tier.COUNT + Tier.HOST] = c.host[i];
            out.candidateBlocks[k * Tier.COUNT + Tier.DISK] = c.disk[i];
            out.candidateBlocks[k * Tier.COUNT + Tier.EXTERNAL] = c.external[i];
            out.candidatePredicted[k] = c.predicted[i];
            out.candidateShared[k] = c.sharedBeyond[i];
            out.candidatePrefillTokens[k] = c.prefillTokens[i];
            out.candidateDecodeBlocks[k] = c.decodeBlocks[i];
            out.candidateCost[k] = c.cost[i];
        }
        out.candidates = size;
    }

    private static boolean before(Candidates c, int a, int b, int chosen) {
        double costA = c.cost[a] * c.blockSize[a];
        double costB = c.cost[b] * c.blockSize[b];
        return costA < costB || (costA == costB && a == chosen);
    }
}
