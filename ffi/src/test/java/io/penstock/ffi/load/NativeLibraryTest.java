package io.penstock.ffi.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The C library's mathematics stand in for a native library: they are on every Linux. */
class NativeLibraryTest {
    private static final String MATH = "libm.so.6";
    private static final FunctionDescriptor COS =
            FunctionDescriptor.of(ValueLayout.JAVA_DOUBLE, ValueLayout.JAVA_DOUBLE);

    @TempDir
    Path folder;

    private static LibrarySpec spec(String file, String symbol) {
        return new LibrarySpec(
                "Trial", "trial", file, List.of("pkg*.libs/" + file), List.of(), List.of(symbol), null, "install it");
    }

    private static LibrarySearch search(Path library, String python, Path... dependencies) {
        return new LibrarySearch(library, python, List.of(dependencies), null);
    }

    /** A copy of the C library's mathematics, from where this process has them. */
    private static Path copyOfMath(Path to) throws IOException {
        // The JVM itself may not use it; a look-up by name maps it.
        assertTrue(NativeLibrary.find(spec(MATH, "cos"), LibrarySearch.SYSTEM).isAvailable());
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            Path from = Path.of(maps.filter(line -> line.endsWith("/" + MATH))
                    .map(line -> line.substring(line.indexOf('/')))
                    .findFirst()
                    .orElseThrow());
            Files.createDirectories(to.getParent());
            return Files.copy(from, to);
        }
    }

    /** An interpreter that answers what a Python would. */
    private Path interpreter(String script) throws IOException {
        Path python = Files.writeString(folder.resolve("python"), "#!/bin/sh\n" + script + "\n");
        return Files.setPosixFilePermissions(python, PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void shouldCallItsFunctionsWhenTheSystemHasIt() throws Throwable {
        NativeLibrary library = NativeLibrary.find(spec(MATH, "cos"), LibrarySearch.SYSTEM);
        assertEquals(LibraryState.FOUND, library.state());
        assertNull(library.cause());
        assertEquals(1.0, (double) library.bind("cos", COS).invokeExact(0.0));
    }

    @Test
    void shouldSayWhereItLookedWhenItIsNowhere() throws Exception {
        LibrarySpec spec = spec("libnowhere.so", "f");
        NativeLibrary library = NativeLibrary.find(spec, LibrarySearch.SYSTEM);
        assertEquals(LibraryState.ABSENT, library.state());
        assertEquals("libnowhere.so is not on the system's library path", library.cause());
        Path python = interpreter("echo " + folder);
        assertEquals(
                "not in the packages of libraries.python=" + python
                        + "; libnowhere.so is not on the system's library path",
                NativeLibrary.find(spec, search(null, python.toString())).cause());
        assertTrue(NativeLibrary.find(spec, new LibrarySearch(null, null, List.of(), "no network"))
                .cause()
                .endsWith("set-up: no network"));
    }

    @Test
    void shouldTryNothingElseWhenTheGivenPathIsWrong() {
        Path wrong = folder.resolve(MATH);
        NativeLibrary library = NativeLibrary.find(spec(MATH, "cos"), LibrarySearch.at(wrong));
        assertEquals(LibraryState.ABSENT, library.state());
        assertEquals("no such file: libraries.trial=" + wrong, library.cause());
    }

    @Test
    void shouldGiveTheLoadersReasonWhenTheFileIsNoLibrary() throws Exception {
        Path text = Files.writeString(folder.resolve("libtext.so"), "no library ".repeat(100));
        NativeLibrary library = NativeLibrary.find(spec("libtext.so", "f"), LibrarySearch.at(text));
        assertEquals(LibraryState.UNUSABLE, library.state());
        assertTrue(library.cause().contains("libtext.so: invalid ELF header"), library.cause());
    }

    @Test
    void shouldNameTheFunctionWhenItIsAnotherLibrary() {
        NativeLibrary library = NativeLibrary.find(spec(MATH, "store_create"), LibrarySearch.SYSTEM);
        assertEquals(LibraryState.UNUSABLE, library.state());
        assertTrue(library.cause().contains("no function store_create"), library.cause());
    }

    @Test
    void shouldSayTheCauseWhenAFunctionOfAnAbsentLibraryIsCalled() {
        NativeLibrary absent = NativeLibrary.find(spec("libnowhere.so", "f"), LibrarySearch.SYSTEM);
        Throwable thrown = assertThrows(UnsupportedOperationException.class, () -> {
            double none = (double) absent.bind("cos", COS).invokeExact(0.0);
            throw new AssertionError("an absent library answered " + none);
        });
        assertEquals("Trial is not available: libnowhere.so is not on the system's library path", thrown.getMessage());
        NativeLibrary found = NativeLibrary.find(spec(MATH, "cos"), LibrarySearch.SYSTEM);
        assertFalse(found.has("cosinus"));
        thrown = assertThrows(UnsupportedOperationException.class, () -> {
            double none = (double) found.bind("cosinus", COS).invokeExact(0.0);
            throw new AssertionError("a missing function answered " + none);
        });
        assertEquals("Trial has no function cosinus: " + MATH, thrown.getMessage());
    }

    @Test
    void shouldFindItWithItsVersionWhenAnInterpreterHasIt() throws Exception {
        String relative = "pkg_cu12.libs/" + MATH;
        Path packages = Files.createDirectories(folder.resolve("lib/site-packages"));
        Path library = copyOfMath(packages.resolve(relative));
        Path record = packages.resolve("trial_cu12-1.5.1.post3.dist-info/RECORD");
        Files.createDirectories(record.getParent());
        Files.writeString(record, "other.py,,\n" + relative + ",sha256=x,1\n");
        Path python = interpreter("echo /no/such/folder\necho " + packages);
        NativeLibrary found = NativeLibrary.find(spec(MATH, "cos"), search(null, python.toString()));
        assertEquals(LibraryState.FOUND, found.state(), found.cause());
        assertEquals(library.toString(), found.path());
        assertEquals("trial-cu12 1.5.1.post3", found.version());
    }

    @Test
    void shouldNameTheInterpreterWhenItDoesNotAnswer() throws Exception {
        Path python = interpreter("exit 3");
        String system = "; libnowhere.so is not on the system's library path";
        LibrarySpec spec = spec("libnowhere.so", "f");
        assertEquals(
                "ended with 3: libraries.python=" + python + system,
                NativeLibrary.find(spec, search(null, python.toString())).cause());
        assertEquals(
                LibraryState.UNUSABLE,
                NativeLibrary.find(spec, search(null, "/no/python")).state());
        assertEquals(
                "cannot be started: libraries.python=/no/python" + system,
                NativeLibrary.find(spec, search(null, "/no/python")).cause());
    }

    @Test
    void shouldSayWhichOneWhenADependencyDoesNotOpen() throws Exception {
        Path text = Files.writeString(folder.resolve("libneeded.so"), "no library ".repeat(100));
        NativeLibrary library = NativeLibrary.find(spec(MATH, "cos"), search(null, null, text));
        assertEquals(LibraryState.UNUSABLE, library.state());
        assertTrue(library.cause().contains("libneeded.so: invalid ELF header"), library.cause());
    }

    @Test
    void shouldOpenTheRealOnesWhenTheyAreInstalled() {
        NativeLibrary nixl = NativeLibrary.of(LibrarySpec.NIXL);
        assumeTrue(nixl.isAvailable(), nixl.cause());
        assertTrue(nixl.version().startsWith("nixl-cu12 "), nixl.version());
        NativeLibrary store = NativeLibrary.of(LibrarySpec.MOONCAKE_STORE);
        assumeTrue(store.isAvailable(), store.cause());
        assertTrue(store.version().startsWith("tokenspeed-mooncake "), store.version());
        assertFalse(NativeLibrary.use(LibrarySpec.NIXL, LibrarySearch.SYSTEM), "it is open already");
    }
}
