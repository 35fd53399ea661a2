package io.penstock.dataplane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.ffi.mooncake.MasterProcess;
import io.penstock.ffi.mooncake.StoreClient;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole router before two simulated engines, {@code a} and {@code b}, and a real Mooncake master whose objects are put
 * through its C library.
 *
 * <p>Every prompt has 8 blocks of 16 tokens and one token more, 8.0625 blocks, all of which would be in flight: a worker
 * without load costs {@code 8.0625 + 8 - device blocks - 0.5 * blocks that it would get from the pool}. A page has 16
 * tokens and four objects. The simulated engines fetch nothing, so they report their own blocks only.
 */
class SharedPoolTest {
    private static final double BARE = 8.0625 + 8;

    @TempDir
    Path folder;

    private MasterProcess master;
    private StoreClient store;
    private PoolScene scene;

    @BeforeEach
    void start() {
        master = MasterProcess.start(folder);
        store = StoreClient.connect(master);
        scene = new PoolScene(master, folder.resolve("data"));
    }

    @AfterEach
    void stop() {
        if (scene != null) {
            scene.close();
        }
        if (store != null) {
            store.close();
        }
        if (master != null) {
            master.close();
        }
    }

    /** Cost of the last decision's candidate. */
    private void assertCost(double expected, String worker, JsonNode decision) {
        assertEquals(expected, scene.candidate(decision, worker).get("cost").asDouble(), 1e-9, decision.toString());
    }

    private void assertShared(int expected, String worker, JsonNode decision) {
        assertEquals(
                expected, scene.candidate(decision, worker).get("sharedBlocks").asInt(), decision.toString());
    }

    @Test
    void shouldChooseByWhatEachWorkerWouldGetOfThePool() throws Exception {
        int[] old = scene.prompt(1);
        scene.put(store, old, 0, 6);
        scene.start();
        scene.hold("a", old, 2);
        JsonNode decision = scene.ask(old);
        // Objects from before the router's start, found by listing. a: 2 blocks, then pages 2 to 5. b: pages 0 to 5.
        assertCost(BARE - 2 - 0.5 * 4, "a", decision);
        assertCost(BARE - 0.5 * 6, "b", decision);
        assertEquals("a", decision.get("worker").asText());
        assertEquals(6 * 16, decision.get("predictedCachedTokens").asInt());
        // The engine reports its 2 blocks: pages 2 to 5 were promised and not found, as page 0 was for those 2 blocks.
        scene.until("the missed pages are counted", () -> scene.metric("penstock_pool_pages_missed_total") == 5);
        scene.until("they are asked for", () -> scene.metric("penstock_pool_feed_suspects_total") == 5);
        assertTrue(scene.trusted(), "what the pool did not give is no fault of the worker's");

        int[] fresh = scene.prompt(2);
        scene.hold("b", fresh, 1);
        long known = scene.known();
        scene.put(store, fresh, 0, 8);
        scene.until("events tell of 8 pages", () -> scene.known() == known + 8 * 4);
        decision = scene.ask(fresh);
        // Stored while the router listened. a: 8 pages. b: 1 block, then 7 pages.
        assertCost(BARE - 0.5 * 8, "a", decision);
        assertCost(BARE - 1 - 0.5 * 7, "b", decision);
        assertEquals("b", decision.get("worker").asText());
        // 129 tokens: all 8 blocks can be cached, the last token is computed.
        assertEquals(8 * 16, decision.get("predictedCachedTokens").asInt());
    }

    @Test
    void shouldCreditNoPageBehindOneThatLacksAnObject() throws Exception {
        scene.start();
        int[] prompt = scene.prompt(3);
        scene.hold("a", prompt, 2);
        scene.put(store, prompt, 0, 4);
        scene.put(store, prompt, 5, 8);
        // Three of the four objects of page 4.
        store.put(scene.name(prompt, 4, 0), scene.name(prompt, 4, 1), scene.name(prompt, 4, 3));
        scene.until("events tell of all objects", () -> scene.known() == 7 * 4 + 3);
        JsonNode decision = scene.ask(prompt);
        // a: 2 blocks, pages 2 and 3. b: pages 0 to 3. Nobody can use pages 5 to 7.
        assertCost(BARE - 2 - 0.5 * 2, "a", decision);
        assertCost(BARE - 0.5 * 4, "b", decision);
        assertEquals(4 * 16, decision.get("predictedCachedTokens").asInt());
    }

    @Test
    void shouldLetThePoolSendARequestToTheWorkerWithLessLoad() throws Exception {
        scene.start();
        int[] without = scene.prompt(4);
        int[] with = scene.prompt(5);
        scene.hold("a", without, 6);
        scene.hold("a", with, 6);
        scene.put(store, with, 0, 8);
        scene.until("events tell of 8 pages", () -> scene.known() == 8 * 4);
        HttpResponse<InputStream> busy = scene.stream("a", scene.prompt(6), 4);
        try (InputStream answer = busy.body()) {
            assertTrue(answer.read() >= 0);
            scene.until(
                    "its 4 blocks are in flight, its prefill is over",
                    () -> scene.slot("a").decodeBlocks() == 4 && scene.slot("a").prefillTokens() == 0);
            JsonNode decision = scene.ask(without);
            // The 4 blocks in flight on a weigh less than its 6 of the prompt.
            assertCost(BARE - 6 + 4, "a", decision);
            assertCost(BARE, "b", decision);
            assertEquals("a", decision.get("worker").asText());
            decision = scene.ask(with);
            // The pool has the rest for a and everything for b: 6 + 0.5 * 2 - 4 against 0.5 * 8.
            assertCost(BARE - 6 - 0.5 * 2 + 4, "a", decision);
            assertCost(BARE - 0.5 * 8, "b", decision);
            assertEquals("b", decision.get("worker").asText());
        }
    }

    @Test
    void shouldTakeBackTheCreditWhenObjectsAreRemovedOrEvicted() throws Exception {
        scene.start();
        int[] removed = scene.prompt(7);
        int[] evicted = scene.prompt(8);
        scene.hold("a", removed, 2);
        scene.hold("a", evicted, 2);
        scene.put(store, removed, 0, 8);
        scene.until("events tell of 8 pages", () -> scene.known() == 8 * 4);
        store.remove(scene.name(removed, 3, 2));
        scene.until("the event tells of the removal", () -> scene.metric("penstock_pool_objects_removed_total") == 1);
        JsonNode decision = scene.ask(removed);
        // a: 2 blocks and page 2. b: pages 0 to 2.
        assertCost(BARE - 2 - 0.5, "a", decision);
        assertCost(BARE - 0.5 * 3, "b", decision);

        long known = scene.known();
        scene.put(store, evicted, 0, 8);
        scene.until("events tell of 8 pages more", () -> scene.known() == known + 8 * 4);
        // Nothing is published of an eviction: only a listing or a probe can show it.
        scene.evict(store, evicted);
        scene.until("the router knows what the master has", () -> scene.metric("penstock_pool_pages") == scene.listed());
        assertTrue(scene.stale() > 0, "the drift is counted");
        decision = scene.ask(evicted);
        assertShared(0, "a", decision);
        assertShared(0, "b", decision);
        assertCost(BARE - 2, "a", decision);
        assertEquals(2 * 16, decision.get("predictedCachedTokens").asInt());
    }

    @Test
    void shouldGoOnWithoutThePoolWhenTheMasterDiesAndTakeItUpAgainWhenItIsBack() throws Exception {
        scene.start();
        int[] before = scene.prompt(9);
        int[] after = scene.prompt(10);
        scene.put(store, before, 0, 8);
        scene.until("events tell of 8 pages", () -> scene.known() == 8 * 4);
        master.kill();
        scene.until("the pool does not count", () -> scene.metric("penstock_pool_counts") == 0);
        assertTrue(scene.health().get("alerts").toString().contains("nothing of the shared pool counts"));
        JsonNode decision = scene.ask(before);
        assertShared(0, "a", decision);
        assertShared(0, "b", decision);
        assertEquals(0, decision.get("predictedCachedTokens").asInt());

        master.restart();
        store.close();
        store = StoreClient.connect(master);
        scene.until("the pool counts again", () -> scene.metric("penstock_pool_counts") == 1);
        // The new master is empty: what the one before held is gone.
        scene.until("its pages are forgotten", () -> scene.metric("penstock_pool_pages") == 0);
        scene.hold("b", after, 3);
        long known = scene.known();
        scene.put(store, after, 0, 5);
        scene.until("the new master's events tell of 5 pages", () -> scene.known() == known + 5 * 4);
        decision = scene.ask(after);
        // a: pages 0 to 4. b: 3 blocks, then pages 3 and 4.
        assertCost(BARE - 0.5 * 5, "a", decision);
        assertCost(BARE - 3 - 0.5 * 2, "b", decision);
        assertEquals("b", decision.get("worker").asText());
    }

    @Test
    void shouldAnswerRequestsWhileTheMasterHangs() throws Exception {
        scene.start();
        int[] prompt = scene.prompt(11);
        scene.put(store, prompt, 0, 8);
        scene.until("events tell of 8 pages", () -> scene.known() == 8 * 4);
        master.freeze();
        try {
            int[] requests = {0};
            scene.until("the silence is noticed while requests go on", () -> {
                assertEquals(
                        "ROUTED",
                        scene.ask(scene.prompt(100 + requests[0]++))
                                .get("status")
                                .asText());
                return scene.metric("penstock_pool_counts") == 0;
            });
            assertShared(0, "b", scene.ask(scene.prompt(99)));
        } finally {
            master.thaw();
        }
        scene.until("the pool counts", () -> scene.metric("penstock_pool_counts") == 1);
        assertShared(8, "b", scene.ask(prompt));
    }

    @Test
    void shouldCreditNothingOfNamesThatAreNotTheLayouts() throws Exception {
        scene.start();
        int[] prompt = scene.prompt(12);
        for (int page = 0; page < 8; page++) {
            for (int object = 0; object < 4; object++) {
                store.put("other-" + scene.name(prompt, page, object));
            }
        }
        scene.until("they are not ours", () -> scene.metric("penstock_pool_feed_foreign_names_total") >= 8 * 4);
        JsonNode decision = scene.ask(prompt);
        assertShared(0, "a", decision);
        assertShared(0, "b", decision);
    }
}
