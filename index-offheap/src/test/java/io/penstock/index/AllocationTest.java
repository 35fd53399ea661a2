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
    private static final int WARM_UP = 40_000;
    private static final int MEASURED = 10_000;

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
        long[][] queries = Stream.generate(() -> traffic.query(traffic.anyNode())).limit(200).toArray(long[][]::new);
        Overlaps overlaps = new Overlaps(64);
        try (OffHeapIndex index =
                OffHeapIndex.open(new IndexConfig(folder.resolve("index"), 16, 1 << 14, 1 << 16, 64))) {
            opening.forEach(operation -> operation.apply(index));
            run(index, script, queries, overlaps, WARM_UP);
            long before = threads.getCurrentThreadAllocatedBytes();
            long answers = run(index, script, queries, overlaps, MEASURED);
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertTrue(answers > 0);
            assertEquals(0, allocated, "bytes allocated in " + MEASURED + " operations");
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
