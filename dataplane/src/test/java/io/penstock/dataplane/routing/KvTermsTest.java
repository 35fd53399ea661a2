package io.penstock.dataplane.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

class KvTermsTest {
    @Test
    void shouldSumUpToTheCostWhateverTheCandidate() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int n = 0; n < 10_000; n++) {
            RoutingConfig config = new RoutingConfig(
                    PolicyKind.KV,
                    random.nextDouble(3),
                    random.nextDouble(2),
                    random.nextDouble(2),
                    random.nextDouble(4),
                    random.nextDouble(),
                    random.nextDouble(),
                    random.nextDouble(),
                    0,
                    random.nextInt(4) > 0,
                    BusyThresholds.defaults(),
                    1,
                    0,
                    0,
                    SharedPoolCounting.CONTIGUOUS);
            Candidates c = candidate(random);
            double credit = random.nextDouble(2);
            long least = random.nextInt((int) c.prefillTokens[0] + 1);
            KvTerms t = KvTerms.of(config, credit, c, 0, least);
            double credits = t.deviceCredit() + t.hostCredit() + t.diskCredit() + t.sharedCredit();
            double sum = config.prefillLoadScale() * Math.max(0, t.prefillBlocks() - credits)
                    + t.decodeBlocks()
                    + t.requestBlocks();
            double cost = KvCost.of(config, credit, c, 0, least);
            assertEquals(cost, t.cost(), "seed " + seed);
            assertEquals(cost, sum * t.taintFactor(), 1e-9 * (1 + cost), "seed " + seed);
        }
    }

    private static Candidates candidate(Random random) {
        Candidates c = new Candidates(1);
        c.size = 1;
        c.promptTokens = random.nextInt(10_000);
        c.blockSize[0] = 1 << random.nextInt(7);
        c.requestBlocks[0] = c.promptTokens / c.blockSize[0];
        c.device[0] = random.nextInt(100);
        c.host[0] = random.nextInt(100);
        c.disk[0] = random.nextInt(100);
        c.external[0] = random.nextInt(100);
        c.sharedBeyond[0] = random.nextInt(100);
        c.trust[0] = random.nextDouble();
        c.prefillTokens[0] = random.nextInt(50_000);
        c.potentialBlocks[0] = random.nextInt(5_000);
        c.activeRequests[0] = random.nextInt(50);
        c.taintWeight[0] = random.nextInt(2) * random.nextDouble(3);
        return c;
    }
}
