package io.penstock.bindings.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DamagedFramesTest {
    @Test
    void shouldRefuseTheBatchWhenItIsCutOffAnywhere() {
        for (Recordings.Frame frame : Recordings.all()) {
            KvEventCursor cursor = frame.cursor();
            for (int cut = 0; cut < frame.payload().length; cut++) {
                assertFalse(cursor.wrap(frame.payload(), 0, cut), frame.name() + " cut at " + cut);
                assertEquals(KvEventCursor.MALFORMED, cursor.next());
                assertEquals(KvEventCursor.MALFORMED, cursor.next());
            }
        }
    }

    @Test
    void shouldStayWithinItsColumnsWhenAnyByteIsFlipped() {
        for (Recordings.Frame frame : Recordings.all()) {
            KvEventCursor cursor = frame.cursor();
            byte[] damaged = frame.payload().clone();
            for (int at = 0; at < damaged.length; at++) {
                for (int mask : new int[] {0x01, 0x80, 0xff, 0x10}) {
                    damaged[at] ^= (byte) mask;
                    walk(cursor, damaged, frame.name() + " byte " + at);
                    damaged[at] ^= (byte) mask;
                }
            }
            assertTrue(Arrays.equals(damaged, frame.payload()));
        }
    }

    private static void walk(KvEventCursor cursor, byte[] payload, String name) {
        if (!cursor.wrap(payload, 0, payload.length)) {
            assertEquals(KvEventCursor.MALFORMED, cursor.next(), name);
            return;
        }
        int kind = cursor.next();
        for (int events = 0; kind > KvEventCursor.END; events++) {
            assertTrue(events <= payload.length, name);
            if (kind == KvEventCursor.STORED) {
                assertTrue(cursor.tier() >= 0 && cursor.tier() < 4, name);
                int perToken = cursor.bigram() ? 2 : 1;
                assertTrue((long) cursor.count() * cursor.blockSize() * perToken <= cursor.tokens().length, name);
                assertTrue(cursor.adapterOffset() + cursor.adapterLength() <= payload.length, name);
                assertTrue(cursor.saltOffset() + cursor.saltLength() <= payload.length, name);
                for (int i = 0; i < cursor.count(); i++) {
                    assertTrue(cursor.mmCount(i) >= 0, name);
                    cursor.hash(i);
                }
            }
            assertEquals(kind == KvEventCursor.SKIPPED, cursor.skipReason() != null, name);
            kind = cursor.next();
        }
        assertEquals(kind, cursor.next(), name);
    }
}
