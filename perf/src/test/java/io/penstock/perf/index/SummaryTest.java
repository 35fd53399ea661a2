package io.penstock.perf.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The last line of a comparison has every key, and ratios are medians of rounds. */
class SummaryTest {
    private static final List<String> PROMISED = List.of(
            "applyRatio",
            "applyChainRatio",
            "applyDecodeRatio",
            "applyDoubledRatio",
            "applyDomainsRatio",
            "removedRatio",
            "lookupP50Ratio",
            "lookupP99Ratio",
            "scoreP50Ratio",
            "scoreP99Ratio",
            "lookupChainP50Ns",
            "lookupChainP99Ns",
            "lookupBusyP99Ratio",
            "bytesRatio",
            "fullHit8192Ratio",
            "reopenCleanMs",
            "reopenDirtyMs",
            "reopenChronicleMs",
            "wrongAnswers",
            "allocatedBytesPerEvent",
            "allocatedBytesPerLookup",
            "worstStepNs");

    @Test
    void shouldHaveEveryKeyAndNullWhenNothingWasMeasured() {
        Map<String, Object> summary = Summary.of(new Figures());
        assertTrue(summary.keySet().containsAll(PROMISED), () -> "keys: " + summary.keySet());
        assertNull(summary.get("applyRatio"));
        assertEquals(0L, summary.get("wrongAnswers"));
    }

    @Test
    void shouldTakeTheMedianOfTheRoundsRatiosWhenRoundsDiffer() {
        Figures figures = new Figures();
        double[][] rounds = {{10, 5}, {30, 10}, {80, 20}};
        for (int round = 0; round < rounds.length; round++) {
            figures.add("given.ops_w64.apply.blocksPerSecond", round, rounds[round][0]);
            figures.add("chain.ops_w64.apply.blocks_s", round, rounds[round][1] - 1);
            figures.add("chain.ops_w64.apply.blocks_s", round, rounds[round][1] + 1);
        }
        assertEquals(3.0, Summary.of(figures).get("applyRatio"));
    }

    @Test
    void shouldShowTheWorseWhenHoldersDiffer() {
        Figures figures = new Figures();
        figures.add("given.ops_w64.depth.8192.1.full_hit.p50Ns", 0, 1);
        figures.add("chain.ops_w64.depth.8192.1.full_hit.p50_ns", 0, 10);
        figures.add("given.ops_w64.depth.8192.64.full_hit.p50Ns", 0, 3);
        figures.add("chain.ops_w64.depth.8192.64.full_hit.p50_ns", 0, 10);
        assertEquals(0.3, Summary.of(figures).get("fullHit8192Ratio"));
        assertEquals(0.1, Summary.of(figures).get("fullHit8192OneHolderRatio"));
    }
}
