package io.penstock.dataplane.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What counts, and until when, after something was lost or went silent. */
class PoolFeedLossTest extends PoolFeedScene {
    @Test
    void shouldCountNothingUntilListedWhenAMessageIsMissing() {
        master.put(page(1));
        start(quick());
        heard();
        holds(page(1));
        CountDownLatch held = new CountDownLatch(1);
        master.duringListing(ScriptedMaster.waitingFor(held));
        loseOne(page(2));
        until("doubted", () -> !port.counts());
        assertEquals(PoolState.DOUBTED, feed.status().state());
        assertTrue(
                feed.status().alert().contains("messages are missing"),
                feed.status().alert());
        held.countDown();
        holds(page(1), page(2), page(99));
        assertTrue(feed.status().count(PoolCounter.GAPS) > 0);
    }

    @Test
    void shouldNoticeTheLossWhenNoMessageComesAfterIt() {
        start(quick());
        heard();
        master.putUnheard(page(1));
        holds(page(1));
        assertTrue(feed.status().count(PoolCounter.LOST_TAILS) > 0);
    }

    @Test
    void shouldForgetWhatItHeldWhenTheMasterIsAnother() {
        master.put(page(1), page(2));
        start(quick());
        heard();
        master.put(page(3));
        holds(page(1), page(2), page(3));
        master.rebirth();
        holds();
        master.put(page(4));
        holds(page(4));
        assertTrue(feed.status().count(PoolCounter.STEPS_BACK) > 0);
    }

    @Test
    void shouldListAnewWhenTheConnectionWasLost() {
        start(quick());
        master.put(page(1));
        holds(page(1));
        int before = master.listings();
        master.dropConnections();
        until("listed anew", () -> master.listings() > before);
        holds(page(1));
        assertTrue(port.words().contains("doubted"));
    }

    @Test
    void shouldCountNothingWhenTheMasterIsSilentFromTheStart() {
        master.silence(true);
        start(quick());
        until("asked", () -> feed.status().count(PoolCounter.MASTER_SILENT) > 1);
        assertFalse(port.counts());
        master.silence(false);
        until("live", port::counts);
    }

    @Test
    void shouldStopCountingWhenNoListingCameForLong() {
        start(new FeedTimes(50, 10, 50, 20, 20, 20, 300, 0, 0, 5));
        until("live", port::counts);
        master.silenceListings(true);
        until("unchecked", () -> !port.counts() && feed.status().state() == PoolState.DOUBTED);
        assertTrue(
                feed.status().alert().contains("the master gives no listing"),
                feed.status().alert());
        master.silenceListings(false);
        until("live", port::counts);
    }

    @Test
    void shouldStopCountingWhenTheMasterFallsSilentBehindALivingSocket() {
        start(quick());
        until("live", port::counts);
        master.silence(true);
        until("silent", () -> !port.counts() && feed.status().state() == PoolState.DOUBTED);
        assertTrue(
                feed.status().alert().contains("the master does not answer"),
                feed.status().alert());
        master.silence(false);
        until("live", port::counts);
    }

    @Test
    void shouldSayWhatToStartWhenTheMasterPublishesNothing() {
        master.enabled(false);
        start(quick());
        until("no events", () -> feed.status().state() == PoolState.NO_EVENTS);
        assertFalse(port.counts());
        assertTrue(
                feed.status().alert().contains("--enable_kv_events"),
                feed.status().alert());
    }

    @Test
    void shouldFollowWhenTheMasterCannotTellHowFarItIs() {
        master.tellsPublished(false);
        master.put(page(1));
        start(quick());
        holds(page(1));
        master.put(page(2));
        holds(page(1), page(2));
    }

    @Test
    void shouldCountNothingUntilListedWhenTheLayoutChanges() {
        master.put(page(1));
        start(quick());
        holds(page(1));
        feed.layout(0, null);
        until("none", () -> feed.status().state() == PoolState.NO_LAYOUT && !port.counts());
        feed.layout(0, LAYOUT);
        holds(page(1));
    }

    @Test
    void shouldListAnewWhenThePipelineHasStartedOver() {
        master.put(page(1));
        start(quick());
        heard();
        int before = master.listings();
        feed.relist();
        until("listed anew", () -> master.listings() > before && port.counts());
        holds(page(1));
        assertTrue(feed.status().count(PoolCounter.DOUBTED) > 0);
    }
}
