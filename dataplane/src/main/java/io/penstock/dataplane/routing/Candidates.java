package io.penstock.dataplane.routing;

/**
 * The eligible slots of one request and what is known of them, in columns; order is that of the slots' registration.
 *
 * <p>Overlap columns are exclusive counts of blocks per tier ({@code PrefixIndex.match}); {@link #device} includes
 * {@link #predicted}.
 *
 * <p><b>Threading:</b> owned by the core; filled anew for every request.
 */
public final class Candidates {
    /** Number of candidates. */
    public int size;

    /** Number of the model. */
    public int model;

    /** Prompt length in tokens. */
    public int promptTokens;

    /** Slot. */
    public final int[] slot;

    /** Tokens of a block. */
    public final int[] blockSize;

    /** Full blocks of the prompt at that block size. */
    public final int[] requestBlocks;

    /** Device overlap. */
    public final int[] device;

    /** Host overlap beyond the device's. */
    public final int[] host;

    /** Disk overlap beyond that. */
    public final int[] disk;

    /** External overlap beyond that. */
    public final int[] external;

    /** Blocks that the worker would get from a shared pool ({@link SharedPoolCounting}). */
    public final int[] sharedBeyond;

    /** Part of {@link #device} that no event has confirmed. */
    public final int[] predicted;

    /** Factor on the overlap: trust in the worker's events. */
    public final double[] trust;

    /** Prompt tokens waiting for prefill. */
    public final long[] prefillTokens;

    /** Blocks of requests in flight. */
    public final long[] decodeBlocks;

    /** The same with this request placed there. */
    public final long[] potentialBlocks;

    /** Requests in flight. */
    public final int[] activeRequests;

    /** Sum of the weights of preferred taints that the worker has. */
    public final double[] taintWeight;

    /** Cost in blocks, filled by the policy. */
    public final double[] cost;

    /** Room for {@code capacity} candidates. */
    public Candidates(int capacity) {
        slot = new int[capacity];
        blockSize = new int[capacity];
        requestBlocks = new int[capacity];
        device = new int[capacity];
        host = new int[capacity];
        disk = new int[capacity];
        external = new int[capacity];
        sharedBeyond = new int[capacity];
        predicted = new int[capacity];
        trust = new double[capacity];
        prefillTokens = new long[capacity];
        decodeBlocks = new long[capacity];
        potentialBlocks = new long[capacity];
        activeRequests = new int[capacity];
        taintWeight = new double[capacity];
        cost = new double[capacity];
    }

    /** Blocks of overlap over all tiers. */
    public int overlap(int i) {
        return device[i] + host[i] + disk[i] + external[i];
    }
}
