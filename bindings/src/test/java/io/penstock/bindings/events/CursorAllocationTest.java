package io.penstock.bindings.events;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import io.penstock.bindings.sglang.SglangEventCursor;
import io.penstock.bindings.vllm.VllmEventCursor;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

class CursorAllocationTest {
    private final KvEventCursor vllm = new VllmEventCursor();
    private final KvEventCursor sglang = new SglangEventCursor();

    @Test
    void shouldAllocateNothingWhenColumnsHaveGrown() {
        List<Recordings.Frame> frames = Recordings.all();
        Recordings.Frame[] warm = frames.toArray(Recordings.Frame[]::new);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long sum = 0;
        for (int i = 0; i < 200; i++) {
            sum += walk(warm);
        }
        long thread = Thread.currentThread().threadId();
        long least = Long.MAX_VALUE;
        // The runtime now and then allocates a little on this thread: one clean round shows what the cursor needs.
        for (int round = 0; round < 10 && least > 0; round++) {
            long before = threads.getThreadAllocatedBytes(thread);
            for (int i = 0; i < 50; i++) {
                sum += walk(warm);
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        assertEquals(0, least, "bytes over " + 50 * warm.length + " batches, checksum " + sum);
    }

    private long walk(Recordings.Frame[] frames) {
        long sum = 0;
        for (int i = 0; i < frames.length; i++) {
            KvEventCursor cursor = frames[i].sglang() ? sglang : vllm;
            byte[] payload = frames[i].payload();
            cursor.wrap(payload, 0, payload.length);
            for (int kind = cursor.next(); kind > KvEventCursor.END; kind = cursor.next()) {
                for (int block = 0; block < cursor.count(); block++) {
                    sum += cursor.hash(block);
                }
            }
        }
        return sum;
    }
}
