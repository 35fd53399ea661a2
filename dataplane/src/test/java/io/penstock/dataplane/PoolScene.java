package io.penstock.dataplane;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.bindings.pool.ObjectLayout;
import io.penstock.bindings.pool.SglangPool;
import io.penstock.dataplane.core.CoreConfig;
import io.penstock.dataplane.engine.EngineConfig;
import io.penstock.dataplane.engine.SimulatedEngine;
import io.penstock.dataplane.hashing.ShaPages;
import io.penstock.dataplane.http.HttpConfig;
import io.penstock.dataplane.pipeline.PipelineView.SlotFigures;
import io.penstock.dataplane.pool.PoolConfig;
import io.penstock.dataplane.pool.PoolFamily;
import io.penstock.dataplane.pool.PoolLayout;
import io.penstock.dataplane.workers.WorkerSpec;
import io.penstock.ffi.mooncake.MasterProcess;
import io.penstock.ffi.mooncake.StoreClient;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/**
 * A router before two simulated engines, {@code a} and {@code b}, that keep pages of 16 tokens in a real master's pool: two
 * tensor ranks, keys and values apart, so four objects a page.
 */
final class PoolScene implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int BLOCK = 16;
    private static final int OBJECTS = 4;
    private static final String MODEL = "tiny";
    private static final long PATIENCE_NS = 30_000_000_000L;

    private final MasterProcess master;
    private final Path data;
    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<String, SimulatedEngine> engines;
    private final ObjectLayout layout = SglangPool.keysValues(MODEL, BLOCK, 2).layout();
    private Router router;

    PoolScene(MasterProcess master, Path data) {
        this.master = master;
        this.data = data;
        engines = Map.of("a", engine(), "b", engine());
    }

    private static SimulatedEngine engine() {
        return SimulatedEngine.start(
                EngineConfig.defaults().withModel(MODEL, List.of()).withSpeedup(20));
    }

    /** Starts the router and waits until it knows both engines and has listed the pool. */
    void start() throws Exception {
        List<WorkerSpec> workers = new ArrayList<>();
        for (String name : List.of("a", "b")) {
            workers.add(
                    new WorkerSpec(name, engines.get(name).url(), MODEL, "vllm", 0, 0, null, null, null, null, null));
        }
        PoolLayout pages = new PoolLayout(
                MODEL,
                PoolFamily.SGLANG,
                BLOCK,
                2,
                1,
                0,
                0,
                null,
                false,
                false,
                0,
                false,
                null,
                null,
                MODEL,
                null,
                null,
                null,
                null);
        PoolConfig pool = new PoolConfig(
                master.eventsEndpoint(),
                master.adminUrl(),
                "",
                "default",
                List.of(pages),
                1,
                1_000,
                500,
                3_600,
                10_000);
        RouterConfig config = RouterConfig.defaults()
                .with(HttpConfig.defaults().onLoopback(0, 0), workers, data.toString())
                .with(pool);
        router = Router.start(without(config), () -> {});
        until("both engines are there", () -> router.view().slots().size() == 2);
        until("they are healthy", () -> health().at("/workers/healthy").asInt() == 2);
        until("the pool counts", () -> metric("penstock_pool_counts") == 1);
    }

    /** The same without what changes a cost while a request is answered. */
    private static RouterConfig without(RouterConfig c) {
        CoreConfig d = c.core();
        CoreConfig core = new CoreConfig(
                64,
                d.maxActiveRequests(),
                d.pathHashes(),
                d.maxBlocksPerRequest(),
                d.predictedTtlMs(),
                d.maxPredictedHolders(),
                d.approximateTtlSeconds(),
                d.maxApproximatePrompts(),
                d.requestExpirySeconds(),
                d.expiryCheckSeconds(),
                false,
                d.predictionErrorThreshold(),
                d.slotReuseSeconds());
        return c.with(core);
    }

    /** 129 tokens that no other prompt begins with. */
    int[] prompt(int number) {
        int[] tokens = new int[8 * BLOCK + 1];
        Arrays.setAll(tokens, i -> number * 1_000 + i);
        return tokens;
    }

    /** Name of an object of the prompt's page. */
    String name(int[] prompt, int page, int object) {
        ShaPages hasher = ShaPages.of(BLOCK, false);
        long[] keys = new long[hasher.pages(prompt.length) * ObjectLayout.KEY_WORDS];
        hasher.chain(prompt, prompt.length, 0, keys);
        return layout.name(keys, page * ObjectLayout.KEY_WORDS, object);
    }

    /** Puts all objects of the prompt's pages. */
    void put(StoreClient store, int[] prompt, int from, int to) {
        for (int page = from; page < to; page++) {
            for (int object = 0; object < OBJECTS; object++) {
                store.put(name(prompt, page, object));
            }
        }
    }

    /** Fills the pool's memory until the master has dropped all of the prompt's objects. */
    void evict(StoreClient store, int[] prompt) throws Exception {
        byte[] large = new byte[1 << 20];
        int[] number = {0};
        List<String> hashes = new ArrayList<>();
        for (int page = 0; page < 8; page++) {
            hashes.add(name(prompt, page, 0).split("_")[1]);
        }
        until("all of it is evicted", () -> {
            store.putStatus("filler-" + number[0]++, large);
            String listed = master.get("/get_all_keys");
            return hashes.stream().noneMatch(listed::contains);
        });
    }

    /** Lets the engine compute the prompt's first blocks, and waits until the router knows. */
    void hold(String worker, int[] prompt, int blocks) throws Exception {
        long before = slot(worker).deviceBlocks();
        post(prompt, blocks * BLOCK, 1, false, "x-dynamo-worker-instance-id", worker);
        until("the blocks are known", () -> slot(worker).deviceBlocks() >= before + blocks);
        until("the request is over", () -> slot(worker).activeRequests() == 0);
    }

    /** A request that stays in flight on the worker until its answer is closed. */
    HttpResponse<InputStream> stream(String worker, int[] prompt, int blocks) throws Exception {
        return http.send(
                request(prompt, blocks * BLOCK, 4_000, true, "x-dynamo-worker-instance-id", worker),
                HttpResponse.BodyHandlers.ofInputStream());
    }

    /** Asks for the whole prompt and answers the decision. */
    JsonNode ask(int[] prompt) throws Exception {
        HttpResponse<String> answer = post(prompt, prompt.length, 1, false, "x-penstock-explain", "1");
        String id = answer.headers().firstValue("x-penstock-request-id").orElseThrow();
        for (JsonNode decision : get(router.adminPort(), "/decisions?limit=20")) {
            if (decision.get("requestId").asText().equals(id)) {
                return decision;
            }
        }
        throw new AssertionError("no decision of request " + id);
    }

    private HttpResponse<String> post(int[] prompt, int length, int tokens, boolean stream, String... headers)
            throws Exception {
        HttpResponse<String> answer =
                http.send(request(prompt, length, tokens, stream, headers), HttpResponse.BodyHandlers.ofString());
        assertEquals(200, answer.statusCode(), answer.body());
        return answer;
    }

    private HttpRequest request(int[] prompt, int length, int tokens, boolean stream, String... headers)
            throws Exception {
        String body = JSON.writeValueAsString(Map.of(
                "model", MODEL, "prompt", Arrays.copyOf(prompt, length), "max_tokens", tokens, "stream", stream));
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + router.port() + "/v1/completions"))
                .timeout(Duration.ofSeconds(20))
                .headers(headers)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    /** A worker's candidate in a decision. */
    JsonNode candidate(JsonNode decision, String worker) {
        int slot = slot(worker).slot();
        for (JsonNode candidate : decision.get("candidates")) {
            if (candidate.get("slot").asInt() == slot) {
                return candidate;
            }
        }
        throw new AssertionError("no candidate " + worker + ": " + decision);
    }

    SlotFigures slot(String worker) {
        return router.view().slots().stream()
                .filter(slot -> slot.worker().equals(worker))
                .findFirst()
                .orElseThrow();
    }

    /** Whether no worker is trusted less. */
    boolean trusted() {
        return router.view().slots().stream().allMatch(slot -> slot.trust() == 1 && slot.predictionError() == 0);
    }

    /** Objects that were new to the router, by event or listing. */
    long known() throws Exception {
        return (long) (metric("penstock_pool_objects_stored_total") + metric("penstock_pool_objects_seen_total"));
    }

    /** Pages of which the master lists an object. */
    long listed() throws Exception {
        return master.get("/get_all_keys")
                .lines()
                .filter(name -> name.startsWith(MODEL + "_"))
                .map(name -> name.split("_")[1])
                .distinct()
                .count();
    }

    /** Objects found to be gone of which no event told. */
    long stale() throws Exception {
        return (long) (metric("penstock_pool_objects_stale") + metric("penstock_pool_feed_probes_stale_total"));
    }

    /** Value of a metric's only sample; not a number while there is none. */
    double metric(String name) throws Exception {
        String text = http.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + router.port() + "/metrics"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
        return text.lines()
                .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElse(Double.NaN);
    }

    JsonNode health() throws Exception {
        return get(router.port(), "/health");
    }

    private JsonNode get(int port, String path) throws Exception {
        return JSON.readTree(http.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body());
    }

    void until(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + PATIENCE_NS;
        while (!condition.call()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("not in time: " + what + (router == null ? "" : "; " + health()));
            }
            LockSupport.parkNanos(5_000_000);
        }
    }

    @Override
    public void close() {
        if (router != null) {
            router.close();
        }
        engines.values().forEach(SimulatedEngine::close);
        http.close();
    }
}
