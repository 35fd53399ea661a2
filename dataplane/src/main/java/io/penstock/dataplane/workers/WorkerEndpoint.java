package io.penstock.dataplane.workers;

/**
 * Where a slot's engine takes requests.
 *
 * @param slot the slot at the time of the decision
 * @param worker configured name, or URL
 * @param dpRank rank to ask for; sent as {@code X-data-parallel-rank} where the worker has more than one
 * @param dpSize ranks of the worker
 * @param host host of the HTTP server
 * @param port its port
 * @param basePath path in front of {@code /v1}, empty or starting with a slash
 * @param engine {@code vllm}, {@code sglang}, {@code trtllm}, or {@code none} where that is not known
 * @param hints its part in KvHints
 */
public record WorkerEndpoint(
        int slot,
        String worker,
        int dpRank,
        int dpSize,
        String host,
        int port,
        String basePath,
        String engine,
        HintSite hints) {
    /** An endpoint without hints. */
    public WorkerEndpoint(
            int slot, String worker, int dpRank, int dpSize, String host, int port, String basePath, String engine) {
        this(slot, worker, dpRank, dpSize, host, port, basePath, engine, HintSite.NONE);
    }

    /** An endpoint whose engine is not known. */
    public WorkerEndpoint(int slot, String worker, int dpRank, int dpSize, String host, int port, String basePath) {
        this(slot, worker, dpRank, dpSize, host, port, basePath, "none");
    }
}
