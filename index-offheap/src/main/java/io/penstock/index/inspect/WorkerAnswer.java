package io.penstock.index.inspect;

import java.util.List;

/**
 * What a worker has, rank by rank.
 *
 * @param worker its name
 * @param changing runs left out because they changed all the time
 * @param ranks its slots; empty when the file knows no such worker
 *
 * <p><b>Threading:</b> immutable.
 */
public record WorkerAnswer(String worker, int changing, List<Rank> ranks) {
    /**
     * One slot.
     *
     * @param state what the file says of it, with held blocks
     * @param furtherCopies copies beyond the first
     * @param runs runs of which it has a part
     * @param wholeRuns runs that it has whole in one tier
     * @param soleBlocks blocks that no other slot has, in any tier
     */
    public record Rank(WorkerState state, TierCounts furtherCopies, int runs, int wholeRuns, long soleBlocks) {}
}
