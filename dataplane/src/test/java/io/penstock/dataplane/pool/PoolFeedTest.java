package io.penstock.dataplane.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.bindings.pool.SglangPool;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class PoolFeedTest extends PoolFeedScene {
    @Test
    void shouldHoldWhatWasStoredBeforeWhenTheFeedStarts() {
        master.put(page(1), page(2), "sglang_mooncake_store_warmup_key1");
        start(quick());
        holds(page(1), page(2));
        master.put(page(3));
        master.remove(page(1));
        holds(page(2), page(3));
        assertTrue(feed.status().count(PoolCounter.LISTED_FOREIGN_NAMES) > 0);
        assertEquals(List.of("layout", "doubted", "listing"), port.words().subList(0, 3));
    }

    @Test
    void shouldCountNamesApartWhenTheLayoutIsNotTheEngines() {
        String ofARank = page(1).replace("__k", "_1_k");
        master.put(ofARank, "somebody else's");
        start(quick());
        until("listed", () -> feed.status().count(PoolCounter.LISTED_UNKNOWN_PARTS) > 0);
        heard();
        master.put(page(2).replace("__k", "_0_v"), page(3));
        holds(page(3));
        assertEquals(1, feed.status().count(PoolCounter.UNKNOWN_PARTS));
    }

    @Test
    void shouldNotRaiseWhatIsGoneWhenTheListingIsOlderThanTheEvents() {
        master.put(page(1), page(2));
        start(quick());
        heard();
        holds(page(1), page(2));
        CountDownLatch held = new CountDownLatch(1);
        master.duringListing(ScriptedMaster.waitingFor(held));
        int before = master.listings();
        loseOne(page(3));
        until("listing", () -> master.listings() > before);
        master.remove(page(1));
        master.put(page(4));
        until("told", () -> !port.held().contains(page(1)) && port.held().contains(page(4)));
        held.countDown();
        holds(page(2), page(3), page(4), page(99));
        assertTrue(feed.status().count(PoolCounter.LISTED_GONE) > 0);
    }

    @Test
    void shouldLoseNothingWhenThePipelineRefuses() {
        start(quick());
        heard();
        port.refuse(true);
        for (int i = 0; i < 300; i++) {
            master.put(page(i));
        }
        master.remove(page(7));
        until("stalled", () -> feed.status().stalledMs() > 0);
        port.refuse(false);
        until("all", () -> port.counted().size() == 299);
        assertFalse(port.held().contains(page(7)));
    }

    @Test
    void shouldCountAndGoOnWhenFramesAreBad() {
        start(quick());
        heard();
        master.send(-5, new byte[] {1});
        master.sendNext(new byte[] {(byte) 0x93, 1});
        master.put(page(1));
        holds(page(1));
        PoolFeedStatus status = feed.status();
        assertEquals(1, status.count(PoolCounter.BAD_FRAMES));
        assertEquals(1, status.count(PoolCounter.MALFORMED_BATCHES));
        assertTrue(status.count(PoolCounter.DOUBTED) > 0);
    }

    @Test
    void shouldNeverFailWhenMessagesAreRandom() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        start(quick());
        heard();
        byte[] whole = ScriptedMaster.batch("default", "stored", page(1), page(2));
        for (int i = 0; i < 2_000; i++) {
            byte[] damaged = Arrays.copyOf(whole, random.nextInt(1, whole.length + 1));
            for (int flips = random.nextInt(4); flips >= 0; flips--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            if (random.nextInt(50) == 0) {
                master.send(random.nextLong(), damaged);
            } else {
                master.sendNext(damaged);
            }
        }
        master.put(page(3));
        until(
                "in step again",
                () -> port.counted().contains(page(3)) && feed.status().stalledMs() == 0);
        PoolFeedStatus status = feed.status();
        assertEquals(0, status.count(PoolCounter.INTERNAL_FAILURES), "seed " + seed);
        assertTrue(status.count(PoolCounter.MALFORMED_BATCHES) > 0, "seed " + seed);
    }

    @Test
    void shouldPassOverWhatIsNotOursWhenTenantsShareTheMaster() {
        start(quick());
        heard();
        master.publish("other", "stored", page(1));
        master.publish("", "stored", page(2));
        until("stored", () -> port.held().contains(page(2)));
        assertFalse(port.held().contains(page(1)));
        assertEquals(1, feed.status().count(PoolCounter.WRONG_TENANT));
    }

    @Test
    void shouldHoldNothingOfBeforeWhenThePoolIsCleared() {
        master.put(page(1));
        start(quick());
        heard();
        holds(page(1));
        master.clear();
        master.put(page(2));
        holds(page(2));
        assertTrue(port.counts());
    }

    @Test
    void shouldListFromTimeToTimeWhenNothingTellsOfEvictions() {
        master.put(page(1), page(2));
        start(new FeedTimes(50, 10, 50, 20, 20, 20, 60_000, 0, 0, 5));
        holds(page(1), page(2));
        master.evict(page(1));
        holds(page(2));
        assertEquals(1, port.stale());
        assertFalse(port.words().subList(3, port.words().size()).contains("doubted"));
    }

    @Test
    void shouldFindEvictionsBetweenListingsWhenItMayProbe() {
        String[] all = new String[200];
        for (int i = 0; i < all.length; i++) {
            all[i] = page(i);
        }
        master.put(all);
        start(new FeedTimes(3_600_000, 10, 50, 20, 20, 20, 7_200_000, 0, 10_000, 100));
        until("held", () -> port.counted().size() == 200);
        master.evict(page(5));
        until("gone", () -> !port.held().contains(page(5)));
        assertEquals(199, port.held().size());
        assertEquals(1, feed.status().count(PoolCounter.PROBES_STALE));
    }

    @Test
    void shouldListAtOnceWhenProbesFindManyGone() {
        String[] all = new String[400];
        String[] half = new String[200];
        for (int i = 0; i < all.length; i++) {
            all[i] = page(i);
            half[i / 2] = all[i];
        }
        master.put(all);
        start(new FeedTimes(3_600_000, 10, 50, 20, 20, 20, 7_200_000, 0, 1_000, 5));
        until("held", () -> port.counted().size() == 400);
        master.evict(half);
        until("gone", () -> port.held().size() == 200);
        assertTrue(feed.status().count(PoolCounter.LISTINGS_EARLY) > 0);
        assertTrue(port.stale() > 0);
    }

    @Test
    void shouldAskForAPageFirstWhenAnEngineDidNotFindIt() {
        master.put(page(1), page(2));
        start(new FeedTimes(3_600_000, 10, 50, 20, 20, 20, 7_200_000, 0, 1, 100));
        until("held", () -> port.counted().size() == 2);
        master.evict(page(2));
        long[] key = new long[4];
        byte[] name = page(2).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        assertEquals(0, LAYOUT.resolve(name, 0, name.length, key, 0));
        feed.suspect(0, key, 0);
        until("gone", () -> port.held().equals(Set.of(page(1))));
        assertEquals(1, feed.status().count(PoolCounter.SUSPECTS));
    }

    @Test
    void shouldChangeNothingWhenTheSameLayoutIsToldAgain() {
        master.put(page(1));
        start(quick());
        heard();
        holds(page(1));
        List<String> before = port.words();
        feed.layout(0, SglangPool.replicated("m", 64).layout());
        master.put(page(2));
        holds(page(1), page(2));
        assertEquals(before, port.words());
    }
}
