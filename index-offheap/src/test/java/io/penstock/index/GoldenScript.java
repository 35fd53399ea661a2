package io.penstock.index;

/**
 * What the golden files hold. Never changed: a file written by this script under an earlier layout stays in the tests.
 *
 * <p>Prompt p's block b has the local hash {@code (p × 1000 + b + 1) × 9E3779B97F4A7C15}; the first 20 blocks of prompts 1
 * to 4 are those of prompt 0. Engines call a block by 31 × its sequence hash, the odd one by 31 × it + 7.
 */
final class GoldenScript {
    static final int SLOTS = 16;
    static final int PROMPTS = 8;
    static final int BLOCKS = 70;

    private static final int ODD = 5;

    private GoldenScript() {}

    static void play(PrefixIndex index) {
        for (int slot = 0; slot < 8; slot++) {
            index.openSlot("http://golden-" + slot / 2 + ":8000", slot % 2);
        }
        for (int prompt = 0; prompt < PROMPTS; prompt++) {
            for (int slot = 0; slot <= prompt; slot++) {
                store(index, slot, Tier.DEVICE, prompt, 0, 30 + 5 * slot);
            }
        }
        store(index, 1, 1, 0, 10, 40);
        store(index, 2, 2, 3, 0, 50);
        store(index, 3, 3, 5, 0, 60);
        // Further copies, a hole, a tail gone, a run gone, blocks one by one.
        store(index, 0, Tier.DEVICE, 0, 5, 25);
        store(index, 0, Tier.DEVICE, 0, 10, 15);
        remove(index, 1, Tier.DEVICE, 0, 10, 20);
        remove(index, 2, Tier.DEVICE, 4, 20, 40);
        remove(index, 0, Tier.DEVICE, 7, 0, 30);
        for (int block = 30; block < 36; block++) {
            store(index, 0, Tier.DEVICE, 2, block, block + 1);
        }
        for (int slot = 0; slot < 8; slot++) {
            index.position(slot, 100 + slot, Double.doubleToRawLongBits(1.5 * slot), 0xABCDEFL * (slot + 1));
        }
        index.clearSlot(6);
        store(index, 6, Tier.DEVICE, 6, 0, 20);
        index.removeSlot(7);
        index.openSlot("http://goldén:8000", 3);
    }

    /** One more event of one step, in which the writer of the killed file died. */
    static void more(PrefixIndex index) {
        remove(index, 3, Tier.DEVICE, 5, 5, 25);
    }

    private static void store(PrefixIndex index, int slot, int tier, int prompt, int from, int to) {
        long[] sequence = prompt(prompt);
        long[] engine = engine(slot, prompt, from, to);
        long[] local = new long[to - from];
        for (int block = from; block < to; block++) {
            local[block - from] = local(prompt, block);
        }
        long parent = from == 0 ? 0 : name(slot, sequence[from - 1]);
        index.stored(slot, tier, from == 0, parent, engine, local, 0, to - from);
    }

    private static void remove(PrefixIndex index, int slot, int tier, int prompt, int from, int to) {
        index.removed(slot, tier, engine(slot, prompt, from, to), 0, to - from);
    }

    private static long[] engine(int slot, int prompt, int from, int to) {
        long[] sequence = prompt(prompt);
        long[] engine = new long[to - from];
        for (int block = from; block < to; block++) {
            engine[block - from] = name(slot, sequence[block]);
        }
        return engine;
    }

    private static long name(int slot, long sequence) {
        return sequence * 31 + (slot == ODD ? 7 : 0);
    }

    private static long local(int prompt, int block) {
        int of = prompt < 5 && block < 20 ? 0 : prompt;
        return (of * 1000L + block + 1) * 0x9E3779B97F4A7C15L;
    }

    /** Sequence hashes of a prompt. */
    static long[] prompt(int prompt) {
        long[] sequence = new long[BLOCKS];
        for (int block = 0; block < BLOCKS; block++) {
            sequence[block] = block == 0 ? local(prompt, 0) : ChainHash.next(sequence[block - 1], local(prompt, block));
        }
        return sequence;
    }
}
