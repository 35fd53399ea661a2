package io.penstock.index.inspect;

import java.util.List;

/**
 * What another file has that this one has not, and the other way round.
 *
 * @param same workers and all that they have are the same; positions and the runs' cut are not looked at
 * @param changing runs of both files left out because they changed all the time
 * @param blocks distinct blocks that a worker has
 * @param runs runs
 * @param workers those that differ, by name and rank
 *
 * <p><b>Threading:</b> immutable.
 */
public record DiffAnswer(boolean same, int changing, Counts blocks, Counts runs, List<Worker> workers) {
    /**
     * Numbers of both files.
     *
     * @param here in this file
     * @param other in the other
     * @param common in both; runs are the same with the same first block and length
     */
    public record Counts(long here, long other, long common) {}

    /**
     * One worker's rank.
     *
     * @param worker name
     * @param dpRank rank
     * @param only {@code here} or {@code other} where just one file knows it, else null
     * @param gained blocks per tier that it has in the other file only
     * @param lost blocks per tier that it has in this file only
     */
    public record Worker(String worker, long dpRank, String only, TierCounts gained, TierCounts lost) {}
}
