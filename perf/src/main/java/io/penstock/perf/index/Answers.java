package io.penstock.perf.index;

import io.penstock.index.ChainHash;
import io.penstock.index.Overlaps;
import io.penstock.index.Tier;

/**
 * Queries of a stream and what is expected of their answers.
 *
 * <p><b>Threading:</b> owned by the benchmark's thread.
 */
final class Answers {
    private final OpsStream ops;

    Answers(OpsStream ops) {
        this.ops = ops;
    }

    /** The query's sequence hashes into {@code out}; answers their number. */
    int chain(int op, long[] out) {
        int count = ops.count[op];
        int at = ops.offset[op];
        long last = ops.words[at];
        out[0] = last;
        for (int i = 1; i < count; i++) {
            last = ChainHash.next(last, ops.words[at + i]);
            out[i] = last;
        }
        return count;
    }

    /** Whether the answer has the holders and the sum of blocks that the stream says. */
    boolean right(int op, Overlaps answer) {
        return answer.size() == ops.expectedHolders(op) && sum(answer) == ops.expectedSum(op);
    }

    static long sum(Overlaps answer) {
        long sum = 0;
        for (int i = 0; i < answer.size(); i++) {
            sum += answer.blocks(i, Tier.DEVICE);
        }
        return sum;
    }
}
