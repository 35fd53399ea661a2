package io.penstock.ffi.mooncake;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the real store does when its master is gone: why {@code dataplane/pool} asks on a thread of its own. */
class DeadMasterTest {
    @TempDir
    Path folder;

    @Test
    void shouldTellTheFailureInEachResultAndComeBackWhenTheMasterDies() {
        NativePackages.assumeStore();
        try (MasterProcess master = MasterProcess.start(folder)) {
            StoreClient probe = StoreClient.connect(master, 0);
            master.kill();
            CompletableFuture<Integer> setUp = CompletableFuture.supplyAsync(() -> {
                MemorySegment store = LibMooncakeStore.create();
                int status = StoreClient.setup(store, master.rpcAddress(), 0);
                LibMooncakeStore.destroy(store);
                return status;
            });
            // The call itself says 0.
            assertArrayEquals(
                    new int[] {StoreStatus.RPC_FAIL, StoreStatus.RPC_FAIL}, probe.batchIsExist(List.of("a", "b")));
            assertEquals(StoreStatus.INVALID_PARAMS, setUp.join());
            master.restart();
            assertArrayEquals(new int[] {0, 0}, probe.batchIsExist(List.of("a", "b")));
            probe.close();
        }
    }
}
