package io.penstock.dataplane.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.penstock.ffi.mooncake.MasterProcess;
import io.penstock.ffi.mooncake.NativePackages;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreProbeAllocationTest {
    private static final int NAMES = 64;
    private static final int WARM_PROBES = 1_500;
    private static final int PROBES = 200;

    @TempDir
    Path folder;

    @Test
    void shouldAllocateNothingOnEitherThreadWhenProbingTheRealStore() {
        NativePackages.assumeStore();
        try (MasterProcess master = MasterProcess.start(folder);
                MooncakeStore store = new MooncakeStore(master.rpcAddress(), 20_000)) {
            List<String> names = new ArrayList<>();
            for (int i = 0; i < NAMES; i++) {
                names.add("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08_" + i + "_k");
            }
            byte[] out = new byte[NAMES];
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (store.probe(names, out) == 0) {
                assertTrue(System.nanoTime() - deadline < 0, store.cause());
                Thread.onSpinWait();
            }
            probe(store, names, out, WARM_PROBES);
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long[] both = {
                Thread.currentThread().threadId(),
                Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().equals("pool-mooncake"))
                        .findFirst()
                        .orElseThrow()
                        .threadId()
            };
            long least = Long.MAX_VALUE;
            // The runtime now and then allocates a little on these threads: one clean round shows what a probe needs.
            for (int round = 0; round < 10 && least > 0; round++) {
                long before = allocated(threads, both);
                probe(store, names, out, PROBES);
                least = Math.min(least, allocated(threads, both) - before);
            }
            assertEquals(0, least, "bytes over " + PROBES + " probes of " + NAMES + " names");
        }
    }

    private static void probe(MooncakeStore store, List<String> names, byte[] out, int times) {
        for (int i = 0; i < times; i++) {
            assertEquals(NAMES, store.probe(names, out));
        }
    }

    private static long allocated(ThreadMXBean threads, long[] ids) {
        long sum = 0;
        for (long id : ids) {
            sum += threads.getThreadAllocatedBytes(id);
        }
        return sum;
    }
}
