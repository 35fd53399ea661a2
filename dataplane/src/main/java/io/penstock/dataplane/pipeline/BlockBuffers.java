package io.penstock.dataplane.pipeline;

import org.agrona.concurrent.ManyToManyConcurrentArrayQueue;

/**
 * Bounded pool of {@link BlockBuffer}s in size classes (64, 512, 4,096, 32,768 blocks). An exhausted pool answers null:
 * the reader then waits, and the engine's events wait in its socket.
 *
 * <p><b>Threading:</b> thread-safe. <b>Cost:</b> buffers are made on first use and kept.
 */
public final class BlockBuffers {
    private static final int[] CLASSES = {64, 512, 4_096, 32_768};
    private static final int[] LIMITS = {16_384, 4_096, 512, 64};

    private final ManyToManyConcurrentArrayQueue<BlockBuffer>[] free;
    private final java.util.concurrent.atomic.AtomicInteger[] made;

    /** An empty pool. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    public BlockBuffers() {
        free = new ManyToManyConcurrentArrayQueue[CLASSES.length];
        made = new java.util.concurrent.atomic.AtomicInteger[CLASSES.length];
        for (int i = 0; i < CLASSES.length; i++) {
            free[i] = new ManyToManyConcurrentArrayQueue<>(LIMITS[i]);
            made[i] = new java.util.concurrent.atomic.AtomicInteger();
        }
    }

    /** Most blocks that one event may carry. */
    public static int maxBlocks() {
        return CLASSES[CLASSES.length - 1];
    }

    /** A buffer for at least {@code blocks} blocks, or null. */
    public BlockBuffer acquire(int blocks) {
        for (int i = 0; i < CLASSES.length; i++) {
            if (blocks <= CLASSES[i]) {
                BlockBuffer buffer = free[i].poll();
                if (buffer == null && made[i].get() < LIMITS[i] && made[i].incrementAndGet() <= LIMITS[i]) {
                    buffer = new BlockBuffer(CLASSES[i]);
                }
                if (buffer != null) {
                    buffer.count = 0;
                }
                return buffer;
            }
        }
        return null;
    }

    /** Gives a buffer back. */
    public void release(BlockBuffer buffer) {
        for (int i = 0; i < CLASSES.length; i++) {
            if (buffer.capacity() == CLASSES[i]) {
                free[i].offer(buffer);
                return;
            }
        }
        throw new IllegalArgumentException("not of this pool: capacity=" + buffer.capacity());
    }
}
