package io.penstock.perf.index;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/**
 * Where and of what figures were taken: versions, revision, processor, load.
 *
 * <p><b>Threading:</b> stateless.
 */
public final class Surroundings {
    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

    private Surroundings() {}

    /** Prints a line for each; {@code peerVersion} is null where the index's peer has no part in it. */
    public static void print(String peerVersion, PrintWriter out) throws IOException, InterruptedException {
        out.println("when       " + Instant.now());
        if (peerVersion != null) {
            out.println("kv-index   " + peerVersion);
        }
        out.println("JDK        " + Runtime.version());
        out.println("revision   " + revision());
        out.println("processor  " + processor() + ", " + Runtime.getRuntime().availableProcessors() + " cores");
        out.println("load       " + ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
        out.println();
        out.flush();
    }

    private static String revision() throws InterruptedException {
        Path home = Path.of(System.getProperty("penstock.home", "."));
        try {
            Process git = new ProcessBuilder("git", "describe", "--always", "--dirty", "--abbrev=12")
                    .directory(home.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String said = new String(git.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            return git.waitFor() == 0 ? said.trim() : "unknown";
        } catch (IOException noGit) {
            return "unknown";
        }
    }

    private static String processor() throws IOException {
        if (!Files.exists(PROCESSORS)) {
            return System.getProperty("os.arch");
        }
        return Files.readAllLines(PROCESSORS).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1).trim())
                .findFirst()
                .orElse(System.getProperty("os.arch"));
    }
}
