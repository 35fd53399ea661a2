package io.penstock.index;

import java.util.Arrays;
import java.util.Random;

/**
 * A prompt's blocks as engines and requests name them, from the root on.
 *
 * <p><b>Threading:</b> immutable by convention.
 */
record Chain(long[] local, long[] sequence) {

    /** So many new blocks. */
    static Chain of(Random random, int blocks) {
        return new Chain(new long[0], new long[0]).fork(random, 0, blocks);
    }

    /** The first {@code kept} blocks, then so many new ones. */
    Chain fork(Random random, int kept, int blocks) {
        long[] longer = Arrays.copyOf(local, kept + blocks);
        long[] chained = Arrays.copyOf(sequence, kept + blocks);
        for (int at = kept; at < longer.length; at++) {
            longer[at] = random.nextLong();
            chained[at] = at == 0 ? longer[0] : ChainHash.next(chained[at - 1], longer[at]);
        }
        return new Chain(longer, chained);
    }

    int blocks() {
        return local.length;
    }

    /** What an engine of the flavour calls a block. */
    long engine(int at, int flavour) {
        return sequence[at] * 31 + flavour;
    }

    /** Engine hashes of a stretch. */
    long[] engine(int from, int to, int flavour) {
        long[] hashes = new long[to - from];
        Arrays.setAll(hashes, i -> engine(from + i, flavour));
        return hashes;
    }
}
