package io.penstock.dataplane.ingest;

/**
 * How KV events are read.
 *
 * @param readers threads that read and decode; engines are spread over them (1 to 64)
 * @param transport {@code auto} (libzmq where it is installed, else JeroMQ), {@code libzmq} or {@code jeromq}
 * @param replayTimeoutMs longest wait for the next reply of a replay, milliseconds
 * @param replayAttempts unanswered replays after which live events are taken without their past
 * @param minReplayIntervalMs shortest time between two rebuilds asked for by {@link EventIngest#requestReplay}
 * @param idleProofMs silence after which a feed asks its engine whether it is still the same, milliseconds
 * @param maxBatchBytes largest event batch; larger ones are counted as bad frames
 * @param batchesPerTurn batches read from one engine before the reader turns to the next
 * @param primeBatches batches in front of the last known one that are read again after a start, for the salts and
 *     attention groups that later events leave out
 * @param saltedBlocks salted blocks whose isolation a reader remembers, twice: in a young and an old generation
 */
public record IngestConfig(
        int readers,
        String transport,
        int replayTimeoutMs,
        int replayAttempts,
        int minReplayIntervalMs,
        int idleProofMs,
        int maxBatchBytes,
        int batchesPerTurn,
        int primeBatches,
        int saltedBlocks) {
    /** Refuses what cannot work. */
    public IngestConfig {
        require(readers >= 1 && readers <= 64, "readers must be 1 to 64", "readers", readers);
        require(
                "auto".equals(transport) || "libzmq".equals(transport) || "jeromq".equals(transport),
                "transport must be auto, libzmq or jeromq",
                "transport",
                transport);
        require(replayTimeoutMs > 0, "must be positive", "replayTimeoutMs", replayTimeoutMs);
        require(replayAttempts > 0, "must be positive", "replayAttempts", replayAttempts);
        require(minReplayIntervalMs >= 0, "must not be negative", "minReplayIntervalMs", minReplayIntervalMs);
        require(idleProofMs > 0, "must be positive", "idleProofMs", idleProofMs);
        require(maxBatchBytes >= 1024, "must be at least 1024", "maxBatchBytes", maxBatchBytes);
        require(batchesPerTurn > 0, "must be positive", "batchesPerTurn", batchesPerTurn);
        require(primeBatches >= 0, "must not be negative", "primeBatches", primeBatches);
        require(saltedBlocks > 0, "must be positive", "saltedBlocks", saltedBlocks);
    }

    /** Two readers, whatever transport there is. */
    public static IngestConfig defaults() {
        return new IngestConfig(2, "auto", 2_000, 3, 5_000, 10_000, 64 << 20, 64, 256, 1 << 18);
    }

    private static void require(boolean holds, String wrong, String name, Object value) {
        if (!holds) {
            throw new IllegalArgumentException(wrong + ": " + name + "=" + value);
        }
    }
}
