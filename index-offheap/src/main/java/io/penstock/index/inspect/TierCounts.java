package io.penstock.index.inspect;

/**
 * Blocks in each tier.
 *
 * <p><b>Threading:</b> immutable.
 */
public record TierCounts(long device, long host, long disk, long external) {
    static TierCounts of(long[] tiers) {
        return new TierCounts(tiers[0], tiers[1], tiers[2], tiers[3]);
    }

    TierCounts minus(TierCounts other) {
        return new TierCounts(device - other.device, host - other.host, disk - other.disk, external - other.external);
    }

    /** Sum over the tiers. */
    public long total() {
        return device + host + disk + external;
    }
}
