package io.penstock.bindings.mooncake;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class StoreCursorAllocationTest {
    private final StoreEventCursor cursor = new StoreEventCursor();

    @Test
    void shouldAllocateNothingWhenBatchesAreWalked() {
        byte[][] payloads = StoreRecording.all().stream()
                .map(StoreRecording.Message::payload)
                .toArray(byte[][]::new);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long sum = 0;
        for (int i = 0; i < 2_000; i++) {
            sum += walk(payloads);
        }
        long thread = Thread.currentThread().threadId();
        long least = Long.MAX_VALUE;
        // The runtime now and then allocates a little on this thread: one clean round shows what the cursor needs.
        for (int round = 0; round < 10 && least > 0; round++) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int i = 0; i < 200; i++) {
                sum += walk(payloads);
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        assertEquals(0, least, "bytes over " + 200 * payloads.length + " batches, checksum " + sum);
    }

    private long walk(byte[][] payloads) {
        long sum = 0;
        for (int i = 0; i < payloads.length; i++) {
            cursor.wrap(payloads[i], 0, payloads[i].length);
            for (int kind = cursor.next(); kind != StoreEventCursor.END; kind = cursor.next()) {
                sum += kind + cursor.nameLength();
            }
        }
        return sum;
    }
}
