package io.penstock.perf.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.perf.index.StreamChild;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The index and the published ones on one deterministic stream, in turn, each in a fresh process; ratios against kv-index's
 * chain of the same run.
 *
 * <p><b>Threading:</b> main thread.
 */
@Command(
        name = "index",
        description = "Applies and queries a stream of KV events, side by side with published indexes.",
        mixinStandardHelpOptions = true)
final class IndexBenchCommand implements Callable<Integer> {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String W64 = "ops_w64";

    @Option(
            names = "--peers",
            required = true,
            paramLabel = "DIR",
            description = "A built copy of the peers' programs, with ops_*.bin.")
    private Path peers;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Rounds peer, Penstock, peer. Default: ${DEFAULT-VALUE}.")
    private int rounds = 2;

    @Option(names = "--json", description = "Prints one object as the last line.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    private final Map<String, List<Double>> figures = new LinkedHashMap<>();
    private long wrong;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        Path folder = Files.createTempDirectory("penstock-bench");
        for (int round = 0; round < rounds; round++) {
            for (String file : List.of(W64, "ops_w64_dec")) {
                peer("apply", "chain", file);
                ours("apply", file, folder, 4);
            }
            peer("query", "chain", W64);
            peer("query", "chainscore", W64);
            ours("query", W64, folder, 4);
            peer("depth", "chain", W64);
            ours("depth", W64, folder, 1);
        }
        Map<String, Object> result = result();
        out.printf(Locale.ROOT, "%-34s %12s%n", "figure (median of passes)", "value");
        figures.forEach((name, values) -> out.printf(Locale.ROOT, "%-34s %,12.1f%n", name, median(values)));
        out.println();
        result.forEach((name, value) -> out.printf(Locale.ROOT, "%-34s %12s%n", name, value));
        if (json) {
            out.println(JSON.writeValueAsString(result));
        }
        out.flush();
        return wrong == 0 ? 0 : 1;
    }

    private Map<String, Object> result() {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("applyRatio", ratio("penstock.ops_w64.blocksPerSecond", "chain.ops_w64.blocks_s"));
        out.put("applyDecodeRatio", ratio("penstock.ops_w64_dec.blocksPerSecond", "chain.ops_w64_dec.blocks_s"));
        out.put("removedRatio", ratio("penstock.ops_w64.removedNsPerBlock", "chain.ops_w64.removed_ns_block"));
        out.put("lookupP50Ratio", ratio("penstock.ops_w64.p50Ns", "chain.ops_w64.p50_ns"));
        out.put("lookupP99Ratio", ratio("penstock.ops_w64.p99Ns", "chain.ops_w64.p99_ns"));
        out.put("scoreP50Ratio", ratio("penstock.ops_w64.p50Ns", "chainscore.ops_w64.p50_ns"));
        out.put("scoreP99Ratio", ratio("penstock.ops_w64.p99Ns", "chainscore.ops_w64.p99_ns"));
        out.put("bytesRatio", ratio("penstock.ops_w64.bytesPerPair", "chain.ops_w64.bytes_pair"));
        out.put("fullHit8192Ratio", ratio("penstock.ops_w64.fullHit8192P50Ns_1", "chain.ops_w64.full_hit_8192_1"));
        out.put("fullHit8192Ratio64", ratio("penstock.ops_w64.fullHit8192P50Ns_64", "chain.ops_w64.full_hit_8192_64"));
        out.put("wrongAnswers", wrong);
        return out;
    }

    private double ratio(String ours, String theirs) {
        return Math.round(1_000 * median(figures.get(ours)) / median(figures.get(theirs))) / 1_000.0;
    }

    private static double median(List<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    private void peer(String mode, String structure, String file) throws IOException, InterruptedException {
        Path program = peers.resolve("idxbench/target/release/idxbench").toAbsolutePath();
        for (JsonNode line : run(List.of(program.toString(), mode, structure, file + ".bin"))) {
            String prefix = structure + "." + file + ".";
            if (!mode.equals("depth")) {
                wrong += line.path("wrong").asLong();
                add(prefix, line, "blocks_s", "stored_ns_block", "removed_ns_block", "bytes_pair", "p50_ns", "p99_ns");
            } else if (line.path("depth").asInt() == 8_192
                    && line.path("kind").asText().equals("full_hit")) {
                figures.computeIfAbsent(
                                prefix + "full_hit_8192_" + line.path("holders").asInt(), k -> new ArrayList<>())
                        .add(line.path("p50_ns").asDouble());
            }
        }
    }

    private void ours(String mode, String file, Path folder, int passes) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), StreamChild.class.getName()));
        Path ops = peers.resolve(file + ".bin").toAbsolutePath();
        command.addAll(List.of(mode, ops.toString(), folder.toString(), Integer.toString(passes)));
        for (JsonNode line : run(command)) {
            wrong += line.path("wrong").asLong();
            if (line.path("pass").asInt() > 0 || passes == 1) {
                line.fieldNames().forEachRemaining(name -> {
                    if (!name.equals("pass") && line.get(name).isNumber()) {
                        add("penstock." + file + ".", line, name);
                    }
                });
            }
        }
    }

    private void add(String prefix, JsonNode line, String... names) {
        Arrays.stream(names)
                .filter(line::has)
                .forEach(name -> figures.computeIfAbsent(prefix + name, k -> new ArrayList<>())
                        .add(line.get(name).asDouble()));
    }

    private List<JsonNode> run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(peers.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<JsonNode> lines = new ArrayList<>();
        try (BufferedReader reader = process.inputReader()) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (line.startsWith("{")) {
                    lines.add(JSON.readTree(line));
                }
            }
        }
        if (process.waitFor() != 0 || lines.isEmpty()) {
            throw new IOException("a program of the comparison failed: " + String.join(" ", command));
        }
        return lines;
    }
}
