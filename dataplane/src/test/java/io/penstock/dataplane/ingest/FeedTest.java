package io.penstock.dataplane.ingest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.dataplane.workers.RankFeed;
import io.penstock.dataplane.workers.WorkerSpec;
import io.penstock.ffi.zmq.LibZmq;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Feeds against real sockets, over both transports. */
@TestInstance(TestInstance.Lifecycle.PER_METHOD)
class FeedTest {
    private static final int SLOT = 3;
    private static final long DEADLINE_MS = 20_000;

    private final HoldingPort port = new HoldingPort();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private EventIngest ingest;
    private int replayTimeoutMs = 5_000;

    @AfterEach
    void close() throws Exception {
        if (ingest != null) {
            ingest.close();
        }
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    @ParameterizedTest
    @CsvSource({"jeromq, true", "jeromq, false", "libzmq, true", "libzmq, false"})
    void shouldKnowThePastWhenTheEngineIsNew(String transport, boolean topicInReplay) {
        ScriptedEngine engine = engine(1, topicInReplay);
        engine.publish(5);
        start(transport, engine, KnownPosition.NONE);
        awaitHeld(SLOT, blocks(1, 0, 5));
        awaitLive(engine);
        engine.publish(3);
        awaitHeld(SLOT, blocks(1, 0, 8));
        assertEquals("cold", port.words(SLOT).getFirst());
        assertEquals(1, port.words(SLOT).stream().filter("cold"::equals).count());
        assertEquals(7, status().lastSequence());
    }

    @ParameterizedTest
    @ValueSource(strings = {"jeromq", "libzmq"})
    void shouldGoOnWhenTheEngineProvesItsLife(String transport) {
        ScriptedEngine engine = engine(1, true);
        engine.publish(8);
        port.keep(SLOT, blocks(1, 0, 5));
        start(transport, engine, engine.position(4));
        awaitHeld(SLOT, blocks(1, 0, 8));
        assertEquals("proven", port.words(SLOT).getFirst());
        assertFalse(port.words(SLOT).contains("cold"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"jeromq", "libzmq"})
    void shouldBecomeColdWhenAnotherLifeRanPastTheLastSequence(String transport) {
        KnownPosition former = new KnownPosition(4, 0, 0);
        try (ScriptedEngine one = new ScriptedEngine(1, true)) {
            former = one.position(4);
        }
        ScriptedEngine two = engine(2, true);
        two.publish(9);
        port.keep(SLOT, blocks(1, 0, 5));
        start(transport, two, former);
        awaitHeld(SLOT, blocks(2, 0, 9));
        assertEquals("cold", port.words(SLOT).getFirst());
        assertFalse(port.words(SLOT).contains("proven"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"jeromq", "libzmq"})
    void shouldBecomeColdWhenTheReplayDoesNotReachBack(String transport) {
        ScriptedEngine engine = engine(1, true);
        engine.publish(20);
        engine.keep(6);
        port.keep(SLOT, blocks(1, 0, 5));
        start(transport, engine, engine.position(4));
        awaitHeld(SLOT, blocks(1, 14, 20));
        assertEquals("cold", port.words(SLOT).getFirst());
        awaitCount(FeedCounter.REPLAYS_TOO_SHORT, 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jeromq", "libzmq"})
    void shouldFillTheGapWhenBatchesAreDroppedOnTheWay(String transport) {
        ScriptedEngine engine = engine(1, true);
        engine.publish(2);
        start(transport, engine, KnownPosition.NONE);
        awaitLive(engine);
        engine.drop(3);
        engine.publish(4);
        awaitHeld(SLOT, blocks(1, 0, 9));
        assertEquals(1, port.words(SLOT).stream().filter("cold"::equals).count());
    }

    @ParameterizedTest
    @ValueSource(strings = {"jeromq", "libzmq"})
    void shouldNoticeTheLossWhenSilenceFollows(String transport) {
        ScriptedEngine engine = engine(1, true);
        engine.publish(2);
        start(transport, engine, KnownPosition.NONE);
        awaitLive(engine);
        engine.drop(3);
        awaitHeld(SLOT, blocks(1, 0, 5));
        assertEquals(1, port.words(SLOT).stream().filter("cold"::equals).count());
    }

    @ParameterizedTest
    @ValueSource(strings = {"jeromq", "libzmq"})
    void shouldStayWarmWhenSilenceFollowsTheFirstEventsOfANewEngine(String transport) {
        ScriptedEngine engine = engine(1, true);
        start(transport, engine, KnownPosition.NONE);
        publishUntilHeard(engine, SLOT);
        awaitCount(FeedCounter.PROVEN, 1);
        assertEquals(1, port.words(SLOT).stream().filter("cold"::equals).count());
        assertEquals(0, status().count(FeedCounter.COLD));
        assertEquals(1, status().count(FeedCounter.NEW));
    }

    @ParameterizedTest
    @ValueSource(strings = {"jeromq", "libzmq"})
    void shouldDoubtTheEngineUntilItIsProvenWhenAGapIsSeen(String transport) {
        ScriptedEngine engine = engine(1, true);
        engine.publish(2);
        start(transport, engine, KnownPosition.NONE);
        awaitHeld(SLOT, blocks(1, 0, 2));
        publishUntilHeard(engine, SLOT);
        engine.drop(1);
        engine.publish(1);
        await(() -> port.words(SLOT).contains("doubted"), () -> "never doubted: " + port.words(SLOT));
        await(() -> port.words(SLOT).contains("proven"), () -> "never proven: " + port.words(SLOT));
        List<String> words = port.words(SLOT);
        assertTrue(words.lastIndexOf("doubted") < words.lastIndexOf("proven"), words.toString());
        assertEquals(1, words.stream().filter("cold"::equals).count());
    }

    @ParameterizedTest
    @ValueSource(strings = {"jeromq", "libzmq"})
    void shouldDoubtTheEngineBeforeItIsColdWhenItRestarts(String transport) {
        ScriptedEngine one = engine(1, true);
        one.publish(4);
        start(transport, one, KnownPosition.NONE);
        awaitHeld(SLOT, blocks(1, 0, 4));
        awaitLive(one);
        one.close();
        await(() -> port.words(SLOT).contains("doubted"), () -> "never doubted: " + port.words(SLOT));
        assertEquals(blocks(1, 0, 4), port.held(SLOT));
        ScriptedEngine two = one.reborn();
        opened.add(two);
        await(() -> port.held(SLOT).isEmpty(), () -> "held " + port.held(SLOT));
        List<String> words = port.words(SLOT);
        assertTrue(words.indexOf("doubted") > 0, words.toString());
        assertTrue(words.indexOf("doubted") < words.lastIndexOf("cold"), words.toString());
        assertEquals(-1, status().lastSequence());
        assertEquals(1, status().count(FeedCounter.COLD));
    }

    @ParameterizedTest
    @ValueSource(strings = {"jeromq", "libzmq"})
    void shouldBecomeColdWhenBatchesAreLostForGood(String transport) {
        ScriptedEngine engine = engine(1, true);
        engine.publish(2);
        start(transport, engine, KnownPosition.NONE);
        awaitLive(engine);
        engine.lose(1);
        engine.publish(3);
        awaitHeld(SLOT, blocks(1, 3, 6));
        awaitCount(FeedCounter.REPLAYS_WITH_HOLES, 1);
        ingest.requestReplay(SLOT);
        awaitCount(FeedCounter.REPLAY_REQUESTS_IGNORED, 1);
        assertEquals(blocks(1, 3, 6), port.held(SLOT));
    }

    @ParameterizedTest
    @ValueSource(strings = {"jeromq", "libzmq"})
    void shouldAskAgainWhenAReplyIsDropped(String transport) {
        ScriptedEngine engine = engine(1, true);
        engine.dropReply(4);
        engine.publish(12);
        start(transport, engine, KnownPosition.NONE);
        awaitHeld(SLOT, blocks(1, 0, 12));
        assertEquals(1, port.words(SLOT).stream().filter("cold"::equals).count());
    }

    @ParameterizedTest
    @ValueSource(strings = {"jeromq", "libzmq"})
    void shouldForgetTheFormerLifeWhenTheEngineRestarts(String transport) {
        ScriptedEngine one = engine(1, true);
        one.publish(4);
        start(transport, one, KnownPosition.NONE);
        awaitHeld(SLOT, blocks(1, 0, 4));
        awaitLive(one);
        ScriptedEngine two = one.reborn();
        opened.add(two);
        two.publish(9);
        awaitHeld(SLOT, blocks(2, 0, 9));
        two.publish(2);
        awaitHeld(SLOT, blocks(2, 0, 11));
        assertTrue(status().count(FeedCounter.RECONNECTS) >= 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jeromq", "libzmq"})
    void shouldForgetTheFormerLifeWhenThereIsNoReplay(String transport) {
        ScriptedEngine one = engine(1, true);
        open(transport);
        ingest.add(spec(1), List.of(feed(one.events, null)), new int[] {SLOT}, new KnownPosition[] {one.position(3)});
        await(() -> port.words(SLOT).contains("cold"), () -> "never cold");
        publishUntilHeard(one, SLOT);
        one.lose(1);
        int before = port.held(SLOT).size();
        one.publish(1);
        await(() -> port.held(SLOT).size() == 1 && before > 0, () -> "held " + port.held(SLOT));
        ScriptedEngine two = one.reborn();
        opened.add(two);
        publishUntilHeard(two, SLOT);
        assertTrue(port.held(SLOT).stream().allMatch(hash -> hash >= 2000), "held " + port.held(SLOT));
    }

    @ParameterizedTest
    @ValueSource(strings = {"jeromq", "libzmq"})
    void shouldKeepTheOrderWhenThePipelineRefusesOneRank(String transport) {
        ScriptedEngine[] ranks = ranks();
        open(transport);
        ingest.add(
                spec(2),
                List.of(feed(ranks[0].events, ranks[0].replay), feed(ranks[1].events, ranks[1].replay)),
                new int[] {SLOT, SLOT + 1},
                new KnownPosition[] {KnownPosition.NONE, KnownPosition.NONE});
        ranks[0].publish(1);
        ranks[1].publish(1);
        awaitHeld(SLOT, blocks(1, 0, 1));
        awaitHeld(SLOT + 1, blocks(1, 0, 1));
        port.refuse(SLOT);
        ranks[0].publish(50);
        ranks[1].publish(50);
        awaitHeld(SLOT + 1, blocks(1, 0, 51));
        await(() -> port.refusals() > 5, () -> "refusals " + port.refusals());
        assertEquals(blocks(1, 0, 1), port.held(SLOT));
        await(() -> statusOf(SLOT).stalledMs() > 0, () -> "no stall shown");
        port.refuse(-1);
        awaitHeld(SLOT, blocks(1, 0, 51));
        await(() -> statusOf(SLOT).stalledMs() == 0, () -> "stall never ended");
        assertTrue(ingest.remove("engine"));
        ranks[1].publish(5);
        assertEquals(blocks(1, 0, 51), port.held(SLOT + 1));
        assertTrue(ingest.status().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"jeromq", "libzmq"})
    void shouldRebuildWhenTheIndexMissesParents(String transport) {
        ScriptedEngine engine = engine(1, true);
        engine.publish(3);
        port.keep(SLOT, blocks(1, 1, 2));
        start(transport, engine, engine.position(1));
        awaitHeld(SLOT, blocks(1, 1, 3));
        awaitLive(engine);
        ingest.requestReplay(SLOT);
        awaitHeld(SLOT, blocks(1, 0, 3));
        ingest.requestReplay(SLOT);
        awaitCount(FeedCounter.REPLAY_REQUESTS_IGNORED, 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jeromq", "libzmq"})
    void shouldKeepWhatIsKnownWhenARebuildCannotReachBack(String transport) {
        ScriptedEngine engine = engine(1, true);
        engine.publish(3);
        start(transport, engine, KnownPosition.NONE);
        awaitHeld(SLOT, blocks(1, 0, 3));
        awaitLive(engine);
        engine.keep(1);
        ingest.requestReplay(SLOT);
        awaitCount(FeedCounter.REPLAYS_TOO_SHORT, 1);
        assertEquals(blocks(1, 0, 3), port.held(SLOT));
    }

    @ParameterizedTest
    @ValueSource(strings = {"jeromq", "libzmq"})
    void shouldBecomeColdAndGoOnWhenABatchDoesNotDecode(String transport) {
        ScriptedEngine engine = engine(1, true);
        engine.publish(3);
        start(transport, engine, KnownPosition.NONE);
        awaitHeld(SLOT, blocks(1, 0, 3));
        awaitLive(engine);
        engine.publish(new byte[] {(byte) 0x93, 1, 2});
        engine.publish(2);
        awaitHeld(SLOT, blocks(1, 4, 6));
        awaitCount(FeedCounter.MALFORMED_BATCHES, 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jeromq", "libzmq"})
    void shouldTakeLiveEventsColdWhenTheReplayNeverAnswers(String transport) {
        replayTimeoutMs = 100;
        ScriptedEngine engine = engine(1, true);
        engine.silence();
        port.keep(SLOT, blocks(1, 0, 5));
        start(transport, engine, engine.position(4));
        publishUntilHeard(engine, SLOT);
        assertTrue(port.words(SLOT).contains("cold"));
        awaitCount(FeedCounter.REPLAY_TIMEOUTS, 2);
    }

    private ScriptedEngine engine(int life, boolean topicInReplay) {
        ScriptedEngine engine = new ScriptedEngine(life, topicInReplay);
        opened.add(engine);
        return engine;
    }

    /** Two ranks, each at ports of the system's choice. */
    private ScriptedEngine[] ranks() {
        ScriptedEngine second = new ScriptedEngine(1, true, 1, "tcp://127.0.0.1:*", "tcp://127.0.0.1:*");
        opened.add(second);
        return new ScriptedEngine[] {engine(1, true), second};
    }

    private void start(String transport, ScriptedEngine engine, KnownPosition position) {
        open(transport);
        ingest.add(
                spec(1), List.of(feed(engine.events, engine.replay)), new int[] {SLOT}, new KnownPosition[] {position});
    }

    private void open(String transport) {
        if (transport.equals("libzmq") && !LibZmq.isAvailable()) {
            Assumptions.abort("libzmq.so.5 absent: " + LibZmq.unavailabilityCause());
        }
        ingest = new EventIngest(
                new IngestConfig(1, transport, replayTimeoutMs, 2, 60_000, 500, 1 << 20, 16, 2, 1024), port);
    }

    private static WorkerSpec spec(int ranks) {
        return new WorkerSpec(
                "engine", "http://127.0.0.1:1", "m", "vllm", 2, ranks, null, null, "kv@", List.of(), List.of());
    }

    private static RankFeed feed(String events, String replay) {
        return new RankFeed(events, replay, "kv@");
    }

    private static List<Long> blocks(int life, long from, long to) {
        return LongStream.range(from, to)
                .mapToObj(sequence -> ScriptedEngine.hash(life, sequence))
                .toList();
    }

    /** Waits until live events reach the feed: a subscription takes effect some time after the connection. */
    private void awaitLive(ScriptedEngine engine) {
        await(() -> status().state() == FeedState.LIVE && engine.requests() > 0, () -> "state " + status().state());
    }

    private void publishUntilHeard(ScriptedEngine engine, int slot) {
        long before = storedWords(slot);
        await(
                () -> {
                    engine.publish(1);
                    return storedWords(slot) > before && !port.held(slot).isEmpty();
                },
                () -> "nothing heard: " + port.words(slot) + " " + ingest.status());
    }

    private long storedWords(int slot) {
        return port.words(slot).stream().filter("stored"::equals).count();
    }

    private FeedStatus status() {
        return statusOf(SLOT);
    }

    private FeedStatus statusOf(int slot) {
        return ingest.status().stream()
                .filter(status -> status.slot() == slot)
                .findFirst()
                .orElseThrow();
    }

    private void awaitCount(FeedCounter counter, long least) {
        await(() -> status().count(counter) >= least, () -> counter + " " + status().count(counter));
    }

    private void awaitHeld(int slot, List<Long> expected) {
        await(
                () -> port.held(slot).equals(expected),
                () -> "expected " + expected + ", held " + port.held(slot) + ", told " + port.words(slot));
    }

    private static void await(BooleanSupplier condition, java.util.function.Supplier<String> otherwise) {
        long end = System.currentTimeMillis() + DEADLINE_MS;
        while (!condition.getAsBoolean()) {
            assertTrue(System.currentTimeMillis() < end, otherwise);
            java.util.concurrent.locks.LockSupport.parkNanos(2_000_000);
        }
    }
}
