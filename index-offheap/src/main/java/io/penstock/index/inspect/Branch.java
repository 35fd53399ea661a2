package io.penstock.index.inspect;

/**
 * A line of the picture of the largest branches: a run and what grows from it.
 *
 * @param depth runs above it
 * @param run its number
 * @param parentRun run that it continues, null for a root or where the block before is not in the file any more
 * @param at blocks of the parent's run that come before it, null without one
 * @param first sequence hash of its first block
 * @param blocks its blocks
 * @param below its blocks and those of all that grows from it
 * @param workers slots that have its first block, in any tier
 * @param hidden runs that grow from it and are not shown
 * @param hiddenBlocks blocks of those and of what grows from them
 *
 * <p><b>Threading:</b> immutable.
 */
public record Branch(
        int depth,
        int run,
        Integer parentRun,
        Integer at,
        String first,
        int blocks,
        long below,
        int workers,
        int hidden,
        long hiddenBlocks) {}
