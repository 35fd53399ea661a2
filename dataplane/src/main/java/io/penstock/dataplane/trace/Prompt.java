package io.penstock.dataplane.trace;

/**
 * A prompt as a chain of content ids: id {@code k} stands for tokens {@code k * tokensPerId} up to the next id, and, as
 * in the recorded traces, for everything before them too: equal ids mean equal prefixes.
 *
 * <p>Token ids are made from the content ids when they are needed, so that a session of a hundred turns costs one array.
 *
 * <p><b>Threading:</b> immutable; the array is shared among the prompts of a session and never written.
 *
 * @param ids content ids, at least {@link #idCount()} of them; the last one used may stand for a partial block
 * @param tokens length of the prompt
 * @param tokensPerId tokens that one id stands for
 */
public record Prompt(long[] ids, int tokens, int tokensPerId) {
    private static final int FIRST_TOKEN = 1_000;
    private static final int TOKEN_RANGE = 31_000;

    /** Refuses a prompt that its ids do not cover. */
    public Prompt {
        if (tokens < 1 || tokensPerId < 1) {
            throw new IllegalArgumentException("a prompt has at least one token: tokens=" + tokens);
        }
        if ((long) ids.length * tokensPerId < tokens) {
            throw new IllegalArgumentException(
                    "hash ids do not cover the prompt: tokens=" + tokens + " ids=" + ids.length);
        }
    }

    /** Ids that the prompt uses. */
    public int idCount() {
        return (tokens + tokensPerId - 1) / tokensPerId;
    }

    /** The same content with {@code divisor} times fewer tokens; the ids, and so what is shared, stay. */
    public Prompt dividedBy(int divisor) {
        if (divisor == 1) {
            return this;
        }
        if (tokensPerId % divisor != 0) {
            throw new IllegalArgumentException("contexts can only be divided by a divisor of the block size "
                    + tokensPerId + ": scale=" + divisor);
        }
        return new Prompt(ids, Math.max(1, tokens / divisor), tokensPerId / divisor);
    }

    /** Token id at a position; the same for the same content, in any process. */
    public int token(int position) {
        long content = ids[position / tokensPerId];
        long mixed = Mix.of(content, position % tokensPerId);
        return FIRST_TOKEN + (int) Long.remainderUnsigned(mixed, TOKEN_RANGE);
    }

    /** All token ids. */
    public int[] tokenIds() {
        int[] all = new int[tokens];
        for (int i = 0; i < tokens; i++) {
            all[i] = token(i);
        }
        return all;
    }

    /** Name of the engine block that ends before token {@code (block + 1) * blockTokens}: equal for equal prefixes. */
    public long blockKey(int block, int blockTokens) {
        int last = (block + 1) * blockTokens - 1;
        return Mix.of(ids[last / tokensPerId], last);
    }
}
