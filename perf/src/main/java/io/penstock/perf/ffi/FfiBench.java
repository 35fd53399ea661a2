package io.penstock.perf.ffi;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.perf.index.Figures;
import io.penstock.perf.index.Programs;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What a call into NIXL and the Mooncake store costs through our bindings, from C and from ctypes. Each program makes the same
 * calls in a fresh process, in turn, {@code rounds} times, against one real master; a figure is the median over the rounds of
 * the median of a process's samples, a ratio the median of the rounds' ratios.
 *
 * <p>Without a C compiler or Python that column is left out, and said so; the same for a library that is not installed.
 *
 * <p><b>Threading:</b> owned by the benchmark's thread.
 */
public final class FfiBench {
    private static final String OURS = "java.";
    private static final String C = "c.";
    private static final String CTYPES = "ctypes.";

    private final Path sources;
    private final Packages packages;
    private final int rounds;
    private final double seconds;
    private final PrintWriter out;
    private final Figures figures = new Figures();
    private final Map<String, String> left = new LinkedHashMap<>();

    /**
     * Prepares a comparison.
     *
     * @param home checkout, for the programs in {@code perf/ffi}
     * @param packages folder that {@code perf/native/setup.sh} filled
     * @param rounds fresh processes of each program
     * @param seconds for each call in each process, half of them warm-up
     */
    public FfiBench(Path home, Path packages, int rounds, double seconds, PrintWriter out) throws IOException {
        this.sources = home.resolve("perf/ffi");
        this.packages = Packages.in(packages);
        this.rounds = rounds;
        this.seconds = seconds;
        this.out = out;
    }

    /** Runs it, prints the table, and gives its figures by name. */
    public Map<String, Object> run() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("penstock-ffi-bench");
        boolean nixl = installed("NIXL_CAPI");
        boolean store = installed("MOONCAKE_STORE") && installed("MOONCAKE_MASTER");
        if (!nixl && !store) {
            throw new IllegalArgumentException("neither library is installed: " + left);
        }
        Files.writeString(folder.resolve("page-0"), "a page");
        try (MasterProgram master = store ? MasterProgram.start(packages, folder.resolve("master.log")) : null) {
            List<String> libraries = libraries(nixl, store, master == null ? "-" : master.address(), folder);
            measure(folder, libraries, calls(nixl, store, false), calls(nixl, store, true));
        } finally {
            delete(folder);
        }
        return table(calls(nixl, store, true));
    }

    private boolean installed(String key) {
        if (!packages.has(key)) {
            left.put(key, packages.cause(key));
        }
        return packages.has(key);
    }

    private List<String> libraries(boolean nixl, boolean store, String master, Path folder) {
        return List.of(
                nixl ? packages.get("NIXL_CAPI", "-") : "-",
                packages.get("NIXL_PRELOAD", ""),
                store ? packages.get("MOONCAKE_STORE", "-") : "-",
                packages.get("MOONCAKE_PRELOAD", ""),
                master,
                folder.toString(),
                Double.toString(seconds));
    }

    private static List<TimedCall> calls(boolean nixl, boolean store, boolean paths) {
        List<TimedCall> calls = new ArrayList<>();
        calls.addAll(nixl ? TimedCall.NIXL : List.of());
        calls.addAll(store ? TimedCall.STORE : List.of());
        calls.addAll(nixl && paths ? TimedCall.NIXL_PATHS : List.of());
        calls.addAll(store && paths ? TimedCall.STORE_PATHS : List.of());
        return calls;
    }

    private void measure(Path folder, List<String> libraries, List<TimedCall> shared, List<TimedCall> ours)
            throws IOException, InterruptedException {
        Programs programs = new Programs(folder);
        List<String> arguments = arguments(libraries, shared);
        Map<String, List<String>> commands = new LinkedHashMap<>();
        commands.put(
                OURS,
                Programs.java(
                        List.of(), CallsChild.class, arguments(libraries, ours).toArray(String[]::new)));
        Path compiled = folder.resolve("calls");
        if (works(
                "cc",
                "-O2",
                "-o",
                compiled.toString(),
                sources.resolve("calls.c").toString(),
                "-ldl")) {
            commands.put(C, command(arguments, compiled.toString()));
        } else {
            left.put("C", "cc does not compile " + sources.resolve("calls.c"));
        }
        if (works("python3", "-c", "import ctypes")) {
            commands.put(
                    CTYPES,
                    command(arguments, "python3", sources.resolve("calls.py").toString()));
        } else {
            left.put("ctypes", "no python3");
        }
        for (int round = 0; round < rounds; round++) {
            for (Map.Entry<String, List<String>> program : commands.entrySet()) {
                for (JsonNode line : programs.run(program.getValue(), folder)) {
                    String name = program.getKey() + line.get("call").textValue();
                    figures.add(name + ".p50Ns", round, line.get("p50Ns").doubleValue());
                    figures.add(name + ".p99Ns", round, line.get("p99Ns").doubleValue());
                    if (line.has("bytes")) {
                        figures.add(name + ".bytes", round, line.get("bytes").doubleValue());
                    }
                }
            }
        }
    }

    private static List<String> arguments(List<String> libraries, List<TimedCall> calls) {
        return Stream.concat(libraries.stream(), calls.stream().map(TimedCall::argument))
                .toList();
    }

    private static List<String> command(List<String> arguments, String... program) {
        return Stream.concat(Stream.of(program), arguments.stream()).toList();
    }

    private static boolean works(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
        } catch (IOException absent) {
            return false;
        }
    }

    private Map<String, Object> table(List<TimedCall> calls) {
        Map<String, Object> json = new LinkedHashMap<>();
        out.printf(
                Locale.ROOT,
                "%-46s %12s %12s %12s %8s %11s %8s%n",
                "call, ns (p50)",
                "Java",
                "C",
                "ctypes",
                "Java/C",
                "Java/ctypes",
                "B/call");
        for (TimedCall call : calls) {
            String name = call.name();
            double[] row = {
                figures.median(OURS + name + ".p50Ns"),
                figures.median(C + name + ".p50Ns"),
                figures.median(CTYPES + name + ".p50Ns"),
                figures.ratio(OURS + name + ".p50Ns", C + name + ".p50Ns"),
                figures.ratio(OURS + name + ".p50Ns", CTYPES + name + ".p50Ns"),
                figures.median(OURS + name + ".bytes")
            };
            out.printf(
                    Locale.ROOT,
                    "%-46s %12s %12s %12s %8s %11s %8s%n",
                    call.title(),
                    text(row[0], 1),
                    text(row[1], 1),
                    text(row[2], 1),
                    text(row[3], 2),
                    text(row[4], 2),
                    text(row[5], 2));
            put(json, name + ".javaNs", row[0]);
            put(json, name + ".javaP99Ns", figures.median(OURS + name + ".p99Ns"));
            put(json, name + ".cNs", row[1]);
            put(json, name + ".ctypesNs", row[2]);
            put(json, name + ".javaByC", row[3]);
            put(json, name + ".javaByCtypes", row[4]);
            put(json, name + ".bytesPerCall", row[5]);
        }
        left.forEach((what, why) -> out.println("left out: " + what + ": " + why));
        json.put("leftOut", left);
        json.put("rounds", rounds);
        return json;
    }

    private static String text(double value, int digits) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%,." + digits + "f", value);
    }

    private static void put(Map<String, Object> json, String key, double value) {
        if (!Double.isNaN(value)) {
            json.put(key, Math.round(value * 1_000) / 1_000.0);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
