package io.penstock.perf.index;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * From {@code OffHeapIndex.open} in a fresh JVM to the first exact look-up in an index of ten million blocks, page cache
 * warm: closed in order, and killed with SIGKILL while it was written. Chronicle Map's own part is taken off and stated.
 *
 * <p><b>Threading:</b> owned by the benchmark's thread.
 */
final class Reopening {
    private static final int OPENS = 3;
    private static final int STEPS_BEFORE_KILL = 3;

    private final Programs programs;
    private final Path folder;

    Reopening(Programs programs, Path folder) throws IOException {
        this.programs = programs;
        this.folder = Files.createDirectories(folder.resolve("reopen"));
    }

    void measure(Figures into) throws IOException, InterruptedException {
        programs.run(child("build"), folder);
        opens("open", "CLEAN", "reopen.clean", into);
        long[] churned = {0};
        programs.run(child("churn"), folder, line -> line.has("churned") && ++churned[0] == STEPS_BEFORE_KILL);
        opens("halt", "REPAIRED", "reopen.dirty", into);
        new BenchFolder(folder).clear();
    }

    private void opens(String mode, String outcome, String name, Figures into)
            throws IOException, InterruptedException {
        for (int i = 0; i < OPENS; i++) {
            for (JsonNode line : programs.run(child(mode), folder)) {
                if (!line.path("outcome").asText().equals(outcome)) {
                    throw new IOException("the index did not reopen as expected: expected=" + outcome + ", found="
                            + line.path("outcome").asText());
                }
                into.add("ours.wrong", 0, line.path("wrong").asLong());
                Lines.add(line, name, into, 0);
            }
        }
    }

    private List<String> child(String mode) {
        return Programs.java(List.of(), ReopenChild.class, mode, folder.toString());
    }
}
