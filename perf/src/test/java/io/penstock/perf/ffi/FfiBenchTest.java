package io.penstock.perf.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.ffi.load.LibrarySpec;
import io.penstock.ffi.load.NativeLibrary;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FfiBenchTest {
    private static final Path ROOT = Path.of(System.getProperty("penstock.root"));

    @TempDir
    Path empty;

    @Test
    void shouldGiveEveryCallsFiguresWhenTheLibrariesAreInstalled() throws Exception {
        NativeLibrary nixl = NativeLibrary.of(LibrarySpec.NIXL);
        assumeTrue(nixl.isAvailable(), nixl.cause());
        Path folder = Path.of(System.getProperty("penstock.libraries.env")).getParent();
        Packages packages = Packages.in(folder);
        StringWriter printed = new StringWriter();
        Map<String, Object> figures = new FfiBench(ROOT, folder, 1, 0.01, new PrintWriter(printed)).run();
        List<TimedCall> expected = new ArrayList<>(TimedCall.NIXL);
        expected.addAll(TimedCall.NIXL_PATHS);
        if (packages.has("MOONCAKE_STORE") && packages.has("MOONCAKE_MASTER")) {
            expected.addAll(TimedCall.STORE);
            expected.addAll(TimedCall.STORE_PATHS);
        }
        Map<?, ?> left = (Map<?, ?>) figures.get("leftOut");
        for (TimedCall call : expected) {
            assertTrue((double) figures.get(call.name() + ".javaNs") > 0, call.name());
            boolean compared = !call.name().startsWith("path.");
            assertEquals(compared && !left.containsKey("C"), figures.containsKey(call.name() + ".javaByC"));
            assertEquals(compared && !left.containsKey("ctypes"), figures.containsKey(call.name() + ".javaByCtypes"));
            assertTrue(printed.toString().contains(call.title()), call.title());
        }
    }

    @Test
    void shouldSayWhatToRunWhenNothingIsInstalled() {
        Exception refused = assertThrows(
                IllegalArgumentException.class, () -> new FfiBench(ROOT, empty, 1, 1, new PrintWriter(System.out)));
        assertTrue(refused.getMessage().contains("perf/native/setup.sh"), refused.getMessage());
        assertFalse(refused.getMessage().contains("\n"));
    }
}
