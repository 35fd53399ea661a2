package io.penstock.dataplane.demo;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A process that the demo started: its output in a log file, its end in our hands.
 *
 * <p><b>Threading:</b> thread-safe.
 */
final class ChildProcess {
    private static final long POLL_MS = 40;
    private static final int STOP_SECONDS = 5;

    private final String name;
    private final Path log;
    private final Process process;
    private final long startNs;

    private ChildProcess(String name, Path log, Process process, long startNs) {
        this.name = name;
        this.log = log;
        this.process = process;
        this.startNs = startNs;
    }

    /** Starts a command; output goes to the end of the log, and the variables are added to its environment. */
    static ChildProcess start(String name, List<String> command, Path log, Map<String, String> variables)
            throws IOException {
        long startNs = System.nanoTime();
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .redirectInput(ProcessBuilder.Redirect.PIPE);
        builder.environment().putAll(variables);
        return new ChildProcess(name, log, builder.start(), startNs);
    }

    /** Milliseconds since just before it was started. */
    long ageMs() {
        return (System.nanoTime() - startNs) / 1_000_000;
    }

    /** Waits until the address answers 200. */
    void awaitReady(URI address, long timeoutMs) throws InterruptedException {
        long deadline = System.nanoTime() + timeoutMs * 1_000_000;
        while (status(address) != 200) {
            if (!process.isAlive()) {
                throw new IllegalStateException(
                        name + " ended with status " + process.exitValue() + ": " + lastLine() + " (log " + log + ")");
            }
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        name + " is not ready after " + timeoutMs / 1_000 + " s: " + address + " (log " + log + ")");
            }
            Thread.sleep(POLL_MS);
        }
    }

    /** Status that the address answers with; 0 while nobody answers. */
    static int status(URI address) {
        try {
            HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
            connection.setConnectTimeout(500);
            connection.setReadTimeout(1_000);
            try {
                return connection.getResponseCode();
            } finally {
                connection.disconnect();
            }
        } catch (IOException e) {
            // Not listening yet: that is what is being waited for.
            return 0;
        }
    }

    /** SIGKILL: no goodbye. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /** SIGTERM without waiting. */
    void askToStop() {
        process.destroy();
    }

    /** SIGTERM, and SIGKILL if that does not help. */
    void stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            kill();
        }
    }

    private String lastLine() {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            long from = Math.max(0, file.length() - 2_000);
            byte[] tail = new byte[(int) (file.length() - from)];
            file.seek(from);
            file.readFully(tail);
            List<String> lines = new String(tail, StandardCharsets.UTF_8)
                    .lines()
                    .filter(l -> !l.isBlank())
                    .toList();
            return lines.isEmpty() ? "no output" : lines.getLast().strip();
        } catch (IOException e) {
            return "log unreadable: " + e.getMessage();
        }
    }
}
