package io.penstock.dataplane.ingest;

import io.penstock.dataplane.workers.WorkerSpec;

/**
 * One rank of one worker: what its feed listens to and where the events go.
 *
 * @param worker name of the worker
 * @param engine name of the engine
 * @param rank data-parallel rank
 * @param ranks ranks of the worker
 * @param slot slot of the rank
 * @param blockSize tokens of a block
 * @param events endpoint of the events
 * @param replay endpoint of the replay socket, or null
 * @param topic topic prefix, empty for all
 * @param position last batch known
 */
record FeedTarget(
        String worker,
        String engine,
        int rank,
        int ranks,
        int slot,
        int blockSize,
        String events,
        String replay,
        String topic,
        KnownPosition position) {

    /**
     * The target of a rank: ports count up with the rank.
     *
     * @throws IllegalArgumentException if the worker has no usable endpoints
     */
    static FeedTarget of(WorkerSpec spec, int rank, int slot, KnownPosition position) {
        require(spec.kvEvents() != null, "a worker without an event endpoint", "kvEvents", spec.kvEvents());
        require(spec.blockSize() > 0, "a worker without a block size", "blockSize", spec.blockSize());
        return new FeedTarget(
                spec.name(),
                spec.engine(),
                rank,
                spec.dpSize(),
                slot,
                spec.blockSize(),
                ofRank(spec.kvEvents(), rank, "kvEvents"),
                spec.kvReplay() == null || spec.kvReplay().isEmpty() ? null : ofRank(spec.kvReplay(), rank, "kvReplay"),
                spec.kvTopic(),
                position);
    }

    private static String ofRank(String endpoint, int rank, String key) {
        if (rank == 0) {
            return endpoint;
        }
        int colon = endpoint.lastIndexOf(':');
        String port = endpoint.substring(colon + 1);
        require(
                endpoint.startsWith("tcp://") && port.matches("[0-9]{1,5}"),
                "only tcp://host:port has ports for further ranks",
                key,
                endpoint);
        return endpoint.substring(0, colon + 1) + (Integer.parseInt(port) + rank);
    }

    private static void require(boolean holds, String wrong, String name, Object value) {
        if (!holds) {
            throw new IllegalArgumentException(wrong + ": " + name + "=" + value);
        }
    }
}
