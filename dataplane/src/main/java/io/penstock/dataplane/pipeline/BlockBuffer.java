package io.penstock.dataplane.pipeline;

/**
 * Hashes of the blocks of one event on their way to the core: engine hash and local hash side by side.
 *
 * <p>A decode thread acquires it from {@link BlockBuffers}, fills it and hands it over with an event; the core gives it
 * back.
 *
 * <p><b>Threading:</b> owned by whoever holds it; handed over by the ring's publish.
 */
public final class BlockBuffer {
    /** The engine's hash of each block. */
    public final long[] engineHashes;

    /** Content hash of each block; unused by removals. */
    public final long[] localHashes;

    /** Blocks in use. */
    public int count;

    BlockBuffer(int capacity) {
        engineHashes = new long[capacity];
        localHashes = new long[capacity];
    }

    /** Blocks that fit. */
    public int capacity() {
        return engineHashes.length;
    }
}
