package io.penstock.index;

/**
 * Where a block's KV lies, in the order in which a lookup walks. Plain numbers, since they cross rings and files.
 *
 * <p><b>Threading:</b> immutable.
 */
public final class Tier {
    /** Accelerator memory. */
    public static final int DEVICE = 0;

    /** Host memory, pinned or not. */
    public static final int HOST = 1;

    /** Local disk. */
    public static final int DISK = 2;

    /** A shared pool or another node. */
    public static final int EXTERNAL = 3;

    /** Number of tiers. */
    public static final int COUNT = 4;

    private Tier() {}

    /** The name used in metrics and records. */
    public static String name(int tier) {
        return switch (tier) {
            case DEVICE -> "device";
            case HOST -> "host";
            case DISK -> "disk";
            case EXTERNAL -> "external";
            default -> "tier-" + tier;
        };
    }
}
