package io.penstock.perf.index;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Runs programs that print JSON lines: the peers', and classes of this one in a JVM like the present.
 *
 * <p><b>Threading:</b> owned by the benchmark's thread.
 */
public final class Programs {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path errors;

    /** Keeps what a failed program said in a file of {@code folder}. */
    public Programs(Path folder) {
        errors = folder.resolve("errors.txt");
    }

    /** The command of a class of ours: this JVM's flags, then {@code flags}. */
    public static List<String> java(List<String> flags, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** The lines that a program printed; throws with its last words where it failed. */
    public List<JsonNode> run(List<String> command, Path directory) throws IOException, InterruptedException {
        return run(command, directory, line -> false);
    }

    /** As {@link #run}, but the program is killed (SIGKILL) after the line that {@code last} says yes to. */
    public List<JsonNode> run(List<String> command, Path directory, Predicate<JsonNode> last)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectError(errors.toFile())
                .start();
        List<JsonNode> lines = new ArrayList<>();
        boolean killed = false;
        try (BufferedReader reader = process.inputReader()) {
            for (String line = reader.readLine(); line != null && !killed; line = reader.readLine()) {
                if (line.startsWith("{")) {
                    lines.add(JSON.readTree(line));
                    killed = last.test(lines.getLast());
                }
            }
        } finally {
            if (killed || Thread.currentThread().isInterrupted()) {
                process.destroyForcibly();
            }
        }
        int status = process.waitFor();
        if (!killed && (status != 0 || lines.isEmpty())) {
            throw new IOException("a program of the comparison failed: status=" + status + ", said=" + lastWords()
                    + ", command=" + ends(command));
        }
        return lines;
    }

    /** Without a JVM's flags and class path, which would fill a screen. */
    private static String ends(List<String> command) {
        return String.join(
                " ", command.subList(command.contains("-cp") ? command.indexOf("-cp") + 2 : 0, command.size()));
    }

    private String lastWords() throws IOException {
        return Files.readAllLines(errors).stream()
                .filter(line -> line.contains("Exception") || line.contains("Error") || line.contains("panicked"))
                .findFirst()
                .orElse("nothing");
    }
}
