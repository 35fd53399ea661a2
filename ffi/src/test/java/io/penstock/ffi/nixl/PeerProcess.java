package io.penstock.ffi.nixl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@link NixlPeerProcess} seen from the test that started it. */
final class PeerProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader answers;
    private final PrintWriter commands;
    private final List<String> printed = new ArrayList<>();

    PeerProcess(String name, int port) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        System.getProperties().forEach((key, value) -> {
            if (key.toString().startsWith("penstock.libraries.")) {
                command.add("-D" + key + "=" + value);
            }
        });
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), NixlPeerProcess.class.getName()));
        command.addAll(List.of(name, Integer.toString(port)));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        commands = new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8);
        assertEquals("ready", answer());
    }

    String ask(String command) throws IOException {
        commands.println(command);
        return answer();
    }

    private String answer() throws IOException {
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            if (line.startsWith("> ")) {
                return line.substring(2);
            }
            printed.add(line);
        }
        throw new IOException("the peer ended, having printed " + printed);
    }

    /** Lines that the library wrote to standard output. */
    List<String> printed() {
        return printed;
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Ends the peer in the ordinary way; anything but 0 is a native library that does not end well. */
    int end() throws InterruptedException {
        commands.close();
        assertTrue(process.waitFor(20, TimeUnit.SECONDS), "the peer does not end");
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
