package io.penstock.perf.index;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The index of this product under a stream, each time in a JVM of its own. Figures are named {@code
 * VARIANT.FILE.MODE.field}; the first four passes are the compiler's and are dropped, save their wrong answers, and the p99
 * of the very first look-ups, which is kept as {@code first.p99Ns}.
 *
 * <p><b>Threading:</b> owned by the benchmark's thread.
 */
final class Ours {
    private static final int WARM = 4;

    private final Programs programs;
    private final Path folder;

    Ours(Programs programs, Path folder) {
        this.programs = programs;
        this.folder = folder;
    }

    /** Measures after the passes for the compiler {@code passes} more. */
    void measure(String mode, Variant variant, Path stream, int passes, Figures into, int round)
            throws IOException, InterruptedException {
        measure(mode, variant, stream, passes, List.of(), variant.label(), into, round);
    }

    /** As {@link #measure}, the JVM with further flags, figures under {@code label} in the variant's place. */
    void measure(
            String mode,
            Variant variant,
            Path stream,
            int passes,
            List<String> flags,
            String label,
            Figures into,
            int round)
            throws IOException, InterruptedException {
        int warm = mode.equals("depth") ? 0 : WARM;
        List<String> command = Programs.java(
                flags,
                StreamChild.class,
                mode,
                variant.label(),
                stream.toString(),
                folder.toString(),
                Integer.toString(mode.equals("depth") ? 1 : warm + passes));
        String file = stream.getFileName().toString().replace(".bin", "");
        String name = label + "." + file + "." + mode;
        for (JsonNode line : programs.run(command, folder)) {
            into.add("ours.wrong", round, line.path("wrong").asLong());
            int pass = line.path("pass").asInt();
            if (pass == 0 && mode.equals("query")) {
                into.add(name + ".first.p99Ns", round, line.path("p99Ns").asDouble());
            }
            if (pass >= warm) {
                Lines.add(line, name, into, round);
            }
        }
    }

    /** One pass with queries, for its answers alone. */
    void check(Variant variant, Path stream, Figures into) throws IOException, InterruptedException {
        List<String> command = Programs.java(
                List.of(), StreamChild.class, "query", variant.label(), stream.toString(), folder.toString(), "1");
        for (JsonNode line : programs.run(command, folder)) {
            into.add("ours.wrong", 0, line.path("wrong").asLong());
            into.add(variant.label() + ".checked", 0, line.path("checked").asLong());
        }
    }
}
