package io.penstock.dataplane.core;

import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.metrics.Counting;
import java.util.Arrays;

/**
 * Holds what the core predicted as cached against what engines report, per slot.
 *
 * <p>Two moving averages (weight 1/10) over answers that report their cached tokens: the error |predicted - actual| /
 * max of both, which is shown, and the part of the prediction that was not there, which costs trust: over the
 * threshold, and from the eighth answer on, the slot's overlap is multiplied by one minus it. What a shared pool was to give
 * and did not is no fault of the slot's.
 *
 * <p><b>Threading:</b> owned by the core.
 */
final class OverlapTrust {
    private static final double WEIGHT = 0.1;
    private static final int ENOUGH = 8;

    private final double threshold;
    private final Counting counters;
    private final double[] error;
    private final double[] missing;
    private final int[] answers;
    private final boolean[] distrusted;
    private final long[] predictedTokens;
    private final long[] actualTokens;

    OverlapTrust(int slots, double threshold, Counting counters) {
        this.threshold = threshold;
        this.counters = counters;
        error = new double[slots];
        missing = new double[slots];
        answers = new int[slots];
        distrusted = new boolean[slots];
        predictedTokens = new long[slots];
        actualTokens = new long[slots];
    }

    /** Nothing is held against the slot. */
    void reset(int slot) {
        error[slot] = 0;
        missing[slot] = 0;
        answers[slot] = 0;
        distrusted[slot] = false;
        predictedTokens[slot] = 0;
        actualTokens[slot] = 0;
    }

    /**
     * An answer reported {@code actual} cached tokens where {@code promised} were expected, {@code own} of them in the slot's
     * own tiers.
     */
    void reported(int slot, int own, int promised, int actual) {
        predictedTokens[slot] += promised;
        actualTokens[slot] += actual;
        int predicted = Math.min(promised, Math.max(own, actual));
        int most = Math.max(predicted, actual);
        double off = most == 0 ? 0 : Math.abs(predicted - actual) / (double) most;
        double absent = most == 0 ? 0 : Math.max(0, predicted - actual) / (double) most;
        error[slot] += WEIGHT * (off - error[slot]);
        missing[slot] += WEIGHT * (absent - missing[slot]);
        answers[slot] = Math.min(answers[slot] + 1, ENOUGH);
        boolean before = distrusted[slot];
        distrusted[slot] = answers[slot] == ENOUGH && missing[slot] > threshold;
        if (distrusted[slot] && !before) {
            counters.increment(Counter.OVERLAP_DISTRUSTED);
        }
    }

    /** Factor on the slot's overlap. */
    double trust(int slot) {
        return distrusted[slot] ? 1 - missing[slot] : 1;
    }

    double error(int slot) {
        return error[slot];
    }

    long predictedTokens(int slot) {
        return predictedTokens[slot];
    }

    long actualTokens(int slot) {
        return actualTokens[slot];
    }

    @Override
    public String toString() {
        return "missing " + Arrays.toString(missing);
    }

    /** Carries what is held against the first {@code slots}. */
    void carry(StateTape tape, int slots) {
        tape.carry(error, slots);
        tape.carry(missing, slots);
        tape.carry(answers, slots);
        tape.carry(distrusted, slots);
        tape.carry(predictedTokens, slots);
        tape.carry(actualTokens, slots);
    }
}
