package io.penstock.dataplane.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HashArenaTest {
    @Test
    void shouldNeverGiveALongTwiceWhenStretchesComeAndGo() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        HashArena arena = new HashArena(1 << 14);
        Map<Integer, Integer> lengths = new HashMap<>();
        int[] owner = new int[1 << 14];
        for (int step = 1; step < 50_000; step++) {
            if (random.nextInt(5) < 3) {
                int length = 1 + random.nextInt(random.nextBoolean() ? 40 : 3_000);
                boolean room = arena.hasRoom(length);
                int at = arena.allocate(length);
                assertEquals(room, at != HashArena.NONE, "seed " + seed);
                if (at != HashArena.NONE) {
                    lengths.put(at, length);
                    for (int i = at; i < at + length; i++) {
                        assertEquals(0, owner[i], "seed " + seed);
                        owner[i] = step;
                        arena.longs[i] = step;
                    }
                }
            } else if (!lengths.isEmpty()) {
                int at = lengths.keySet().stream()
                        .skip(random.nextInt(lengths.size()))
                        .findFirst()
                        .orElseThrow();
                int length = lengths.remove(at);
                for (int i = at; i < at + length; i++) {
                    assertEquals(owner[i], arena.longs[i], "seed " + seed);
                    owner[i] = 0;
                }
                arena.release(at);
            }
        }
        lengths.keySet().forEach(arena::release);
        assertEquals(0, arena.used());
        assertTrue(arena.hasRoom(1 << 14), "all of it is one piece again, seed " + seed);
    }
}
