package io.penstock.index.inspect;

import java.util.List;

/**
 * Who has how much of a prefix, counted as the router's look-up counts: device from block 0, host from where device ends,
 * then disk, then external.
 *
 * @param asked blocks asked for
 * @param known leading blocks that the file has
 * @param changing runs left out because they changed all the time
 * @param holders workers with at least one block, by slot
 *
 * <p><b>Threading:</b> immutable.
 */
public record PrefixAnswer(int asked, int known, int changing, List<Holder> holders) {
    /**
     * One worker's part.
     *
     * @param slot its slot
     * @param worker its name
     * @param dpRank its rank
     * @param device blocks from block 0 on the device
     * @param host blocks after those in host memory
     * @param disk blocks after those on disk
     * @param external blocks after those elsewhere
     */
    public record Holder(int slot, String worker, long dpRank, int device, int host, int disk, int external) {}
}
