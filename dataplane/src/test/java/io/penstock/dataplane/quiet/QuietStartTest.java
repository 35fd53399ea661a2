package io.penstock.dataplane.quiet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.spi.InetAddressResolverProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The router asks nobody for anything that it was not told to: its libraries do not phone home. */
class QuietStartTest {
    @TempDir
    Path folder;

    @Test
    void shouldLeaveNothingAtHomeAndLookUpNoNameWhenTheRouterStarts() throws Exception {
        assertEquals(List.of(), run());
    }

    @Test
    void shouldBeHeardWhenANameIsLookedUp() throws Exception {
        assertEquals(List.of("seen.invalid"), run("resolve"));
    }

    /** Names looked up by a router in a JVM of its own, whose home stays empty. */
    private List<String> run(String... more) throws Exception {
        Path home = Files.createDirectory(folder.resolve("home"));
        Path names = folder.resolve("names");
        Path services = Files.createDirectories(folder.resolve("classes/META-INF/services"));
        Files.writeString(
                services.resolve(InetAddressResolverProvider.class.getName()), NotingResolver.class.getName());
        Path tokenizer = Path.of(
                        getClass().getResource("/tokens/tiny/tokenizer.json").toURI())
                .getParent();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + Path.of(System.getProperty("penstock.root"), "config", "jvm.flags"),
                "-Xms64m",
                "-Xmx512m",
                "-XX:TieredStopAtLevel=1",
                "-Duser.home=" + home,
                "-D" + NotingResolver.FILE + "=" + names,
                "-cp",
                folder.resolve("classes")
                        + File.pathSeparator
                        + System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                QuietRouter.class.getName(),
                folder.resolve("data").toString(),
                tokenizer.toString()));
        command.addAll(List.of(more));
        Path log = folder.resolve("log");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("HOME", home.toString());
        Process child = builder.start();
        try {
            assertTrue(child.waitFor(120, TimeUnit.SECONDS), () -> read(log));
            assertEquals(0, child.exitValue(), () -> read(log));
        } finally {
            child.destroyForcibly();
        }
        assertTrue(read(log).contains("index open"), read(log));
        try (Stream<Path> left = Files.walk(home)) {
            assertEquals(List.of(), left.filter(path -> !path.equals(home)).toList());
        }
        return Files.exists(names) ? Files.readAllLines(names) : List.of();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
