package io.penstock.index.inspect;

/**
 * A run as the end of a prefix: who has it.
 *
 * @param run its number
 * @param first sequence hash of its first block
 * @param last sequence hash of its last block: names the whole prefix
 * @param position blocks before it from the root on, null where one of them is not in the file any more
 * @param blocks its blocks
 * @param workers slots that have its first block, in any tier
 * @param copies its blocks summed over the slots that have them
 *
 * <p><b>Threading:</b> immutable.
 */
public record SharedPrefix(
        int run, String first, String last, Integer position, int blocks, int workers, long copies) {}
