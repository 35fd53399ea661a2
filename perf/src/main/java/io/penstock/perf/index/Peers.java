package io.penstock.perf.index;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A built copy of the published indexes' program, {@code idxbench MODE STRUCT FILE}, with its streams. Figures are named
 * {@code STRUCT.FILE.MODE.field}.
 *
 * <p>Its program runs one pass. A look-up's figure is therefore taken from the second process on: the first of a kind
 * brings the stream into the page cache and is dropped.
 *
 * <p><b>Threading:</b> owned by the benchmark's thread.
 */
public final class Peers {
    private static final Pattern VERSION =
            Pattern.compile("name = \"kv-index\"\\s+version = \"([^\"]+)\"", Pattern.MULTILINE);

    private final Path folder;
    private final Path program;
    private final Set<String> seen = new HashSet<>();

    /** The copy in {@code folder}; throws {@link IllegalArgumentException} with one line where it is none. */
    public Peers(Path folder) {
        this.folder = folder.toAbsolutePath();
        program = this.folder.resolve("idxbench/target/release/idxbench");
        if (!Files.isExecutable(program)) {
            throw new IllegalArgumentException("no built copy of the peers' programs: --peers=" + folder);
        }
        if (!has("ops_w64")) {
            throw new IllegalArgumentException("the peers' streams lack ops_w64.bin: --peers=" + folder);
        }
    }

    /** Whether the stream is there. */
    boolean has(String stream) {
        return Files.isRegularFile(stream(stream));
    }

    Path stream(String name) {
        return folder.resolve(name + ".bin");
    }

    /** Version of kv-index that the program was built with. */
    public String version() throws IOException {
        Path lock = folder.resolve("idxbench/Cargo.lock");
        Matcher found = VERSION.matcher(Files.exists(lock) ? Files.readString(lock) : "");
        return found.find() ? found.group(1) : "unknown";
    }

    void measure(Programs programs, String mode, String structure, String stream, Figures into, int round)
            throws IOException, InterruptedException {
        String name = structure + "." + stream + "." + mode;
        boolean first = seen.add(name);
        List<JsonNode> lines = programs.run(List.of(program.toString(), mode, structure, stream + ".bin"), folder);
        for (JsonNode line : lines) {
            into.add("peers.wrong", round, line.path("wrong").asLong());
            if (!first || !mode.equals("query")) {
                Lines.add(line, name, into, round);
            }
        }
    }
}
