package io.penstock.ffi.mooncake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library watches signals too; a process that has it open must still end in its own order. */
class StoreSignalTest {
    private static final int TERMINATED = 128 + 15;

    @TempDir
    Path folder;

    @Test
    void shouldRunTheShutdownHooksWhenTerminatedWithAStoreSetUp() throws Exception {
        NativePackages.assumeStore();
        try (MasterProcess master = MasterProcess.start(folder)) {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "--enable-native-access=ALL-UNNAMED",
                            "-Dpenstock.libraries.env=" + System.getProperty("penstock.libraries.env", ""),
                            "-cp",
                            System.getProperty("java.class.path"),
                            WithStore.class.getName(),
                            master.rpcAddress())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (BufferedReader lines = process.inputReader()) {
                assertEquals("0", lines.readLine());
                process.toHandle().destroy(); // Process.destroy would close its output
                assertEquals("hook", lines.readLine());
                assertEquals(TERMINATED, process.waitFor());
            } finally {
                process.destroyForcibly();
            }
            assertTrue(master.isAlive());
        }
    }

    /** A process with a store that asked for an object. */
    static final class WithStore {
        private WithStore() {}

        public static void main(String[] args) throws InterruptedException {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
            StoreClient store = StoreClient.connect(args[0], 0);
            System.out.println(store.isExist("any"));
            Thread.currentThread().join();
        }
    }
}
