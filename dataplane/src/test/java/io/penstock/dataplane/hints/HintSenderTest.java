package io.penstock.dataplane.hints;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.penstock.bindings.kvhint.HintAnswer;
import io.penstock.bindings.kvhint.HintMessage;
import io.penstock.bindings.kvhint.HintOutcome;
import io.penstock.bindings.kvhint.HintText;
import io.penstock.bindings.kvhint.KvFetch;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.workers.HintSite;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sending side over a wire that does what a test says: what a real peer cannot be told to do. */
class HintSenderTest {
    @TempDir
    Path folder;

    private final HintBench bench = new HintBench();

    @AfterEach
    void close() {
        bench.close();
    }

    /** Keeps what is sent, and brings what the test puts in. */
    private static final class ScriptedWire implements HintWire {
        final List<String> sent = new CopyOnWriteArrayList<>();
        final LinkedBlockingQueue<String> incoming = new LinkedBlockingQueue<>();
        volatile boolean reachable = true;

        @Override
        public boolean deliver(HintSite target, HintText message) {
            return reachable && sent.add(message.toString());
        }

        @Override
        public int poll(Answers answers) {
            int count = 0;
            for (String next = incoming.poll(); next != null; next = incoming.poll()) {
                byte[] bytes = next.getBytes(StandardCharsets.UTF_8);
                answers.message(bytes, bytes.length);
                count++;
            }
            return count;
        }

        @Override
        public void tick(long nowNs) {}

        void answer(String messageId, HintOutcome outcome, int blocks) {
            HintText text = new HintText();
            text.beginMessage("engine", 1);
            new HintAnswer(messageId, "0", outcome, blocks).encode(text, "0");
            text.endMessage();
            incoming.add(text.toString());
        }
    }

    private final ScriptedWire wire = new ScriptedWire();

    private HintSender sender(HintQueue queue, long timeoutNs) {
        return new HintSender(
                queue,
                bench.hints(4_096),
                wire,
                new PendingHints(bench.log, 8, timeoutNs),
                bench.log,
                HintBench.PREFIX,
                bench.errors::add);
    }

    private void order(HintQueue queue, HintSender sender, int blocks, int held) {
        HintOrder order = queue.claim();
        assertNotNull(order);
        bench.fill(order, blocks, held);
        queue.publish(order);
        sender.wake();
    }

    @Test
    void shouldNameTheSourcesBlocksAndCountWhatBecameOfThem() throws Exception {
        bench.open(folder);
        HintQueue queue = new HintQueue(4);
        try (HintSender sender = sender(queue, Long.MAX_VALUE / 2)) {
            sender.start();
            HintOutcome[] outcomes = HintOutcome.values();
            for (int i = 0; i < outcomes.length; i++) {
                order(queue, sender, 20, 4);
                int sent = i + 1;
                HintBench.until("hint " + sent, () -> wire.sent.size() == sent);
                wire.answer(HintBench.PREFIX + "-" + sent, outcomes[i], 16);
                HintBench.until("row " + sent, () -> bench.rows.size() == 2 * sent);
                assertEquals("kv.fetch " + outcomes[i].label(), bench.rows.getLast().action);
                assertEquals(16, bench.rows.getLast().amount);
            }
        }
        byte[] first = wire.sent.getFirst().getBytes(StandardCharsets.UTF_8);
        KvFetch fetch = KvFetch.decode(
                HintMessage.decode(first, 0, first.length).actions().getFirst());
        assertEquals("tcp://source:7", fetch.sourceControlEndpoint());
        assertEquals(
                HintBench.engineHashes(20),
                List.of(java.util.Arrays.stream(fetch.blockHashes()).boxed().toArray(Long[]::new)));
        TraceRecord row = bench.rows.getFirst();
        assertEquals(TraceRecord.Kind.HINT, row.kind);
        assertEquals("kv.fetch sent", row.action);
        assertEquals(20, row.amount);
        assertEquals("r-1", row.requestId);
        assertEquals("target", row.worker);
        assertEquals(5, bench.count(Counter.HINTS_SENT));
        for (Counter counter : List.of(
                Counter.HINTS_ACCEPTED,
                Counter.HINTS_CLIPPED,
                Counter.HINTS_IGNORED,
                Counter.HINTS_UNSUPPORTED,
                Counter.HINTS_REJECTED)) {
            assertEquals(1, bench.count(counter), counter.label());
        }
        assertEquals(List.of(), bench.errors);
    }

    @Test
    void shouldGiveUpOnAnAnswerThatDoesNotCome() throws Exception {
        bench.open(folder);
        HintQueue queue = new HintQueue(4);
        try (HintSender sender = sender(queue, 1)) {
            sender.start();
            order(queue, sender, 20, 4);
            HintBench.until("gave up", () -> bench.count(Counter.HINTS_UNANSWERED) == 1);
            wire.answer(HintBench.PREFIX + "-1", HintOutcome.ACCEPTED, 16);
            HintBench.until("too late", () -> bench.count(Counter.HINT_ANSWERS_STRAY) == 1);
        }
        assertEquals(0, bench.count(Counter.HINTS_ACCEPTED));
    }

    @Test
    void shouldCountWhatNobodyAskedForAndGoOn() throws Exception {
        bench.open(folder);
        HintQueue queue = new HintQueue(4);
        try (HintSender sender = sender(queue, Long.MAX_VALUE / 2)) {
            sender.start();
            wire.incoming.add("not JSON");
            wire.incoming.add("");
            wire.answer("somebody-else-1", HintOutcome.ACCEPTED, 1);
            wire.answer(HintBench.PREFIX + "-x", HintOutcome.ACCEPTED, 1);
            wire.answer(HintBench.PREFIX + "--1", HintOutcome.ACCEPTED, 1);
            HintBench.until("strays", () -> bench.count(Counter.HINT_ANSWERS_STRAY) == 5);
            order(queue, sender, 20, 4);
            HintBench.until("hint", () -> wire.sent.size() == 1);
        }
        assertEquals(List.of(), bench.errors);
    }

    @Test
    void shouldNotSendWhatTheTargetHoldsOrNobodyCanName() throws Exception {
        bench.open(folder);
        HintQueue queue = new HintQueue(4);
        try (HintSender sender = sender(queue, Long.MAX_VALUE / 2)) {
            sender.start();
            order(queue, sender, 20, HintBench.NAMED);
            HintBench.until("nothing to name", () -> bench.count(Counter.HINTS_UNNAMED) == 1);
            wire.reachable = false;
            order(queue, sender, 20, 4);
            HintBench.until("not delivered", () -> bench.count(Counter.HINTS_UNDELIVERED) == 1);
        }
        assertTrue(wire.sent.isEmpty());
        assertEquals("kv.fetch undelivered", bench.rows.getLast().action);
    }

    @Test
    void shouldDropOrdersBeyondTheQueueAndTakeNewOnesWhenThoseAreGone() {
        HintQueue queue = new HintQueue(2);
        HintFollower follower = new HintFollower(queue, bench.log, () -> {});
        for (int i = 0; i < 5; i++) {
            follower.onEvent(bench.decision(), i, true);
        }
        assertEquals(3, bench.count(Counter.HINTS_DROPPED));
        HintOrder first = queue.poll();
        assertEquals("r-1", first.requestId);
        queue.release(first);
        assertNull(first.hashes);
        follower.onEvent(bench.decision(), 5, true);
        assertEquals(3, bench.count(Counter.HINTS_DROPPED));
    }

    @Test
    void shouldLetTheOldestGoWhenTooManyWait() {
        PendingHints pending = new PendingHints(bench.log, 2, Long.MAX_VALUE / 2);
        HintOrder order = new HintOrder();
        bench.fill(order, 20, 4);
        for (long number = 1; number <= 3; number++) {
            pending.add(number, order, 20, 0);
        }
        assertEquals(1, bench.count(Counter.HINTS_UNANSWERED));
        assertTrue(pending.answered(2, HintOutcome.CLIPPED, 3));
        assertTrue(!pending.answered(2, HintOutcome.CLIPPED, 3) && !pending.answered(1, HintOutcome.CLIPPED, 3));
        assertTrue(pending.answered(3, HintOutcome.ACCEPTED, 20));
        assertTrue(pending.isEmpty());
    }

    @Test
    void shouldAllocateNothingButTheJournalRow() throws Exception {
        bench.open(folder);
        HintQueue queue = new HintQueue(4);
        FetchHints hints = new FetchHints(bench.silent, bench.readers(), 4_096, HintBench.PREFIX, new AtomicLong());
        HintFollower follower = new HintFollower(queue, bench.silent, () -> {});
        var decision = bench.decision();
        byte[] copy = new byte[1 << 16];
        HintDelivery delivery = (target, text) -> {
            System.arraycopy(text.bytes(), 0, copy, 0, text.length());
            return true;
        };
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        TraceRecord[] kept = new TraceRecord[1];
        long row = Long.MAX_VALUE;
        long all = Long.MAX_VALUE;
        for (int i = 0; i < 3_000; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            follower.onEvent(decision, i, true);
            HintOrder order = queue.poll();
            hints.tell(order, delivery);
            queue.release(order);
            all = Math.min(all, threads.getCurrentThreadAllocatedBytes() - before);
            before = threads.getCurrentThreadAllocatedBytes();
            kept[0] = new TraceRecord();
            row = Math.min(row, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertNotNull(kept[0]);
        assertEquals(row, all);
    }
}
