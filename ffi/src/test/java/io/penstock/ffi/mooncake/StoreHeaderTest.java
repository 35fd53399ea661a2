package io.penstock.ffi.mooncake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.ffi.load.LibrarySpec;
import io.penstock.ffi.load.NativeLibrary;
import java.io.IOException;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds the bindings against the real library and a C compiler. */
class StoreHeaderTest {
    /** Exported, and in no public header. */
    private static final Set<String> UNDECLARED = Set.of("setup_with_tenant");

    private static final Set<String> OWN = Set.of("isAvailable", "unavailabilityCause");

    @TempDir
    Path folder;

    @Test
    void shouldBindEveryFunctionThatTheLibraryExportsWhenItHasAHeader() throws Exception {
        NativePackages.assumeStore();
        assertNull(LibMooncakeStore.unavailabilityCause());
        String exports = output(
                "nm",
                "-D",
                "--defined-only",
                NativeLibrary.of(LibrarySpec.MOONCAKE_STORE).path());
        Set<String> exported = exports.lines()
                .filter(line -> line.contains(" T mooncake_store_"))
                .map(line -> line.substring(line.indexOf("mooncake_store_") + "mooncake_store_".length()))
                .filter(name -> !UNDECLARED.contains(name))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> bound = Arrays.stream(LibMooncakeStore.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !OWN.contains(method.getName()))
                .map(method -> method.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(exported, bound);
        assertEquals(19, bound.size());
    }

    @Test
    void shouldLayTheStructOutAsTheCompilerDoesWhenItIsThatOfTheHeader() throws Exception {
        List<String> fields = new ArrayList<>();
        ReplicateConfig.LAYOUT.memberLayouts().forEach(field -> field.name().ifPresent(fields::add));
        StringBuilder probe = new StringBuilder("""
                #include <stddef.h>
                #include <stdio.h>
                struct config {
                    size_t replica_num;
                    int with_soft_pin;
                    int with_hard_pin;
                    const char **preferred_segments;
                    size_t preferred_segments_count;
                };
                int main(void) {
                """);
        for (String field : fields) {
            probe.append("    printf(\"%zu\\n\", offsetof(struct config, ")
                    .append(field)
                    .append("));\n");
        }
        probe.append("    printf(\"%zu\\n\", sizeof(struct config));\n    return 0;\n}\n");
        Path source = folder.resolve("config.c");
        Path program = folder.resolve("config");
        Files.writeString(source, probe);
        output("gcc", "-o", program.toString(), source.toString());
        List<Long> offsets = new ArrayList<>();
        for (String field : fields) {
            offsets.add(ReplicateConfig.LAYOUT.byteOffset(PathElement.groupElement(field)));
        }
        offsets.add(ReplicateConfig.LAYOUT.byteSize());
        assertEquals(output(program.toString()).lines().map(Long::valueOf).toList(), offsets, fields.toString());
    }

    @Test
    void shouldSayWhyWhenTheLibraryIsAbsent() throws Exception {
        // The library is looked for once a process.
        String told = output(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Dpenstock.libraries.mooncakeStore=" + folder.resolve("nowhere.so"),
                "-cp",
                System.getProperty("java.class.path"),
                WithoutLibrary.class.getName());
        assertTrue(told.startsWith("false"), told);
        assertEquals(2, told.split("nowhere\\.so", -1).length - 1, told);
    }

    /** A process without the library: what it is told, and what a call throws. */
    static final class WithoutLibrary {
        private WithoutLibrary() {}

        public static void main(String[] args) {
            System.out.println(LibMooncakeStore.isAvailable());
            System.out.println(LibMooncakeStore.unavailabilityCause());
            try {
                LibMooncakeStore.create();
            } catch (UnsupportedOperationException absent) {
                System.out.println(absent.getMessage());
            }
        }
    }

    @Test
    void shouldNameTheStatusWhenItIsKnown() {
        assertEquals("OBJECT_HAS_LEASE (-706)", StoreStatus.text(StoreStatus.OBJECT_HAS_LEASE));
        assertEquals("unknown status (-42)", StoreStatus.text(-42));
        assertEquals("OK (7)", StoreStatus.text(7));
    }

    /** Runs a program of the build machine; where it lacks it the test is skipped. */
    private static String output(String... command) throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException absent) {
            Assumptions.abort("not installed: " + command[0]);
            return "";
        }
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), text);
        return text;
    }
}
