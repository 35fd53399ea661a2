package io.penstock.bindings.events;

/**
 * Storage media as engines name them, and the tier each belongs to. Source: Dynamo's relay; unknown media are left out.
 *
 * <p><b>Threading:</b> immutable.
 */
final class Media {
    private static final Words NAMES = new Words(
            "GPU",
            "DEVICE",
            "CPU",
            "CPU_PINNED",
            "CPU_TIER1",
            "CPU_TIER2",
            "DISK",
            "NVME",
            "STORAGE",
            "EXTERNAL",
            "NETWORK",
            "REMOTE",
            "SHARED");
    private static final int[] TIERS = {0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};

    private Media() {}

    /** Tier of the medium, or -1. */
    static int tier(byte[] bytes, int offset, int length) {
        int word = NAMES.find(bytes, offset, length);
        return word < 0 ? -1 : TIERS[word];
    }
}
