package io.penstock.perf.index;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * The ratios and figures of a comparison by their names in the last JSON line; null where one could not be measured.
 * {@code apply…Ratio} is ours by the peer's in blocks a second, all other ratios ours by the peer's in time or bytes. The
 * peer is never given the doubled or the domains' stream: its own plain one stands for it.
 *
 * <p><b>Threading:</b> stateless.
 */
public final class Summary {
    private static final String MAIN = Comparison.MAIN;
    private static final String HIT = "given." + MAIN + ".depth.8192.";
    private static final String PEER_HIT = "chain." + MAIN + ".depth.8192.";
    private static final int THOUSANDTHS = 1_000;

    private Summary() {}

    /** All keys in their order. */
    public static Map<String, Object> of(Figures figures) {
        Map<String, Object> out = new LinkedHashMap<>();
        BiFunction<String, String, Double> ratio = figures::ratio;
        out.put("applyRatio", apply(ratio, "given", MAIN));
        out.put("applyChainRatio", apply(ratio, "chain", MAIN));
        out.put("applyDecodeRatio", apply(ratio, "given", Comparison.DECODE));
        out.put("applyDoubledRatio", apply(ratio, "doubled", MAIN));
        out.put("applyDomainsRatio", apply(ratio, "domains", MAIN));
        out.put(
                "removedRatio",
                number(figures.ratio(
                        "given." + MAIN + ".apply.removedNsPerBlock", "chain." + MAIN + ".apply.removed_ns_block")));
        for (String at : new String[] {"50", "99"}) {
            out.put("lookupP" + at + "Ratio", lookup(figures, at, "chain"));
            out.put("scoreP" + at + "Ratio", lookup(figures, at, "chainscore"));
            out.put("lookupChainP" + at + "Ns", number(figures.median("chain." + MAIN + ".query.p" + at + "Ns")));
        }
        out.put(
                "lookupFirst12000P99Ratio",
                number(figures.ratio("given." + MAIN + ".query.first.p99Ns", "chain." + MAIN + ".query.p99_ns")));
        out.put(
                "lookupBusyP99Ratio",
                number(figures.ratio("given." + MAIN + ".busy.p99Ns", "chain." + MAIN + ".conc.p99_ns")));
        out.put(
                "bytesRatio",
                number(figures.ratio("given." + MAIN + ".apply.bytesPerPair", "chain." + MAIN + ".apply.bytes_pair")));
        double one = figures.ratio(HIT + "1.full_hit.p50Ns", PEER_HIT + "1.full_hit.p50_ns");
        double all = figures.ratio(HIT + "64.full_hit.p50Ns", PEER_HIT + "64.full_hit.p50_ns");
        out.put("fullHit8192Ratio", number(Math.max(one, all)));
        out.put("fullHit8192OneHolderRatio", number(one));
        out.put("fullHit8192AllHoldersRatio", number(all));
        out.put("reopenCleanMs", number(figures.median("reopen.clean.ms")));
        out.put("reopenDirtyMs", number(figures.median("reopen.dirty.ms")));
        out.put("reopenChronicleMs", number(figures.median("reopen.clean.chronicleMs")));
        out.put("wrongAnswers", (long) figures.sum("ours.wrong"));
        out.put("peerWrongAnswers", (long) figures.sum("peers.wrong"));
        out.put("allocatedBytesPerEvent", number(figures.median("given." + MAIN + ".apply.allocatedBytesPerEvent")));
        out.put("allocatedBytesPerLookup", number(figures.median("given." + MAIN + ".query.allocatedBytesPerLookup")));
        out.put("worstStepNs", number(figures.median("given." + MAIN + ".apply.worstStepNs")));
        return out;
    }

    private static Object apply(BiFunction<String, String, Double> ratio, String variant, String stream) {
        return number(
                ratio.apply(variant + "." + stream + ".apply.blocksPerSecond", "chain." + stream + ".apply.blocks_s"));
    }

    private static Object lookup(Figures figures, String at, String structure) {
        return number(figures.ratio(
                "given." + MAIN + ".query.p" + at + "Ns", structure + "." + MAIN + ".query.p" + at + "_ns"));
    }

    private static Object number(double value) {
        return Double.isNaN(value) ? null : (double) Math.round(value * THOUSANDTHS) / THOUSANDTHS;
    }
}
