package io.penstock.perf.index;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was measured: for each name and round the values of all passes or processes. A ratio is the median over the rounds
 * of (our median / their median); NaN where either side was not measured.
 *
 * <p><b>Threading:</b> owned by the benchmark's thread.
 */
public final class Figures {
    private final Map<String, Map<Integer, List<Double>>> values = new LinkedHashMap<>();

    /** Adds a value. */
    public void add(String name, int round, double value) {
        values.computeIfAbsent(name, n -> new TreeMap<>())
                .computeIfAbsent(round, r -> new ArrayList<>())
                .add(value);
    }

    /** Median over the rounds of each round's median; NaN where nothing was measured. */
    public double median(String name) {
        return median(values.getOrDefault(name, Map.of()).values().stream()
                .map(Figures::median)
                .toList());
    }

    /** Median over the rounds of {@code ours / theirs}. */
    public double ratio(String ours, String theirs) {
        Map<Integer, List<Double>> other = values.getOrDefault(theirs, Map.of());
        return median(values.getOrDefault(ours, Map.of()).entrySet().stream()
                .filter(round -> other.containsKey(round.getKey()))
                .map(round -> median(round.getValue()) / median(other.get(round.getKey())))
                .toList());
    }

    /** Sum of all values. */
    public double sum(String name) {
        return values.getOrDefault(name, Map.of()).values().stream()
                .flatMap(List::stream)
                .mapToDouble(Double::doubleValue)
                .sum();
    }

    /** Names measured, in the order they came. */
    public List<String> names() {
        return List.copyOf(values.keySet());
    }

    private static double median(List<Double> of) {
        double[] sorted = of.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int half = sorted.length / 2;
        if (sorted.length == 0) {
            return Double.NaN;
        }
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }
}
