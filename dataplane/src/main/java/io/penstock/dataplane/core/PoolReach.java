package io.penstock.dataplane.core;

import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.index.pool.PageRanges;

/**
 * What a worker can get of a prompt out of a shared pool, in blocks of its own. A page may have another size than a block:
 * positions are compared in tokens, and only whole blocks count.
 *
 * <p><b>Threading:</b> owned by the core; holds the last answer of {@link #follow}.
 */
final class PoolReach {
    /** Entry of the request's pools that gives most, or -1 for none. */
    int entry = -1;

    /** First page that the worker would fetch. */
    int fromPage;

    /** Page after the last that it would fetch. */
    int toPage;

    /** Whole blocks so gained. */
    int blocks;

    /**
     * Counts what follows without a hole on what the worker has: an engine asks a pool page after page and stops at the
     * first that is not there.
     *
     * @param held leading blocks that the worker has, over all its tiers
     */
    void follow(RouteRequest request, int held, int blockSize, int requestBlocks) {
        entry = -1;
        fromPage = 0;
        toPage = 0;
        blocks = 0;
        for (int e = 0; e < request.poolings; e++) {
            PageRanges ranges = request.pageRanges[e];
            if (ranges == null || ranges.size() == 0) {
                continue;
            }
            long pageSize = request.pageSizes[e];
            int from = (int) ((long) held * blockSize / pageSize);
            int to = from + ranges.contiguous(from);
            int gained = (int) Math.min(requestBlocks, to * pageSize / blockSize) - held;
            if (gained > blocks) {
                entry = e;
                fromPage = from;
                toPage = to;
                blocks = gained;
            }
        }
    }

    /**
     * Counts all blocks at positions from {@code device} on, also those after a hole.
     *
     * <p>Source: Dynamo's {@code hits_beyond}, {@code |ranges ∩ [device, pages)|}.
     */
    static int all(RouteRequest request, int device, int blockSize, int requestBlocks) {
        int most = 0;
        for (int e = 0; e < request.poolings; e++) {
            PageRanges ranges = request.pageRanges[e];
            long pageSize = request.pageSizes[e];
            int sum = 0;
            for (int i = 0; ranges != null && i < ranges.size(); i++) {
                long first = Math.max(device, (ranges.start(i) * pageSize + blockSize - 1) / blockSize);
                long end = Math.min(requestBlocks, ranges.end(i) * pageSize / blockSize);
                sum += (int) Math.max(0, end - first);
            }
            most = Math.max(most, sum);
        }
        return most;
    }
}
