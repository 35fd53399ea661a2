package io.penstock.dataplane.sinks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.bindings.harness.AgentContext;
import io.penstock.dataplane.journal.TraceRecord;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SinkLaneTest {
    private static final TraceSettings SETTINGS = TraceSettings.of(Map.of("DYN_REQUEST_TRACE", "1"));

    private final SinkCounts counts = new SinkCounts();
    private final SinkCounts.OfSink of = counts.of(TraceSettings.Sink.FILE);
    private final GatedSink sink = new GatedSink();

    /** A sink that stands in its first row until it is let on. */
    private static final class GatedSink implements TraceSink {
        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch gate = new CountDownLatch(1);
        final List<String> ids = new CopyOnWriteArrayList<>();
        final CountDownLatch closed = new CountDownLatch(1);
        volatile int failures;
        long lost;

        @Override
        public void write(DynamoRow row) throws IOException {
            entered.countDown();
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            if (failures > 0) {
                failures--;
                lost++;
                throw new IOException("disk full");
            }
            ids.add(row.requestId());
        }

        @Override
        public void flush() {
            // Nothing waits.
        }

        @Override
        public long flushIntervalMs() {
            return 1;
        }

        @Override
        public long takeLost() {
            long taken = lost;
            lost = 0;
            return taken;
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }

    private SinkLane lane(int capacity) {
        SinkLane lane = new SinkLane("file", sink, capacity, of);
        lane.start();
        return lane;
    }

    private RowsOfRecord rows(int id) {
        return new RowsOfRecord(TraceRecords.request("r" + id, AgentContext.NONE), SETTINGS, counts);
    }

    private static long in(long ms) {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
    }

    @Test
    void shouldLoseTheOldestAndCountThemWhenTheSinkIsBehind() throws Exception {
        SinkLane lane = lane(3);
        lane.offer(rows(0));
        sink.entered.await();
        IntStream.rangeClosed(1, 8).forEach(id -> lane.offer(rows(id)));
        assertEquals(5, of.dropped.sum());
        sink.gate.countDown();
        lane.end();
        lane.await(in(20_000));

        assertEquals(List.of("r0", "r6", "r7", "r8"), sink.ids);
        assertEquals(4, of.rows.sum());
        assertEquals(5, of.dropped.sum());
        assertTrue(sink.closed.await(0, TimeUnit.SECONDS));
    }

    @Test
    void shouldLoseTheOldestWhenTooManyBytesWait() throws Exception {
        SinkLane lane = lane(100);
        lane.offer(rows(0));
        sink.entered.await();
        byte[] large = new byte[50 << 20];
        for (int id = 1; id <= 4; id++) {
            TraceRecord record = TraceRecords.request("r" + id, AgentContext.NONE);
            record.requestPayload = large;
            lane.offer(new RowsOfRecord(record, SETTINGS, counts));
        }
        sink.gate.countDown();
        lane.end();
        lane.await(in(20_000));

        assertEquals(List.of("r0", "r3", "r4"), sink.ids);
        assertEquals(2, of.dropped.sum());
    }

    @Test
    void shouldWriteAllThatWaitsAtTheEnd() throws Exception {
        SinkLane lane = lane(100);
        IntStream.range(0, 100).forEach(id -> lane.offer(rows(id)));
        lane.end();
        sink.gate.countDown();
        lane.await(in(20_000));

        assertEquals(100, sink.ids.size());
        assertEquals(0, of.dropped.sum());
    }

    @Test
    void shouldGiveUpAndCountTheRestWhenTheSinkHangs() throws Exception {
        SinkLane lane = lane(10);
        lane.offer(rows(0));
        sink.entered.await();
        IntStream.rangeClosed(1, 4).forEach(id -> lane.offer(rows(id)));
        lane.end();
        lane.await(in(10));

        assertEquals(4, of.dropped.sum());
        assertTrue(sink.closed.await(20, TimeUnit.SECONDS), "the thread ends");
        assertFalse(sink.ids.contains("r1"));
    }

    @Test
    void shouldLoseOnlyTheRowThatFailed() throws Exception {
        sink.failures = 1;
        sink.gate.countDown();
        SinkLane lane = lane(10);
        lane.offer(rows(1));
        lane.offer(rows(2));
        lane.end();
        lane.await(in(20_000));

        assertEquals(List.of("r2"), sink.ids);
        assertEquals(1, of.failed.sum());
    }

    @Test
    void shouldCountByReasonWhatDynamoSkips() throws Exception {
        TraceRecord several = TraceRecords.request("r1", AgentContext.NONE);
        several.choices.add(new TraceRecord.ChoiceEnd(1, "stop", null));
        TraceRecord hint = new TraceRecord();
        hint.kind = TraceRecord.Kind.HINT;
        sink.gate.countDown();
        SinkLane lane = lane(10);
        lane.offer(new RowsOfRecord(several, SETTINGS, counts));
        lane.offer(new RowsOfRecord(hint, SETTINGS, counts));
        lane.end();
        lane.await(in(20_000));

        assertEquals(List.of(), sink.ids);
        assertEquals(1, counts.skipped(SkippedRow.SEVERAL_CHOICES).sum());
        assertEquals(1, counts.skipped(SkippedRow.NOT_IN_DYNAMO).sum());
    }

    @Test
    void shouldTellOnlyTheRowsAskedForAndContentOnlyWhereItIsThere() {
        TraceSettings content = TraceSettings.of(Map.of("DYN_REQUEST_TRACE_RECORDS", "request_payload"));
        TraceRecord record = TraceRecords.request("r1", AgentContext.NONE);
        assertEquals(List.of(), new RowsOfRecord(record, content, counts).rows());
        record.requestPayload = "{}".getBytes(java.nio.charset.StandardCharsets.UTF_8);
        List<DynamoRow> rows = new RowsOfRecord(record, content, counts).rows();
        assertEquals(1, rows.size());
        assertEquals(DynamoEvent.REQUEST_PAYLOAD, rows.getFirst().event());
        assertEquals(
                List.of(DynamoEvent.REQUEST_END),
                new RowsOfRecord(record, SETTINGS, counts)
                        .rows().stream().map(DynamoRow::event).toList());
        TraceRecord tool = TraceRecords.tool(TraceRecord.Kind.TOOL_END, "s", "c");
        assertEquals(List.of(), new RowsOfRecord(tool, content, counts).rows());
        assertEquals(1, new RowsOfRecord(tool, SETTINGS, counts).rows().size());
    }
}
