package io.penstock.perf.index;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The index and kv-index on one deterministic stream, in turn: peer, ours, peer, each in a fresh process. What fails is not
 * measured, and said in {@link #notes}.
 *
 * <p><b>Threading:</b> owned by the benchmark's thread.
 */
public final class Comparison {
    /** The stream of the targets. */
    static final String MAIN = "ops_w64";

    /** The stream with decode blocks one by one. */
    static final String DECODE = "ops_w64_dec";

    private static final List<String> OTHERS = List.of("ops_w8", "ops_w256", DECODE);

    private final Peers peers;
    private final Programs programs;
    private final Path folder;
    private final Ours ours;
    private final boolean quick;
    private final int passes;
    private final Figures figures = new Figures();
    private final List<String> notes = new ArrayList<>();
    private final Consumer<String> progress;

    /**
     * A comparison to come.
     *
     * @param folder for the index files; on the disk that is to be measured
     * @param quick fewer passes, and only the streams of the targets
     * @param progress told what is measured
     */
    public Comparison(Peers peers, Path folder, boolean quick, Consumer<String> progress) throws IOException {
        this.peers = peers;
        this.folder = folder;
        this.quick = quick;
        this.progress = progress;
        programs = new Programs(folder);
        ours = new Ours(programs, Files.createDirectories(folder.resolve("stream")));
        passes = quick ? 3 : 4;
    }

    /** What was measured. */
    public Figures figures() {
        return figures;
    }

    /** What could not be measured, a line each. */
    public List<String> notes() {
        return notes;
    }

    /** Measures everything that is repeated. */
    public void round(int round) throws InterruptedException {
        // What has no target is measured once when time is short.
        boolean all = !quick || round == 0;
        List<Variant> given = List.of(Variant.GIVEN);
        group("apply", List.of("chain"), all ? List.of(Variant.values()) : given, MAIN, round);
        group(
                "query",
                List.of("chain", "chainscore"),
                all ? List.of(Variant.GIVEN, Variant.CHAIN) : given,
                MAIN,
                round);
        group("depth", List.of("chain"), given, MAIN, round);
        group("conc", List.of("chain"), given, MAIN, round);
        for (String stream : quick ? List.of(DECODE) : OTHERS) {
            if (peers.has(stream)) {
                group("apply", List.of("chain"), List.of(Variant.GIVEN), stream, round);
                if (!quick) {
                    group("query", List.of("chain", "chainscore"), List.of(Variant.GIVEN), stream, round);
                }
            } else if (round == 0) {
                notes.add("stream missing: " + stream + ".bin");
            }
        }
    }

    /** Measures what is done once: answers of the other variants, reopening and, unless quick, the ladder. */
    public void once() throws InterruptedException {
        for (Variant variant : List.of(Variant.DOUBLED, Variant.DOMAINS)) {
            attempt("answers " + variant.label(), () -> ours.check(variant, peers.stream(MAIN), figures));
        }
        attempt("reopen", () -> new Reopening(programs, folder).measure(figures));
        if (!quick) {
            for (String rung : LadderTable.RUNGS) {
                attempt(
                        "ladder " + rung,
                        () -> ours.measure(
                                "apply",
                                Variant.GIVEN,
                                peers.stream(MAIN),
                                passes,
                                List.of("-Dpenstock.index.ladder=" + rung),
                                LadderTable.label(rung),
                                figures,
                                0));
            }
        }
    }

    private void group(String mode, List<String> structures, List<Variant> variants, String stream, int round)
            throws InterruptedException {
        peers(mode, structures, stream, round);
        for (Variant variant : variants) {
            String own = mode.equals("conc") ? "busy" : mode;
            attempt(
                    own + " " + variant.label() + " " + stream,
                    () -> ours.measure(own, variant, peers.stream(stream), passes, figures, round));
        }
        peers(mode, structures, stream, round);
    }

    private void peers(String mode, List<String> structures, String stream, int round) throws InterruptedException {
        for (String structure : structures) {
            attempt(
                    mode + " peer " + structure + " " + stream,
                    () -> peers.measure(programs, mode, structure, stream, figures, round));
        }
    }

    private interface Measurement {
        void run() throws IOException, InterruptedException;
    }

    private void attempt(String what, Measurement measurement) throws InterruptedException {
        progress.accept(what);
        try {
            measurement.run();
        } catch (IOException failed) {
            notes.add("not measured: " + what + ": " + failed.getMessage());
        }
    }
}
