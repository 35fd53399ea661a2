package io.penstock.dataplane.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.penstock.index.ChainHash;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class PathTreeTest {
    private static final int SLOTS = 5;

    private record Held(int slot, int kind, int pool, long[] hashes, int node) {}

    private record Key(int slot, int kind, int pool, long hash) {}

    @RepeatedTest(20)
    void shouldEqualSetsOfBlocksWhenPromptsComeAndGo() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        PathTree tree = new PathTree(256, 1_024, 1 << 13);
        Map<Key, Integer> model = new HashMap<>();
        List<Held> held = new ArrayList<>();
        Depths depths = new Depths(SLOTS);
        for (int step = 0; step < 3_000; step++) {
            long[] prompt = prompt(random);
            int pool = random.nextInt(2);
            if (random.nextInt(3) > 0 && held.size() < 60) {
                int slot = random.nextInt(SLOTS);
                int kinds = 1 + random.nextInt(7);
                int node = tree.add(pool, slot, prompt, prompt.length, kinds);
                if (node == PathTree.NONE) {
                    continue;
                }
                int fresh = 0;
                for (int kind = 0; kind < PathTree.KINDS; kind++) {
                    if ((kinds >>> kind & 1) != 0) {
                        held.add(new Held(slot, kind, pool, prompt, node));
                        for (long hash : prompt) {
                            int count = model.merge(new Key(slot, kind, pool, hash), 1, Integer::sum);
                            fresh += kind == PathTree.ACTIVE && count == 1 ? 1 : 0;
                        }
                    }
                }
                assertEquals(fresh, tree.newlyActive, "seed " + seed);
            } else if (!held.isEmpty()) {
                Held gone = held.remove(random.nextInt(held.size()));
                int freed = 0;
                for (long hash : gone.hashes) {
                    Key key = new Key(gone.slot, gone.kind, gone.pool, hash);
                    if (model.merge(key, -1, (a, b) -> a + b == 0 ? null : a + b) == null) {
                        freed++;
                    }
                }
                assertEquals(freed, tree.release(gone.node, gone.slot, gone.kind), "seed " + seed);
            }
            depths.clear();
            tree.walk(pool, prompt, prompt.length, depths);
            for (int slot = 0; slot < SLOTS; slot++) {
                for (int kind = 0; kind < PathTree.KINDS; kind++) {
                    int expected = 0;
                    while (expected < prompt.length && model.containsKey(new Key(slot, kind, pool, prompt[expected]))) {
                        expected++;
                    }
                    assertEquals(expected, depths.of(slot, kind), "seed " + seed);
                }
            }
        }
        held.forEach(h -> tree.release(h.node, h.slot, h.kind));
        assertEquals(0, tree.nodes(), "seed " + seed);
        assertEquals(0, tree.hashes(), "seed " + seed);
    }

    @Test
    void shouldChangeNothingWhenThereIsNoRoom() {
        PathTree tree = new PathTree(8, 16, 1 << 10);
        long[] prompt = chain(new Random(3), 1_000);
        int first = tree.add(0, 0, prompt, 1_000, 1);
        assertNotEquals(PathTree.NONE, first);
        assertEquals(PathTree.NONE, tree.add(0, 1, chain(new Random(4), 100), 100, 1));
        assertEquals(1_000, tree.release(first, 0, PathTree.ACTIVE));
        assertEquals(0, tree.nodes());
    }

    /** A walk in a small tree of prompts: many share beginnings of any length. */
    private static long[] prompt(Random random) {
        long[] prompt = new long[1 + random.nextInt(60)];
        long parent = 0;
        int turn = random.nextInt(3);
        for (int i = 0; i < prompt.length; i++) {
            turn = random.nextInt(25) == 0 ? random.nextInt(3) : turn;
            prompt[i] = i == 0 ? turn + 1 : ChainHash.next(parent, turn);
            parent = prompt[i];
        }
        return prompt;
    }

    private static long[] chain(Random random, int length) {
        return random.longs(length).toArray();
    }
}
