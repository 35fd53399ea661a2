package io.penstock.index.inspect;

import java.util.List;

/**
 * Where a block stands and who has it. Hashes are 16 hexadecimal digits.
 *
 * @param asked the hash
 * @param changing runs left out because they changed all the time
 * @param found blocks with that sequence hash, or that engine hash in any hash domain
 *
 * <p><b>Threading:</b> immutable.
 */
public record BlockAnswer(String asked, int changing, List<Found> found) {
    /**
     * A block.
     *
     * @param run number of its run
     * @param place its place there
     * @param position blocks before it, from the root on; null where one of them is not in the file any more
     * @param sequenceHash its sequence hash
     * @param parent sequence hash of the block before, zeros for a root
     * @param names what the hash domains call it
     * @param holders who has it
     */
    public record Found(
            int run,
            int place,
            Integer position,
            String sequenceHash,
            String parent,
            List<Name> names,
            List<Holder> holders) {}

    /** A domain's engine hash. */
    public record Name(long domain, String engineHash) {}

    /** A worker's copies in each tier. */
    public record Holder(int slot, String worker, long dpRank, int device, int host, int disk, int external) {}
}
