package io.penstock.dataplane.pool;

import static io.penstock.dataplane.pool.SharedPool.ABSENT;
import static io.penstock.dataplane.pool.SharedPool.PRESENT;
import static io.penstock.dataplane.pool.SharedPool.UNKNOWN;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.penstock.ffi.load.LibrarySpec;
import io.penstock.ffi.load.NativeLibrary;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files asked for through the real NIXL. */
class NixlStoreTest {
    @TempDir
    Path folder;

    @BeforeAll
    static void needsNixl() {
        NativeLibrary library = NativeLibrary.of(LibrarySpec.NIXL);
        assumeTrue(library.isAvailable(), () -> "without NIXL: " + library.cause());
    }

    private static byte[] probe(SharedPool store, String... names) {
        byte[] out = new byte[names.length];
        store.probe(List.of(names), out);
        return out;
    }

    @Test
    void shouldTellWhichObjectsThereAre() throws IOException {
        Files.createFile(folder.resolve("kv-a.bin"));
        Files.createFile(folder.resolve("kv-é世.bin"));
        try (NixlStore store = NixlStore.open(folder + "/kv-{name}.bin")) {
            assertArrayEquals(new byte[] {PRESENT, ABSENT, PRESENT}, probe(store, "a", "b", "é世"));
            Files.delete(folder.resolve("kv-a.bin"));
            Files.createFile(folder.resolve("kv-b.bin"));
            assertArrayEquals(new byte[] {ABSENT, PRESENT}, probe(store, "a", "b"));
            assertFalse(store.probeRenewsLeases());
            assertEquals("files through NIXL: " + folder + "/kv-{name}.bin", store.describe());
        }
    }

    @Test
    void shouldKnowNothingWhileTheFolderIsNotThere() throws IOException {
        Path share = folder.resolve("share");
        try (NixlStore store = NixlStore.open(share + "/{name}")) {
            byte[] out = new byte[2];
            assertEquals(0, store.probe(List.of("a", "b"), out));
            assertArrayEquals(new byte[] {UNKNOWN, UNKNOWN}, out);
            Files.createDirectory(share);
            Files.createFile(share.resolve("b"));
            assertEquals(2, store.probe(List.of("a", "b"), out));
            assertArrayEquals(new byte[] {ABSENT, PRESENT}, out);
        }
    }

    @Test
    void shouldNeverAskOutsideOfTheFolder() throws IOException {
        Path inner = Files.createDirectory(folder.resolve("inner"));
        Files.createFile(folder.resolve("secret"));
        Files.createFile(inner.resolve("a"));
        try (NixlStore store = NixlStore.open(inner + "/{name}")) {
            assertArrayEquals(
                    new byte[] {UNKNOWN, PRESENT, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN},
                    probe(store, "../secret", "a", "..", ".", "", "a\0", "x".repeat(2_000)));
        }
    }

    @Test
    void shouldAskForAnyNumberAtOnce() throws IOException {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 2_500; i++) {
            names.add(i % 100 == 7 ? "no/name" : "object-" + i);
            if (i % 3 == 0) {
                Files.createFile(folder.resolve("object-" + i));
            }
        }
        byte[] out = new byte[names.size()];
        try (NixlStore store = NixlStore.open(folder + "/{name}")) {
            assertEquals(2_475, store.probe(names, out));
        }
        for (int i = 0; i < out.length; i++) {
            byte wanted = i % 100 == 7 ? UNKNOWN : i % 3 == 0 ? PRESENT : ABSENT;
            assertEquals(wanted, out[i], names.get(i));
        }
    }

    @Test
    void shouldAllocateNothing() throws IOException {
        Files.createFile(folder.resolve("a"));
        List<String> names = List.of("a", "b");
        byte[] out = new byte[2];
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        try (NixlStore store = NixlStore.open(folder + "/{name}")) {
            for (int i = 0; i < 20_000; i++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                store.probe(names, out);
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
        }
        assertEquals(0, least);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{name}", "x/{name}", "/x/y", "/x/{name}/y", "/x/{name}{name}"})
    void shouldRefuseATemplateThatNamesNoFile(String template) {
        String refused = assertThrows(IllegalArgumentException.class, () -> NixlStore.open(template))
                .getMessage();
        assertTrue(refused.endsWith("template=" + template), refused);
    }
}
