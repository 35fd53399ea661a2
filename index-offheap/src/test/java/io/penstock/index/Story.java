package io.penstock.index;

import io.penstock.index.Traffic.Operation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * A named change of an index: what happened before, the change itself, and all prompts that either is about.
 *
 * <p><b>Threading:</b> owned by a test.
 */
final class Story {
    final String name;
    final List<Operation> before = new ArrayList<>();
    final List<Operation> change = new ArrayList<>();
    final List<Chain> chains = new ArrayList<>();

    /** Slot within a batch when the writer dies: cleared when the file is opened again; -1 for none. */
    int torn = -1;

    private final Random random;
    private List<Operation> now = before;

    Story(String name, Random random) {
        this.name = name;
        this.random = random;
    }

    /** What follows is the change. */
    Story then() {
        now = change;
        return this;
    }

    Chain chain(int blocks) {
        return known(Chain.of(random, blocks));
    }

    Chain fork(Chain chain, int kept, int blocks) {
        return known(chain.fork(random, kept, blocks));
    }

    private Chain known(Chain chain) {
        chains.add(chain);
        return chain;
    }

    Story open(int slots) {
        for (int slot = 0; slot < slots; slot++) {
            now.add(new Operation(Operation.Kind.OPEN, 0, 0, false, 0, null, null, "http://worker-" + slot, slot % 3));
        }
        return this;
    }

    Story store(int slot, int tier, Chain chain, int from, int to) {
        return store(slot, tier, chain, from, to, 0);
    }

    Story store(int slot, int tier, Chain chain, int from, int to, int flavour) {
        long parent = from == 0 ? 0 : chain.engine(from - 1, flavour);
        now.add(new Operation(
                Operation.Kind.STORED,
                slot,
                tier,
                from == 0,
                parent,
                chain.engine(from, to, flavour),
                Arrays.copyOfRange(chain.local(), from, to),
                null,
                0));
        return this;
    }

    Story remove(int slot, int tier, Chain chain, int from, int to) {
        now.add(removal(slot, tier, chain.engine(from, to, 0)));
        return this;
    }

    /** The tail first, as engines evict. */
    Story removeBackwards(int slot, int tier, Chain chain, int from, int to) {
        long[] hashes = new long[to - from];
        Arrays.setAll(hashes, i -> chain.engine(to - 1 - i, 0));
        now.add(removal(slot, tier, hashes));
        return this;
    }

    static Operation removal(int slot, int tier, long[] hashes) {
        return new Operation(Operation.Kind.REMOVED, slot, tier, false, 0, hashes, hashes, null, 0);
    }

    Story plain(Operation.Kind kind, int slot) {
        now.add(new Operation(kind, slot, 0, false, 17, null, null, null, 1000));
        return this;
    }

    /** The writer is within a batch of the slot from here on. */
    Story batch(int slot) {
        torn = slot;
        return plain(Operation.Kind.BATCH, slot);
    }

    int some(int least, int most) {
        return least + random.nextInt(most - least + 1);
    }

    @Override
    public String toString() {
        return name;
    }
}
