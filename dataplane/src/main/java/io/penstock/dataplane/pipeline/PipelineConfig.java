package io.penstock.dataplane.pipeline;

/**
 * Sizes and pace of the rings.
 *
 * @param requestRingSlots slots of the request ring, a power of two
 * @param eventRingSlots slots of the event ring, a power of two
 * @param decisionRingSlots slots of the decision ring, a power of two
 * @param waitStrategy how the core waits for input
 * @param sliceBlocks block steps of KV events between two looks at the request ring, 1 to 65,536
 * @param tickMs milliseconds between two ticks, 1 to 10,000
 */
public record PipelineConfig(
        int requestRingSlots,
        int eventRingSlots,
        int decisionRingSlots,
        WaitMode waitStrategy,
        int sliceBlocks,
        int tickMs) {
    /** Refuses what cannot work, in one line. */
    public PipelineConfig {
        powerOfTwo("requestRingSlots", requestRingSlots);
        powerOfTwo("eventRingSlots", eventRingSlots);
        powerOfTwo("decisionRingSlots", decisionRingSlots);
        if (waitStrategy == null) {
            throw new IllegalArgumentException("not one of blocking, yielding, busy-spin: waitStrategy=null");
        }
        if (sliceBlocks < 1 || sliceBlocks > 65_536) {
            throw new IllegalArgumentException("out of 1..65536: sliceBlocks=" + sliceBlocks);
        }
        if (tickMs < 1 || tickMs > 10_000) {
            throw new IllegalArgumentException("out of 1..10000: tickMs=" + tickMs);
        }
    }

    /** 4,096 requests, 16,384 events, 4,096 decisions, blocking, slices of 2,048 block steps, ten ticks a second. */
    public static PipelineConfig defaults() {
        return new PipelineConfig(4_096, 16_384, 4_096, WaitMode.BLOCKING, 2_048, 100);
    }

    private static void powerOfTwo(String name, int value) {
        if (value < 2 || Integer.bitCount(value) != 1) {
            throw new IllegalArgumentException("not a power of two: " + name + "=" + value);
        }
    }
}
