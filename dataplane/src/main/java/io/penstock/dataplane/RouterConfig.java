package io.penstock.dataplane;

import io.penstock.dataplane.http.HttpConfig;
import io.penstock.dataplane.workers.WorkerSpec;
import java.util.List;

/**
 * Everything a router is built from: one record per concern.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param http listening, preparation, engines over HTTP
 * @param workers workers known at the start; more come through the admin port
 * @param dataDir folder of the index and counter files
 */
public record RouterConfig(HttpConfig http, List<WorkerSpec> workers, String dataDir) {
    /** Fills what was left out. */
    public RouterConfig {
        http = http == null ? HttpConfig.defaults() : http;
        workers = workers == null ? List.of() : List.copyOf(workers);
        dataDir = dataDir == null ? "data" : dataDir;
    }
}
