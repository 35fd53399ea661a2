package io.penstock.index;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.index.read.LiveReader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link LiveReader#names}: what an engine calls the blocks that others call otherwise. */
class NamesBesideTheWriterTest {
    private static final LongUnaryOperator MOST = local -> local * 3 + 1;
    private static final LongUnaryOperator ONE_ENGINE = local -> local * 5 + 2;

    @TempDir
    Path folder;

    private OffHeapIndex open() {
        return OffHeapIndex.open(new IndexConfig(folder.resolve("index"), 16, 1 << 14, 1 << 16, 8));
    }

    private static long[] locals(int from, int count) {
        long[] locals = new long[count];
        Arrays.setAll(locals, i -> from + i + 1L);
        return locals;
    }

    private static long[] sequences(long[] locals) {
        long[] sequences = locals.clone();
        for (int i = 1; i < locals.length; i++) {
            sequences[i] = ChainHash.next(sequences[i - 1], locals[i]);
        }
        return sequences;
    }

    private static long[] named(long[] locals, LongUnaryOperator engine) {
        return Arrays.stream(locals).map(engine).toArray();
    }

    private static void store(OffHeapIndex index, int slot, long[] locals, LongUnaryOperator engine) {
        index.stored(slot, Tier.DEVICE, true, 0, named(locals, engine), locals, 0, locals.length);
    }

    @Test
    void shouldGiveEachEnginesOwnNamesOverSeveralRuns() {
        long[] locals = locals(0, 1_300);
        try (OffHeapIndex index = open()) {
            int first = index.openSlot("a", 0);
            int second = index.openSlot("b", 0);
            store(index, first, locals, MOST);
            store(index, second, locals, ONE_ENGINE);
            LiveReader reader = index.reader();
            long[] out = new long[locals.length];
            assertEquals(1_300, reader.names(sequences(locals), 1_300, first, out));
            assertTrue(reader.complete());
            assertArrayEquals(named(locals, MOST), out);
            assertEquals(1_300, reader.names(sequences(locals), 1_300, second, out));
            assertArrayEquals(named(locals, ONE_ENGINE), out);
        }
    }

    @Test
    void shouldEndWhereTheEngineHasNoName() {
        long[] locals = locals(0, 40);
        try (OffHeapIndex index = open()) {
            int first = index.openSlot("a", 0);
            int second = index.openSlot("b", 0);
            store(index, first, locals, MOST);
            store(index, second, Arrays.copyOf(locals, 10), ONE_ENGINE);
            LiveReader reader = index.reader();
            long[] out = new long[40];
            assertEquals(10, reader.names(sequences(locals), 40, second, out));
            assertEquals(25, reader.names(sequences(locals), 25, first, out));
            assertEquals(0, reader.names(sequences(locals), 40, 7, out));
            assertEquals(0, reader.names(sequences(locals(900, 3)), 3, first, out));
        }
    }

    @Test
    void shouldGiveBackAnEngineHashOfZero() {
        long[] locals = locals(0, 3);
        try (OffHeapIndex index = open()) {
            int slot = index.openSlot("a", 0);
            store(index, slot, locals, local -> local - 1);
            long[] out = {9, 9, 9};
            assertEquals(3, index.reader().names(sequences(locals), 3, slot, out));
            assertArrayEquals(new long[] {0, 1, 2}, out);
        }
    }

    @Test
    void shouldSayThatTheIndexIsClosed() {
        OffHeapIndex index = open();
        LiveReader reader = index.reader();
        index.close();
        assertEquals(LiveReader.UNREADABLE, reader.names(new long[1], 1, 0, new long[1]));
        assertFalse(reader.complete());
    }

    @Test
    void shouldNeverGiveANameOfAnotherBlockWhileTheWriterWorks() throws InterruptedException {
        long[] locals = locals(0, 700);
        long[] wanted = named(locals, MOST);
        try (OffHeapIndex index = open()) {
            int kept = index.openSlot("a", 0);
            int other = index.openSlot("b", 0);
            store(index, kept, Arrays.copyOf(locals, 300), MOST);
            AtomicReference<String> wrong = new AtomicReference<>();
            Thread reader = new Thread(() -> wrong.set(readUntilInterrupted(index, locals, wanted, kept)));
            reader.start();
            for (int round = 0; round < 2_000; round++) {
                int slot = round % 3 == 0 ? kept : other;
                int from = 10 * (round % 60);
                index.stored(slot, Tier.DEVICE, from == 0, from == 0 ? 0 : wanted[from - 1], wanted, locals, from, 60);
                index.removed(other, Tier.DEVICE, wanted, from / 2, 50);
                if (round % 50 == 0) {
                    index.clearSlot(other);
                    index.sweep(50);
                }
            }
            reader.interrupt();
            reader.join();
            assertEquals("", wrong.get());
        }
    }

    private static String readUntilInterrupted(OffHeapIndex index, long[] locals, long[] wanted, int slot) {
        long[] sequences = sequences(locals);
        long[] out = new long[locals.length];
        LiveReader reader = index.reader();
        int most = 0;
        do {
            int named = reader.names(sequences, sequences.length, slot, out);
            most = Math.max(most, named);
            for (int i = 0; i < named; i++) {
                if (out[i] != wanted[i]) {
                    return "block " + i + " is called " + out[i];
                }
            }
        } while (!Thread.currentThread().isInterrupted());
        return most == 0 ? "nothing was read" : "";
    }
}
