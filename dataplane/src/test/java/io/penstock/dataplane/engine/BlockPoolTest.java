package io.penstock.dataplane.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The pool against plain collections: same blocks in the same order, same events, nothing lost. */
class BlockPoolTest {
    private static final int BLOCK = 4;

    /** What the pool does, said in plain collections. */
    private static final class Model {
        final int blocks;
        final List<Integer> free = new ArrayList<>();
        final Map<Integer, Integer> references = new HashMap<>();
        final Map<Integer, Long> hashOf = new HashMap<>();
        final Map<Long, List<Integer>> copies = new LinkedHashMap<>();
        final List<String> events = new ArrayList<>();

        Model(int blocks) {
            this.blocks = blocks;
            for (int b = 1; b < blocks; b++) {
                free.add(b);
            }
        }

        int take() {
            int block = free.removeFirst();
            Long hash = hashOf.remove(block);
            if (hash != null) {
                copies.get(hash).remove((Integer) block);
                if (copies.get(hash).isEmpty()) {
                    copies.remove(hash);
                }
                events.add("removed " + hash);
            }
            references.put(block, 1);
            return block;
        }

        void touch(int block) {
            if (references.merge(block, 1, Integer::sum) == 1) {
                free.remove((Integer) block);
            }
        }

        void release(int block) {
            if (references.merge(block, -1, Integer::sum) == 0) {
                free.add(block);
            }
        }

        int find(long hash) {
            return copies.containsKey(hash) ? copies.get(hash).getFirst() : -1;
        }
    }

    private static final class Told implements KvEventSink {
        final List<String> events = new ArrayList<>();

        @Override
        public void stored(Sequence sequence, int fromBlock, int toBlock) {
            for (int b = fromBlock; b < toBlock; b++) {
                events.add("stored " + sequence.hashes().wire(b));
            }
        }

        @Override
        public void removed(long hash, byte[] digests, int at) {
            events.add("removed " + hash);
            assertEquals(hash, BlockHasher.wireHash(digests, at, 32));
        }

        @Override
        public void cleared() {
            events.add("cleared");
        }
    }

    @Test
    void shouldEqualThePlainModelWhenRunByRandomScripts() {
        long seed = System.nanoTime();
        for (int script = 0; script < 300; script++) {
            run(seed + script);
        }
    }

    private static void run(long seed) {
        Random random = new Random(seed);
        String message = "seed " + seed;
        int blocks = 2 + random.nextInt(40);
        Told told = new Told();
        BlockPool pool = new BlockPool(blocks, 32, told);
        Model model = new Model(blocks);
        BlockHasher hasher = new BlockHasher(HashAlgorithm.SHA256_CBOR, "", BLOCK);
        List<Sequence> live = new ArrayList<>();
        for (int step = 0; step < 200; step++) {
            if (random.nextInt(3) > 0 && pool.free() > 0) {
                live.add(admit(random, pool, model, hasher));
            } else if (!live.isEmpty()) {
                Sequence s = live.remove(random.nextInt(live.size()));
                for (int b = s.blockCount() - 1; b >= 0; b--) {
                    model.release(s.block(b));
                }
                s.releaseBlocks(pool);
            } else if (random.nextInt(10) == 0) {
                assertEquals(true, pool.reset(), message);
                model.copies.clear();
                model.hashOf.clear();
                model.events.add("cleared");
            }
            assertEquals(model.free.size(), pool.free(), message);
            assertEquals(model.copies.size(), pool.cachedHashes(), message);
            assertEquals(model.events, told.events, message);
            model.copies.keySet().forEach(hash -> assertEquals(model.find(hash), pool.find(hash), message));
        }
        int held = live.stream().mapToInt(Sequence::blockCount).sum();
        int references =
                model.references.values().stream().mapToInt(Integer::intValue).sum();
        assertEquals(references, held, message);
    }

    /**
     * A sequence over a tiny alphabet, so that prefixes are shared; hits are taken or, at random, missed, which makes
     * copies.
     */
    private static Sequence admit(Random random, BlockPool pool, Model model, BlockHasher hasher) {
        int want = 1 + random.nextInt(Math.min(pool.free(), 6));
        int[] tokens = new int[want * BLOCK];
        for (int i = 0; i < tokens.length; i++) {
            tokens[i] = i % BLOCK == 0 ? random.nextInt(2) : 7;
        }
        BlockHashes chain = new BlockHashes(hasher, BLOCK, null, null, want);
        chain.extendTo(tokens, want);
        Sequence s = new Sequence(tokens, chain, null, null, null, null, false, null);
        int hits = 0;
        if (random.nextBoolean()) {
            while (hits < want && pool.find(chain.wire(hits)) >= 0) {
                int block = pool.find(chain.wire(hits++));
                pool.touch(block);
                model.touch(block);
                s.addBlock(block);
            }
        }
        for (int b = hits; b < want && pool.free() > 0; b++) {
            int block = pool.take();
            assertEquals(model.take(), block);
            s.addBlock(block);
        }
        int full = s.blockCount() - random.nextInt(2);
        if (full > hits) {
            pool.publish(s, hits, full);
            for (int b = hits; b < full; b++) {
                model.hashOf.put(s.block(b), chain.wire(b));
                model.copies
                        .computeIfAbsent(chain.wire(b), h -> new ArrayList<>())
                        .add(s.block(b));
                model.events.add("stored " + chain.wire(b));
            }
        }
        return s;
    }
}
