package io.penstock.dataplane;

import io.penstock.dataplane.core.CoreConfig;
import io.penstock.dataplane.hints.HintsConfig;
import io.penstock.dataplane.http.HttpConfig;
import io.penstock.dataplane.ingest.IngestConfig;
import io.penstock.dataplane.inputlog.InputLogConfig;
import io.penstock.dataplane.journal.JournalConfig;
import io.penstock.dataplane.journal.PayloadConfig;
import io.penstock.dataplane.libraries.LibrariesConfig;
import io.penstock.dataplane.pipeline.PipelineConfig;
import io.penstock.dataplane.pool.PoolConfig;
import io.penstock.dataplane.routing.RoutingConfig;
import io.penstock.dataplane.session.SessionConfig;
import io.penstock.dataplane.tokens.TokensConfig;
import io.penstock.dataplane.workers.FleetConfig;
import io.penstock.dataplane.workers.WorkerSpec;
import java.util.List;

/**
 * Everything a router is built from: one record per concern.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param http listening, preparation, engines over HTTP
 * @param routing how a worker is chosen
 * @param core bounds and times of the core
 * @param pipeline sizes and pace of the rings
 * @param tokens how prompts become tokens
 * @param fleet how engines are asked who they are, and whether they live
 * @param ingest how KV events are read
 * @param index where the prefix indexes lie
 * @param pool the store of KV cache that the engines share
 * @param hints whether engines are told what to fetch from each other
 * @param libraries where native libraries of others are looked for
 * @param inputLog the flight recorder of the core
 * @param sessions how many agents' sessions are remembered, and how long
 * @param payload whether traces keep bodies
 * @param journal where the trace journal lies and how long it is kept
 * @param models models known before any worker serves them: asking for one is then no mistake
 * @param workers workers known at the start; more come through the admin port
 * @param dataDir folder of index, counter and journal files
 */
public record RouterConfig(
        HttpConfig http,
        RoutingConfig routing,
        CoreConfig core,
        PipelineConfig pipeline,
        TokensConfig tokens,
        FleetConfig fleet,
        IngestConfig ingest,
        IndexFiles index,
        PoolConfig pool,
        HintsConfig hints,
        LibrariesConfig libraries,
        InputLogConfig inputLog,
        SessionConfig sessions,
        PayloadConfig payload,
        JournalConfig journal,
        List<String> models,
        List<WorkerSpec> workers,
        String dataDir) {
    /** Fills what was left out. */
    public RouterConfig {
        http = http == null ? HttpConfig.defaults() : http;
        routing = routing == null ? RoutingConfig.defaults() : routing;
        core = core == null ? CoreConfig.defaults() : core;
        pipeline = pipeline == null ? PipelineConfig.defaults() : pipeline;
        tokens = tokens == null ? TokensConfig.defaults() : tokens;
        fleet = fleet == null ? FleetConfig.defaults() : fleet;
        ingest = ingest == null ? IngestConfig.defaults() : ingest;
        index = index == null ? IndexFiles.defaults() : index;
        pool = pool == null ? PoolConfig.defaults() : pool;
        hints = hints == null ? HintsConfig.defaults() : hints;
        libraries = libraries == null ? LibrariesConfig.defaults() : libraries;
        inputLog = inputLog == null ? InputLogConfig.defaults() : inputLog;
        sessions = sessions == null ? SessionConfig.defaults() : sessions;
        payload = payload == null ? PayloadConfig.defaults() : payload;
        journal = journal == null ? JournalConfig.defaults() : journal;
        models = models == null ? List.of() : List.copyOf(models);
        workers = workers == null ? List.of() : List.copyOf(workers);
        if (dataDir == null || dataDir.isBlank()) {
            throw new IllegalArgumentException("a folder is needed: dataDir=" + dataDir);
        }
    }

    /** Defaults of every concern, no workers, data in {@code data}. */
    public static RouterConfig defaults() {
        return new RouterConfig(
                null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
                "data");
    }

    /** The same with other bounds of the core. */
    public RouterConfig with(CoreConfig newCore) {
        return new RouterConfig(
                http, routing, newCore, pipeline, tokens, fleet, ingest, index, pool, hints, libraries, inputLog,
                sessions, payload, journal, models, workers, dataDir);
    }

    /** The same with another pool. */
    public RouterConfig with(PoolConfig newPool) {
        return new RouterConfig(
                http, routing, core, pipeline, tokens, fleet, ingest, index, newPool, hints, libraries, inputLog,
                sessions, payload, journal, models, workers, dataDir);
    }

    /** The same with other hints. */
    public RouterConfig with(HintsConfig newHints) {
        return new RouterConfig(
                http, routing, core, pipeline, tokens, fleet, ingest, index, pool, newHints, libraries, inputLog,
                sessions, payload, journal, models, workers, dataDir);
    }

    /** The same with other HTTP settings, workers and data folder. */
    public RouterConfig with(HttpConfig newHttp, List<WorkerSpec> newWorkers, String newDataDir) {
        return new RouterConfig(
                newHttp,
                routing,
                core,
                pipeline,
                tokens,
                fleet,
                ingest,
                index,
                pool,
                hints,
                libraries,
                inputLog,
                sessions,
                payload,
                journal,
                models,
                newWorkers,
                newDataDir);
    }
}
