package io.penstock.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AllocationTest {
    private static final int WARM_UP = 25_000;
    private static final int MEASURED = 5_000;
    private static final int ROUNDS = 6;

    @TempDir
    Path folder;

    @Test
    void shouldAllocateNothingOnStoredRemovedAndMatchAfterWarmUp() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Traffic traffic = new Traffic(11, 200, 8, 40);
        List<Traffic.Operation> opening = traffic.opening();
        List<Traffic.Operation> script = Stream.generate(traffic::next)
                .filter(operation -> operation.kind() != Traffic.Operation.Kind.OPEN
                        && operation.kind() != Traffic.Operation.Kind.REMOVE_SLOT)
                .limit(2_000)
                .toList();
        long[][] queries = Stream.generate(() -> traffic.query(traffic.anyNode()))
                .limit(200)
                .toArray(long[][]::new);
        Overlaps overlaps = new Overlaps(64);
        try (OffHeapIndex index =
                OffHeapIndex.open(new IndexConfig(folder.resolve("index"), 16, 1 << 14, 1 << 16, 64))) {
            opening.forEach(operation -> operation.apply(index));
            run(index, script, queries, overlaps, WARM_UP);
            // What the code allocates shows in every round; a round in which the compiler works is no proof.
            long least = Long.MAX_VALUE;
            for (int round = 0; round < ROUNDS && least > 0; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                assertTrue(run(index, script, queries, overlaps, MEASURED) > 0);
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertEquals(0, least, "bytes allocated in " + MEASURED + " operations");
        }
    }

    private static long run(
            OffHeapIndex index, List<Traffic.Operation> script, long[][] queries, Overlaps overlaps, int operations) {
        long answers = 0;
        for (int i = 0; i < operations; i++) {
            script.get(i % script.size()).apply(index);
            long[] query = queries[i % queries.length];
            answers += index.match(query, query.length, overlaps);
            index.sweep(4);
        }
        return answers;
    }
}
