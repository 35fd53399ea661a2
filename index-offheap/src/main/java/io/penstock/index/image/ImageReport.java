package io.penstock.index.image;

/**
 * What taking an image cost.
 *
 * @param blocks blocks in it, dead generations included
 * @param runs runs in it
 * @param bytes length of the file
 * @param passes times that the runs were gone through beside the writer
 * @param copyNs time of those, nanoseconds
 * @param stopNs time for which the writer stood still, longest single stop, nanoseconds
 * @param stopRuns runs copied during the last stop
 * @param tornSlots slots taken within a batch: they come back cleared
 * @param writeNs time to finish and sync the file, nanoseconds
 *
 * <p><b>Threading:</b> immutable.
 */
public record ImageReport(
        long blocks,
        long runs,
        long bytes,
        int passes,
        long copyNs,
        long stopNs,
        int stopRuns,
        int tornSlots,
        long writeNs) {}
