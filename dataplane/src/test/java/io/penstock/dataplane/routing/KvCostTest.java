package io.penstock.dataplane.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Costs computed by hand. Block size 16; a prompt of 10 blocks is 160 tokens. */
class KvCostTest {
    @ParameterizedTest
    @CsvSource({
        // device, host, disk, external, prefill, potential | cost
        "0, 0, 0, 0, 0, 10, 20", // 10 to compute, 10 active
        "10, 0, 0, 0, 0, 10, 10", // all cached
        "4, 0, 0, 0, 0, 10, 16", // 10 - 4 + 10
        "4, 4, 0, 0, 0, 10, 13", // 10 - 4 - 3 + 10
        "4, 0, 4, 0, 0, 10, 15", // 10 - 4 - 1 + 10
        "4, 0, 0, 4, 0, 10, 15",
        "4, 2, 2, 2, 0, 10, 13.5", // 10 - 4 - 1.5 - 1 + 10
        "4, 0, 0, 0, 320, 25, 51", // 20 + 10 - 4 + 25
        "12, 0, 0, 0, 0, 10, 10", // never below the decode load
    })
    void shouldEqualTheFormula(
            int device, int host, int disk, int external, long prefill, long potential, double cost) {
        Candidates c = candidate(16, 160);
        c.device[0] = device;
        c.host[0] = host;
        c.disk[0] = disk;
        c.external[0] = external;
        c.prefillTokens[0] = prefill;
        c.potentialBlocks[0] = potential;
        assertEquals(cost, KvCost.of(RoutingConfig.defaults(), 1, c, 0, prefill), 1e-12);
    }

    @Test
    void shouldEqualTheDocumentedExampleOfASharedPool() {
        // Four blocks, all in the pool. The worker that has two costs 1, the one that has none 2.
        RoutingConfig config = config(0, 1, 0, 0.5);
        Candidates c = candidate(16, 64);
        c.requestBlocks[0] = 4;
        c.device[0] = 2;
        c.sharedBeyond[0] = 2;
        assertEquals(1.0, KvCost.of(config, 1, c, 0, 0));
        c.device[0] = 0;
        c.sharedBeyond[0] = 4;
        assertEquals(2.0, KvCost.of(config, 1, c, 0, 0));
    }

    @Test
    void shouldFadeTheCreditWhenAWorkerIsBehind() {
        // Ahead of the least by 320 tokens = 20 blocks = twice the prompt: decay = 1 / (1 + 0.5 * 2) = 1/2.
        Candidates c = candidate(16, 160);
        c.device[0] = 8;
        c.prefillTokens[0] = 480;
        // raw 30 + 10, credit 4
        assertEquals(36, KvCost.of(config(0.5, 1, 0, 0), 1, c, 0, 160), 1e-12);
    }

    @Test
    void shouldWeighPrefillAndRequestsAsSet() {
        Candidates c = candidate(16, 160);
        c.device[0] = 2;
        c.potentialBlocks[0] = 7;
        c.activeRequests[0] = 3;
        assertEquals(2 * 8 + 7 + 1.5 * 3, KvCost.of(config(0, 2, 1.5, 0), 1, c, 0, 0), 1e-12);
    }

    @Test
    void shouldCountTheLargerOfPromptAndOverlapWhenTheyDisagree() {
        // (prompt - cached)+ + cached: 160 cached of a prompt of 100 tokens.
        Candidates c = candidate(16, 100);
        c.device[0] = 10;
        assertEquals(160, KvCost.cachedTokens(RoutingConfig.defaults(), c, 0));
        assertEquals(0, KvCost.of(RoutingConfig.defaults(), 1, c, 0, 0), 1e-12);
        assertEquals(5, KvCost.of(RoutingConfig.defaults(), 0.5, c, 0, 0), 1e-12);
    }

    @Test
    void shouldBookEachTierAtItsWeight() {
        Candidates c = candidate(16, 160);
        c.device[0] = 1;
        c.host[0] = 1;
        c.disk[0] = 1;
        c.external[0] = 1;
        assertEquals(36, KvCost.cachedTokens(RoutingConfig.defaults(), c, 0));
        c.trust[0] = 0.5;
        assertEquals(18, KvCost.cachedTokens(RoutingConfig.defaults(), c, 0));
    }

    @Test
    void shouldScaleByTheTangentOfPreferredTaints() {
        Candidates c = candidate(16, 160);
        c.potentialBlocks[0] = 10;
        c.taintWeight[0] = 0.5;
        assertEquals(20 * Math.exp(-Math.tanh(0.5)), KvCost.of(RoutingConfig.defaults(), 1, c, 0, 0), 1e-9);
        c.taintWeight[0] = -1_000;
        assertEquals(20 * Math.E, KvCost.of(RoutingConfig.defaults(), 1, c, 0, 0), 1e-9);
    }

    @Test
    void shouldLeaveOutPrefillWhenItIsNotTracked() {
        RoutingConfig d = RoutingConfig.defaults();
        RoutingConfig config =
                new RoutingConfig(PolicyKind.KV, 1, 0, 1, 0, 0.75, 0.25, 0, 0, false, d.busy(), 1, 0, 0, null);
        Candidates c = candidate(16, 160);
        c.potentialBlocks[0] = 10;
        c.prefillTokens[0] = 999;
        assertEquals(10, KvCost.of(config, 1, c, 0, 0), 1e-12);
    }

    private static RoutingConfig config(double decay, double prefillScale, double requestWeight, double shared) {
        return new RoutingConfig(
                PolicyKind.KV,
                1,
                decay,
                prefillScale,
                requestWeight,
                0.75,
                0.25,
                shared,
                0,
                true,
                BusyThresholds.defaults(),
                1,
                0,
                0,
                null);
    }

    private static Candidates candidate(int blockSize, int promptTokens) {
        Candidates c = new Candidates(4);
        c.size = 1;
        c.promptTokens = promptTokens;
        c.blockSize[0] = blockSize;
        c.requestBlocks[0] = promptTokens / blockSize;
        c.trust[0] = 1;
        return c;
    }
}
