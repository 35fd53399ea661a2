package io.penstock.bindings.mooncake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DamagedStoreEventsTest {
    @Test
    void shouldRefuseTheBatchWhenItIsCutOffAnywhere() {
        StoreEventCursor cursor = new StoreEventCursor();
        for (StoreRecording.Message message : StoreRecording.all()) {
            for (int cut = 0; cut < message.payload().length; cut++) {
                assertFalse(cursor.wrap(message.payload(), 0, cut), message.sequence() + " cut at " + cut);
                assertEquals(StoreEventCursor.END, cursor.next());
            }
        }
    }

    @Test
    void shouldStayWithinTheBatchWhenAnyByteIsFlipped() {
        StoreEventCursor cursor = new StoreEventCursor();
        for (StoreRecording.Message message : StoreRecording.all()) {
            byte[] damaged = message.payload().clone();
            for (int at = 0; at < damaged.length; at++) {
                for (int mask : new int[] {0x01, 0x80, 0xff, 0x10}) {
                    damaged[at] ^= (byte) mask;
                    walk(cursor, damaged, message.sequence() + " byte " + at);
                    damaged[at] ^= (byte) mask;
                }
            }
        }
    }

    @Test
    void shouldStayWithinTheBatchWhenManyBytesAreReplaced() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        StoreEventCursor cursor = new StoreEventCursor();
        List<StoreRecording.Message> messages = StoreRecording.all();
        int taken = 0;
        for (int round = 0; round < 20_000; round++) {
            byte[] damaged =
                    messages.get(random.nextInt(messages.size())).payload().clone();
            for (int i = random.nextInt(8); i >= 0; i--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            taken += walk(cursor, damaged, "round " + round) ? 1 : 0;
        }
        assertTrue(taken > 0 && taken < 20_000, "taken: " + taken);
    }

    private static boolean walk(StoreEventCursor cursor, byte[] payload, String name) {
        boolean whole = cursor.wrap(payload, 0, payload.length);
        int kind = cursor.next();
        for (int events = 0; kind != StoreEventCursor.END; events++) {
            assertTrue(whole && events < cursor.events(), name);
            within(payload, cursor.tenantOffset(), cursor.tenantLength(), name);
            within(payload, cursor.nameOffset(), cursor.nameLength(), name);
            within(payload, cursor.groupOffset(), cursor.groupLength(), name);
            if (kind == StoreEventCursor.STORED || kind == StoreEventCursor.REMOVED) {
                assertTrue(cursor.nameLength() > 0, name);
            }
            assertEquals(kind == StoreEventCursor.SKIPPED, cursor.skipReason() != null, name);
            kind = cursor.next();
        }
        return whole;
    }

    private static void within(byte[] payload, int offset, int length, String name) {
        assertTrue(offset >= 0 && length >= 0 && length <= payload.length - (length == 0 ? 0 : offset), name);
    }
}
