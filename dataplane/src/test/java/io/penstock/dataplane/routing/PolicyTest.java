package io.penstock.dataplane.routing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.dataplane.pipeline.RouteRequest;
import org.junit.jupiter.api.Test;

class PolicyTest {
    private final RouteRequest request = new RouteRequest(answered -> {});

    @Test
    void shouldSpreadTiesEvenlyAndAlikeWhenTheSeedIsTheSame() {
        Candidates c = equal(4);
        int[] chosen = new int[4];
        SplitMix random = new SplitMix(7);
        SplitMix again = new SplitMix(7);
        Policy policy = new KvPolicy(RoutingConfig.defaults());
        for (int i = 0; i < 8_000; i++) {
            int one = policy.choose(request, c, random);
            assertEquals(one, policy.choose(request, c, again));
            chosen[one]++;
        }
        for (int n : chosen) {
            assertTrue(n > 1_800 && n < 2_200, "of 8,000: " + n);
        }
    }

    @Test
    void shouldTakeTheCheapestWhenThereIsNoTemperature() {
        Candidates c = equal(4);
        c.device[2] = 1;
        for (int i = 0; i < 100; i++) {
            assertEquals(2, new KvPolicy(RoutingConfig.defaults()).choose(request, c, new SplitMix(i)));
        }
    }

    @Test
    void shouldFollowSoftmaxWhenTheRequestAsksForATemperature() {
        Candidates c = equal(2);
        c.device[0] = 3;
        request.temperature = 0.5;
        // p = 1 : exp(-1 / 0.5)
        double expected = 1 / (1 + Math.exp(-2));
        int first = 0;
        SplitMix random = new SplitMix(11);
        Policy policy = new KvPolicy(RoutingConfig.defaults());
        for (int i = 0; i < 20_000; i++) {
            first += policy.choose(request, c, random) == 0 ? 1 : 0;
        }
        assertEquals(expected, first / 20_000.0, 0.01);
    }

    @Test
    void shouldIgnoreOverridesWhenTheyAreNoWeights() {
        Candidates c = equal(2);
        c.device[1] = 3;
        request.overlapCredit = Double.POSITIVE_INFINITY;
        request.temperature = -1;
        assertEquals(1, new KvPolicy(RoutingConfig.defaults()).choose(request, c, new SplitMix(1)));
        request.overlapCredit = 0;
        c.decodeBlocks[1] = 4;
        c.potentialBlocks[1] = 20;
        assertEquals(0, new KvPolicy(RoutingConfig.defaults()).choose(request, c, new SplitMix(1)));
    }

    @Test
    void shouldCompareInTokensWhenBlockSizesDiffer() {
        Candidates c = equal(2);
        c.blockSize[0] = 64;
        c.requestBlocks[0] = 4;
        c.potentialBlocks[0] = 4;
        c.potentialBlocks[1] = 17;
        // 4 + 4 blocks of 64 are 512 tokens; 16 + 17 blocks of 16 are 528.
        assertEquals(0, new KvPolicy(RoutingConfig.defaults()).choose(request, c, new SplitMix(1)));
    }

    @Test
    void shouldTakeTurnsWhenRoundRobin() {
        Candidates c = equal(3);
        c.slot[0] = 9;
        c.slot[1] = 2;
        c.slot[2] = 5;
        Policy policy = new RoundRobinPolicy(16);
        int[] slots = new int[6];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = c.slot[policy.choose(request, c, new SplitMix(1))];
        }
        assertArrayEquals(new int[] {2, 5, 9, 2, 5, 9}, slots);
        c.model = 40;
        assertEquals(2, c.slot[policy.choose(request, c, new SplitMix(1))]);
        c.model = 0;
        assertEquals(2, c.slot[policy.choose(request, c, new SplitMix(1))]);
    }

    @Test
    void shouldTakeTheFewestRequestsWhenLeastLoaded() {
        Candidates c = equal(3);
        c.activeRequests[0] = 2;
        c.activeRequests[1] = 1;
        c.activeRequests[2] = 1;
        int[] chosen = new int[3];
        SplitMix random = new SplitMix(5);
        for (int i = 0; i < 1_000; i++) {
            chosen[new LeastLoadedPolicy().choose(request, c, random)]++;
        }
        assertEquals(0, chosen[0]);
        assertTrue(chosen[1] > 400 && chosen[2] > 400);
    }

    @Test
    void shouldReachAllWhenRandom() {
        Candidates c = equal(5);
        int[] chosen = new int[5];
        SplitMix random = new SplitMix(5);
        for (int i = 0; i < 5_000; i++) {
            chosen[new RandomPolicy().choose(request, c, random)]++;
        }
        for (int n : chosen) {
            assertTrue(n > 850, "of 5,000: " + n);
        }
    }

    @Test
    void shouldSayWhichThresholdIsOver() {
        BusyThresholds decode = new BusyThresholds(0.9, -1, -1);
        assertTrue(decode.over(91, 100, 0, 0));
        assertEquals(false, decode.over(90, 100, 0, 0));
        assertEquals(false, decode.over(1_000, 0, 0, 0));
        assertTrue(new BusyThresholds(-1, 500, -1).over(0, 0, 501, 0));
        assertTrue(new BusyThresholds(-1, -1, 0.5).over(0, 0, 4_097, 8_192));
        assertEquals(false, new BusyThresholds(-1, -1, 0.5).over(0, 0, 4_999_999, 0));
        assertEquals(false, BusyThresholds.defaults().over(1_000, 1, Long.MAX_VALUE, 1));
    }

    @Test
    void shouldRefuseConfigurationsInOneLineWhenAValueIsNoWeight() {
        IllegalArgumentException e = assertThrows(
                IllegalArgumentException.class,
                () -> new RoutingConfig(
                        PolicyKind.KV, -1, 0, 1, 0, 0, 0, 0, 0, true, BusyThresholds.defaults(), 1, 0, 0, null));
        assertEquals("not a weight of 0 or more: overlapScoreCredit=-1.0", e.getMessage());
    }

    private static Candidates equal(int size) {
        Candidates c = new Candidates(size);
        c.size = size;
        c.promptTokens = 256;
        for (int i = 0; i < size; i++) {
            c.slot[i] = i;
            c.blockSize[i] = 16;
            c.requestBlocks[i] = 16;
            c.potentialBlocks[i] = 16;
            c.trust[i] = 1;
        }
        return c;
    }
}
