package io.penstock.dataplane.engine;

import java.nio.charset.StandardCharsets;
import net.openhft.hashing.LongHashFunction;

/**
 * The simulator's answers: letters drawn from a hash of the prompt, or a JSON object where a tool is called.
 *
 * <p>An answer that comes to its end closes with {@code <|im_end|>}, which counts as a token and is no text; one that
 * is cut by the limit does not.
 *
 * <p><b>Threading:</b> immutable.
 */
final class OutputText implements OutputPlan {
    private static final byte[] LETTERS = "etaoinshrdlucmfw".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] OPEN = "{\"input\":\"".getBytes(StandardCharsets.US_ASCII);
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;
    private static final int WORD = 6;

    private final long seed;
    private final int length;
    private final FinishReason end;

    private OutputText(long seed, int length, FinishReason end) {
        this.seed = seed;
        this.length = length;
        this.end = end;
    }

    /**
     * An answer to a prompt.
     *
     * @param prompt token ids
     * @param seed the engine's seed
     * @param length tokens, at least one
     * @param end why it ends
     */
    static OutputText of(int[] prompt, long seed, int length, FinishReason end) {
        return new OutputText(LongHashFunction.xx3(seed).hashInts(prompt), length, end);
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public FinishReason end() {
        return end;
    }

    @Override
    public int token(int index) {
        if (index == length - 1 && end != FinishReason.LENGTH) {
            return SimTokenizer.IM_END;
        }
        return SimTokenizer.idOf(end == FinishReason.TOOL_CALLS ? jsonByte(index, length - 1) : letter(index));
    }

    /** Byte {@code index} of a JSON object of {@code total} bytes. */
    private int jsonByte(int index, int total) {
        if (total < OPEN.length + 2) {
            return index == 0 ? '{' : index == total - 1 ? '}' : ' ';
        }
        if (index < OPEN.length) {
            return OPEN[index];
        }
        return index == total - 1 ? '}' : index == total - 2 ? '"' : letter(index);
    }

    private int letter(int index) {
        if (index % WORD == WORD - 1) {
            return ' ';
        }
        long h = (seed + index) * GOLDEN;
        return LETTERS[(int) (h >>> 60)];
    }
}
