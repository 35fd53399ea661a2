package io.penstock.dataplane.trace;

import java.util.List;
import org.agrona.collections.LongHashSet;

/**
 * How much KV a replay leaves behind if nothing is ever evicted: the distinct full blocks of all prompts, shared prefixes
 * counted once, and the blocks of the generated tokens.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param promptBlocks distinct full blocks of the prompts
 * @param outputBlocks blocks that generated tokens fill
 * @param promptTokens tokens of all prompts
 * @param reusableTokens prompt tokens that an earlier request had already brought: the hit rate of one endless cache
 * @param largestBlocks blocks that the longest request needs, prompt and output: no pool can be smaller
 */
public record WorkingSet(
        long promptBlocks, long outputBlocks, long promptTokens, long reusableTokens, long largestBlocks) {

    /** Of sessions already scaled, in the order of the list, for engine blocks of {@code blockTokens}. */
    public static WorkingSet of(List<AgentSession> sessions, int blockTokens) {
        Count count = new Count(blockTokens);
        sessions.forEach(count::session);
        return new WorkingSet(count.seen.size(), count.outputBlocks, count.tokens, count.reusable, count.largest);
    }

    /** Prompt and output blocks. */
    public long blocks() {
        return promptBlocks + outputBlocks;
    }

    /** Hit rate of one endless cache. */
    public double idealHitRate() {
        return promptTokens == 0 ? 0 : (double) reusableTokens / promptTokens;
    }

    private static final class Count {
        private final int blockTokens;
        private final LongHashSet seen = new LongHashSet();
        private long outputBlocks;
        private long tokens;
        private long reusable;
        private long largest;

        Count(int blockTokens) {
            this.blockTokens = blockTokens;
        }

        void session(AgentSession session) {
            for (Turn turn : session.turns()) {
                prompt(turn.prompt());
                outputBlocks += blocksOf(turn.outputTokens());
                largest = Math.max(largest, blocksOf(turn.prompt().tokens() + turn.outputTokens()));
                turn.children().forEach(this::session);
            }
        }

        private long blocksOf(int length) {
            return (length + blockTokens - 1) / blockTokens;
        }

        private void prompt(Prompt prompt) {
            int full = prompt.tokens() / blockTokens;
            boolean leading = true;
            for (int block = 0; block < full; block++) {
                boolean fresh = seen.add(prompt.blockKey(block, blockTokens));
                leading &= !fresh;
                if (leading) {
                    reusable += blockTokens;
                }
            }
            tokens += prompt.tokens();
        }
    }
}
