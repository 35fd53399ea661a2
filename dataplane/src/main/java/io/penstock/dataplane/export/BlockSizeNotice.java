package io.penstock.dataplane.export;

/**
 * Says what a reader must be told beside the file: rows carry no block size, and their default is often another.
 *
 * <p><b>Threading:</b> immutable.
 */
final class BlockSizeNotice {
    private BlockSizeNotice() {}

    static void add(ReplayPlan plan, Notices notices) {
        notices.add(
                "written: requests with blocks of " + plan.blockSize() + " tokens",
                plan.requests().size());
    }
}
