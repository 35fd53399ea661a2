package io.penstock.dataplane.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.ffi.load.LibrarySpec;
import io.penstock.ffi.load.NativeLibrary;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class DoctorCommandTest {
    @TempDir
    Path folder;

    private String printed;

    private int doctor(String... args) {
        List<String> words = new ArrayList<>(List.of("doctor"));
        words.addAll(List.of(args));
        StringWriter out = new StringWriter();
        CommandLine line = Penstock.commandLine();
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(out));
        int status = line.execute(words.toArray(String[]::new));
        printed = out.toString();
        return status;
    }

    private JsonNode library(String name) throws Exception {
        for (JsonNode library : new ObjectMapper().readTree(printed).get("libraries")) {
            if (library.get("name").textValue().equals(name)) {
                return library;
            }
        }
        throw new AssertionError(name + " is not in " + printed);
    }

    @Test
    void shouldBeWellWithItsVersionWhenALibraryIsFound() throws Exception {
        NativeLibrary real = NativeLibrary.of(LibrarySpec.NIXL);
        assumeTrue(real.isAvailable(), real.cause());
        assertEquals(0, doctor("--json", "--set", "libraries.nixl=" + real.path()), printed);
        assertEquals("found", library("NIXL").get("state").textValue());
        assertEquals(real.version(), library("NIXL").get("version").textValue());
        assertEquals(real.path(), library("NIXL").get("path").textValue());
        doctor("--set", "libraries.nixl=" + real.path());
        assertTrue(printed.contains("found, version " + real.version()), printed);
    }

    @Test
    void shouldSayWhatToInstallWhenANamedLibraryIsNotThere() throws Exception {
        Path missing = folder.resolve("libnixl_capi.so");
        assertEquals(1, doctor("--json", "--set", "libraries.nixl=" + missing), printed);
        JsonNode nixl = library("NIXL");
        assertEquals("absent", nixl.get("state").textValue());
        assertEquals(
                "no such file: libraries.nixl=" + missing, nixl.get("cause").textValue());
        assertTrue(nixl.get("install").textValue().contains("pip install nixl-cu12"), printed);
        assertEquals(1, doctor("--set", "libraries.nixl=" + missing));
        assertTrue(printed.contains("to have it: pip install nixl-cu12"), printed);
    }

    @Test
    void shouldGiveTheLoadersReasonWhenAFileCannotBeUsed() throws Exception {
        Path text = Files.writeString(folder.resolve("libmooncake_store.so"), "no library ".repeat(100));
        assertEquals(1, doctor("--json", "--set", "libraries.mooncakeStore=" + text));
        assertEquals("unusable", library("Mooncake store").get("state").textValue());
        assertTrue(library("Mooncake store").get("cause").textValue().contains("invalid ELF header"), printed);
    }

    @Test
    void shouldSearchItsPackagesWhenAnInterpreterIsNamed() throws Exception {
        Path packages = Files.createDirectories(folder.resolve("site-packages/mooncake"));
        Files.writeString(packages.resolve("libmooncake_store.so"), "no library ".repeat(100));
        Path python = Files.writeString(folder.resolve("python"), "#!/bin/sh\necho " + packages.getParent() + "\n");
        Files.setPosixFilePermissions(python, PosixFilePermissions.fromString("rwx------"));
        String before = System.clearProperty("penstock.libraries.env");
        try {
            assertEquals(1, doctor("--json", "--python", python.toString()));
        } finally {
            if (before != null) {
                System.setProperty("penstock.libraries.env", before);
            }
        }
        assertTrue(library("Mooncake store").get("cause").textValue().startsWith(packages.toString()), printed);
    }

    @Test
    void shouldNameTheNeededLibraryWhenOnlyThatIsMissing() throws Exception {
        Path source = Files.writeString(folder.resolve("lib.c"), "int used(void) { return 1; }");
        Path needed = folder.resolve("libcurl.so.4");
        Path file = folder.resolve("libmooncake_store.so");
        try {
            compile("-Wl,-soname,libcurl.so.4.none", "-o", needed.toString(), source.toString());
            compile("-Wl,--no-as-needed", "-o", file.toString(), source.toString(), needed.toString());
        } catch (IOException noCompiler) {
            Assumptions.abort("no C compiler: " + noCompiler.getMessage());
        }
        assertEquals(1, doctor("--json", "--set", "libraries.mooncakeStore=" + file));
        JsonNode store = library("Mooncake store");
        assertTrue(store.get("cause").textValue().startsWith("libcurl.so.4.none: cannot open"), printed);
        assertEquals(
                "the system's package that has libcurl.so.4.none",
                store.get("install").textValue());
    }

    private static void compile(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("cc", "-shared", "-fPIC"));
        command.addAll(List.of(arguments));
        assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
    }

    @Test
    void shouldRefuseInOneLineWhenTheConfigurationIsWrong() {
        assertEquals(2, doctor("--set", "libraries.nixel=x"));
        assertTrue(printed.startsWith("unknown key: libraries.nixel"), printed);
    }
}
