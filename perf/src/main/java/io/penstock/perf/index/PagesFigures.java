package io.penstock.perf.index;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Look-ups and changes of the shared pool's pages by their number and order of arrival ({@link PagesChild}), each point in
 * fresh JVMs, rounds in turn; figures are medians of the rounds.
 *
 * <p><b>Threading:</b> owned by the benchmark's thread.
 */
public final class PagesFigures {
    private static final List<String> ORDERS = List.of("chain", "bursts", "random", "branches");

    private final Programs programs;
    private final Path folder;
    private final List<Integer> pages;
    private final int rounds;

    /** Points for each number of pages and each order, measured in files of {@code folder}. */
    public PagesFigures(Path folder, List<Integer> pages, int rounds) {
        programs = new Programs(folder.getParent());
        this.folder = folder;
        this.pages = pages;
        this.rounds = rounds;
    }

    /**
     * Measures; by point, then by figure.
     *
     * @throws IOException when a point failed, with its last words
     */
    public Map<String, Map<String, Double>> measure(PrintWriter progress) throws IOException, InterruptedException {
        Map<String, Map<String, List<Double>>> all = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (int count : pages) {
                for (String order : ORDERS) {
                    progress.println("round " + (round + 1) + ": " + count + " pages, " + order);
                    progress.flush();
                    Map<String, List<Double>> figures =
                            all.computeIfAbsent(count + " " + order, point -> new LinkedHashMap<>());
                    once(count, order)
                            .properties()
                            .forEach(figure -> figures.computeIfAbsent(figure.getKey(), name -> new ArrayList<>())
                                    .add(figure.getValue().asDouble()));
                }
            }
        }
        Map<String, Map<String, Double>> medians = new LinkedHashMap<>();
        all.forEach((point, figures) -> {
            Map<String, Double> of = new LinkedHashMap<>();
            figures.forEach((name, values) ->
                    of.put(name, values.stream().sorted().toList().get(values.size() / 2)));
            medians.put(point, of);
        });
        return medians;
    }

    private JsonNode once(int count, String order) throws IOException, InterruptedException {
        List<String> command =
                Programs.java(List.of(), PagesChild.class, folder.toString(), Integer.toString(count), order);
        return programs.run(command, folder).getLast();
    }

    /** Prints a line a point. */
    public static void print(Map<String, Map<String, Double>> points, PrintWriter out) {
        out.printf(
                "%-20s %14s %14s %14s %14s %10s %12s %9s%n",
                "pages, order",
                "first p50/p99",
                "hit us p50/p99",
                "half p50/p99",
                "miss p50/p99",
                "stored ns",
                "confirmed ns",
                "filed ns");
        points.forEach((point, of) -> out.printf(
                Locale.ROOT,
                "%-20s %6.1f /%6.1f %6.1f /%6.1f %6.1f /%6.1f %6.1f /%6.1f %10.0f %12.0f %9.0f%n",
                point,
                of.get("firstP50Us"),
                of.get("firstP99Us"),
                of.get("hitP50Us"),
                of.get("hitP99Us"),
                of.get("halfP50Us"),
                of.get("halfP99Us"),
                of.get("missP50Us"),
                of.get("missP99Us"),
                of.get("storedNs"),
                of.get("confirmedNs"),
                of.get("filedNs")));
        out.flush();
    }
}
