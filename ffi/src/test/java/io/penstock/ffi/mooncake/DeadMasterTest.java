package io.penstock.ffi.mooncake;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the real store does when its master is gone: why {@code dataplane/pool} asks on a thread of its own. */
class DeadMasterTest {
    private static final long DEADLINE_S = 30;

    @TempDir
    Path folder;

    @Test
    void shouldTellTheFailureInEachResultAndComeBackWhenTheMasterDies() {
        NativePackages.assumeStore();
        try (MasterProcess master = MasterProcess.start(folder)) {
            StoreClient probe = StoreClient.connect(master, 0);
            master.kill();
            // The call itself says 0.
            assertArrayEquals(
                    new int[] {StoreStatus.RPC_FAIL, StoreStatus.RPC_FAIL}, probe.batchIsExist(List.of("a", "b")));
            master.restart();
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_S);
            int[] again = probe.batchIsExist(List.of("a", "b"));
            while (again[0] < 0 && System.nanoTime() - deadline < 0) { // the same handle reconnects
                again = probe.batchIsExist(List.of("a", "b"));
            }
            assertArrayEquals(new int[] {0, 0}, again);
            probe.close();
        }
    }
}
