package io.penstock.dataplane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.dataplane.engine.EngineConfig;
import io.penstock.dataplane.engine.SimulatedEngine;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever happens to engines, their events and the router: once all is quiet, the router predicts for every request
 * exactly what the engine then finds in its cache; where batches were lost for good, never more.
 */
@Tag("long")
class SoakTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int BLOCK = 16;
    private static final int RANKS = 2;
    private static final int ENGINES = 2;
    private static final int CHECKS = Integer.getInteger("penstock.soak.checks", 2_000);
    private static final int CHECKS_A_ROUND = 40;
    private static final long SETTLED_WITHIN_NS = 40_000_000_000L;

    @TempDir
    Path folder;

    private final long seed = Long.getLong("penstock.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final HttpClient http = HttpClient.newHttpClient();
    private final SimulatedEngine[] engines = new SimulatedEngine[ENGINES];
    private final boolean[] lossy = new boolean[ENGINES];
    private final List<String> history = new ArrayList<>();
    private final int[] turns = new int[40];
    private SoakRouter router;
    private int lives;
    private int filler = 1 << 24;
    private int exact;
    private int bounded;
    private int hits;

    @AfterEach
    void stop() {
        if (router != null) {
            router.close();
        }
        for (SimulatedEngine engine : engines) {
            if (engine != null) {
                engine.close();
            }
        }
        http.close();
    }

    @Test
    void shouldPredictWhatTheEnginesHoldWheneverItIsQuiet() throws Exception {
        System.out.println("seed=" + seed);
        for (int i = 0; i < ENGINES; i++) {
            EngineConfig config = EngineConfig.defaults()
                    .withModel("tiny", List.of())
                    .withSpeedup(200)
                    .withDpSize(RANKS)
                    .withBlocks(BLOCK, 400);
            // The first comes back at the same ports, the other at new ones.
            engines[i] = i == 0 ? atFixedPorts(config) : SimulatedEngine.start(config);
        }
        startRouter();
        try {
            for (int round = 0; exact + bounded < CHECKS; round++) {
                trouble();
                settle();
                System.out.printf("round %d, %d checked, %d routers%n", round, exact + bounded, lives);
                for (int i = 0; i < CHECKS_A_ROUND; i++) {
                    check();
                }
                for (int e = 0; e < ENGINES; e++) {
                    if (lossy[e]) {
                        replace(e);
                    }
                }
            }
        } catch (AssertionError | Exception wrong) {
            int from = Math.max(0, history.size() - 60);
            throw new AssertionError(
                    "seed=" + seed + "\n" + String.join("\n", history.subList(from, history.size())), wrong);
        }
        System.out.printf(
                "exact %d, bounded %d, with hits %d, routers %d, seed %d%n", exact, bounded, hits, lives, seed);
        assertTrue(hits > CHECKS / 4, "too few hits to mean anything: " + hits);
    }

    /** Below the ports that the system gives away, so that they are free again after a restart. */
    private SimulatedEngine atFixedPorts(EngineConfig config) {
        for (int attempt = 0; ; attempt++) {
            int port = 12_000 + 4 * random.nextInt(2_000);
            try {
                return SimulatedEngine.start(config.withEvents(
                        new EngineConfig.Events(true, port, port + RANKS, "", 10_000, 32L << 20, true)));
            } catch (IllegalArgumentException | org.zeromq.ZMQException taken) {
                assertTrue(attempt < 20, "no free ports");
            }
        }
    }

    /** Requests run while something happens. */
    private void trouble() throws Exception {
        List<CompletableFuture<?>> running = new ArrayList<>();
        int requests = 10 + random.nextInt(30);
        int at = random.nextInt(requests);
        for (int i = 0; i < requests; i++) {
            if (i == at) {
                something();
            }
            running.add(http.sendAsync(completion(router.port, nextPrompt()), HttpResponse.BodyHandlers.ofString())
                    .exceptionally(cut -> null));
            LockSupport.parkNanos(random.nextInt(6_000_000));
        }
        if (random.nextInt(3) == 0) {
            // In the middle of what is under way.
            kill();
        }
        CompletableFuture.allOf(running.toArray(CompletableFuture[]::new)).join();
    }

    private void something() throws Exception {
        int e = random.nextInt(ENGINES);
        int rank = random.nextInt(RANKS);
        switch (random.nextInt(9)) {
            case 0 -> {
                note("drop events of " + e + "/" + rank);
                engines[e].dropEvents(rank, 1 + random.nextInt(5));
            }
            case 1 -> {
                note("lose events of " + e + "/" + rank);
                lossy[e] = true;
                engines[e].loseEvents(rank, 1 + random.nextInt(2));
            }
            case 2 -> {
                note("engine " + e + " begins a new life");
                restartInPlace(e);
            }
            case 3, 4 -> replace(e);
            case 5 -> {
                note("reset of " + e);
                engines[e].resetPrefixCache().join();
            }
            case 6 -> kill();
            case 7 -> {
                note("router " + lives + " stops in order");
                router.close();
                startRouter();
            }
            default -> note("nothing");
        }
    }

    private void replace(int e) {
        note("engine " + e + " is killed and comes back");
        EngineConfig config = engines[e].resolvedConfig();
        engines[e].kill();
        engines[e] = SimulatedEngine.start(config);
        lossy[e] = false;
    }

    /** The former life's sequence must not be taken for the new one's: waits until the router has seen the change. */
    private void restartInPlace(int e) throws Exception {
        engines[e].restart().join();
        until("the new life of engine " + e + " is seen", () -> {
            JsonNode ranks = ranks(e);
            for (int rank = 0; rank < RANKS; rank++) {
                long last = ranks.path(rank).path("events").path("lastSequence").asLong(-1);
                if (last >= engines[e].nextSeq(rank)) {
                    return false;
                }
            }
            return ranks.size() == RANKS;
        });
    }

    private void kill() throws Exception {
        note("router " + lives + " is killed");
        router.kill();
        startRouter();
    }

    private void startRouter() throws IOException {
        router = SoakRouter.start(
                folder,
                ++lives,
                Arrays.stream(engines).map(SimulatedEngine::url).toList());
    }

    /** Waits until nothing runs and every rank's last batch is applied. */
    private void settle() throws Exception {
        long[] waiting = {System.nanoTime()};
        until("all is quiet", () -> {
            boolean quiet = true;
            for (int e = 0; e < ENGINES; e++) {
                JsonNode ranks = ranks(e);
                quiet &= ranks.size() == RANKS;
                for (int rank = 0; quiet && rank < RANKS; rank++) {
                    JsonNode events = ranks.get(rank).path("events");
                    quiet = engines[e].activeRequests(rank) == 0
                            && ranks.get(rank).path("state").asText().equals("proven")
                            && ranks.get(rank).path("activeRequests").asInt() == 0
                            && events.path("state").asText().equals("live")
                            && events.path("connected").asBoolean()
                            && events.path("lastSequence").asLong() == engines[e].nextSeq(rank) - 1;
                    if (!quiet && lossy[e] && System.nanoTime() - waiting[0] > 500_000_000L) {
                        // A loss at the end shows with the next batch only.
                        waiting[0] = System.nanoTime();
                        fill(e, rank);
                    }
                }
            }
            return quiet;
        });
        LockSupport.parkNanos(10_000_000);
        until("the core has taken everything", () -> metric("penstock_ring_used{ring=\"events\"}") == 0);
    }

    private void fill(int e, int rank) throws Exception {
        List<Integer> fresh =
                IntStream.range(filler, filler += 2 * BLOCK + 1).boxed().toList();
        http.send(
                completion(engines[e].url(), fresh)
                        .setHeader("x-data-parallel-rank", "" + rank)
                        .build(),
                HttpResponse.BodyHandlers.discarding());
    }

    private void check() throws Exception {
        List<Integer> prompt = nextPrompt();
        HttpResponse<String> answer = http.send(completion(router.port, prompt), HttpResponse.BodyHandlers.ofString());
        assertEquals(200, answer.statusCode(), answer.body());
        int cached = JSON.readTree(answer.body())
                .path("usage")
                .path("prompt_tokens_details")
                .path("cached_tokens")
                .asInt(0);
        int predicted = Integer.parseInt(answer.headers()
                .firstValue("x-penstock-predicted-cached-tokens")
                .orElseThrow());
        String worker = answer.headers().firstValue("x-penstock-worker").orElseThrow();
        int e = Integer.parseInt(worker.replaceAll(".*engine-(\\d+).*", "$1"));
        String what = "prompt of " + prompt.size() + " tokens on " + worker + ": predicted " + predicted + ", cached "
                + cached;
        note(what);
        if (lossy[e]) {
            assertTrue(predicted <= cached, what);
            bounded++;
        } else {
            assertEquals(cached, predicted, what);
            exact++;
        }
        hits += cached > 0 ? 1 : 0;
        settle();
    }

    /** The next turn of a session, or a former one again; sessions begin alike in groups. */
    private List<Integer> nextPrompt() {
        int session = random.nextInt(turns.length);
        if (random.nextInt(4) != 0) {
            turns[session] = turns[session] % 6 + 1;
        }
        int length = 4 * BLOCK * (1 + turns[session]) + random.nextInt(BLOCK);
        return IntStream.range(0, length)
                .map(i -> i < 3 * BLOCK ? 10_000 * (session % 5) + i : 1_000 * (session + 100) + i)
                .boxed()
                .toList();
    }

    private HttpRequest completion(int port, List<Integer> prompt) throws IOException {
        return completion("http://127.0.0.1:" + port, prompt)
                .header("x-penstock-explain", "1")
                .build();
    }

    private HttpRequest.Builder completion(String url, List<Integer> prompt) throws IOException {
        String body = JSON.writeValueAsString(Map.of("model", "tiny", "prompt", prompt, "max_tokens", 20));
        return HttpRequest.newBuilder(URI.create(url + "/v1/completions"))
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    private JsonNode ranks(int e) throws Exception {
        for (JsonNode worker : JSON.readTree(text(router.adminPort, "/workers"))) {
            if (worker.path("name").asText().equals("engine-" + e)
                    && worker.path("state").asText().equals("healthy")) {
                return worker.path("ranks");
            }
        }
        return JSON.createArrayNode();
    }

    private double metric(String name) throws Exception {
        return text(router.port, "/metrics")
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElse(-1);
    }

    private String text(int port, String path) throws Exception {
        return http.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private void note(String what) {
        history.add(what);
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    private void until(String what, Condition condition) throws Exception {
        long end = System.nanoTime() + SETTLED_WITHIN_NS;
        while (!condition.holds()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("not within forty seconds: " + what + "\n"
                        + text(router.adminPort, "/workers") + "\n"
                        + text(router.port, "/metrics")
                                .lines()
                                .filter(line -> line.startsWith("penstock_feed") && !line.endsWith(" 0.0"))
                                .toList());
            }
            LockSupport.parkNanos(5_000_000);
        }
    }
}
