package io.penstock.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The file finds no room: here because the process may write no file so large. */
@EnabledOnOs(OS.LINUX)
class DiskFullTest {
    private static final int KILOBYTES = 1 << 10;

    @TempDir
    Path folder;

    /** Opens an index of a few MiB and says what came of it. */
    static final class Child {
        private Child() {}

        public static void main(String[] arguments) {
            try (OffHeapIndex index = OffHeapIndex.open(config(Path.of(arguments[0])))) {
                System.out.println("opened: " + index.recovery());
            } catch (IndexFileException refused) {
                System.out.println("refused: " + refused.getMessage());
            }
        }
    }

    private static IndexConfig config(Path file) {
        return new IndexConfig(file, 16, 1 << 14, 1 << 16, 40);
    }

    @Test
    void shouldRefuseInOneLineAndLeaveNothingWhenThereIsNoRoom() throws IOException, InterruptedException {
        Path file = folder.resolve("index");
        String said = child(file, "ulimit -f " + KILOBYTES + "; ");
        assertTrue(said.contains("refused: index file cannot be made: file=" + file + ", bytes="), said);
        try (var left = Files.list(folder)) {
            assertEquals(
                    List.of("index.lock"),
                    left.map(p -> p.getFileName().toString()).toList());
        }
        assertTrue(child(file, "").contains("opened: RecoveryReport[outcome=CREATED"), "with room");
    }

    private static String child(Path file, String limit) throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> flags = ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> !flag.startsWith("-javaagent"))
                .toList();
        ProcessBuilder builder = new ProcessBuilder();
        builder.command().addAll(List.of("bash", "-c", limit + "exec \"$0\" \"$@\"", java));
        builder.command().addAll(flags);
        builder.command()
                .addAll(List.of(
                        "-XX:-UsePerfData",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Child.class.getName(),
                        file.toString()));
        Process process = builder.redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), said);
        return said;
    }
}
