package io.penstock.index;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * All that an index answers about given prompts, its slots and positions, as one number or as text.
 *
 * <p><b>Threading:</b> owned by a test.
 */
final class Answers {
    private final long[][] prompts;
    private final Overlaps overlaps = new Overlaps(4096);

    Answers(List<Chain> chains) {
        this(chains.stream().map(Chain::sequence).toArray(long[][]::new));
    }

    Answers(long[][] prompts) {
        this.prompts = prompts;
    }

    /** Equal for two indexes that answer all alike. */
    long digest(PrefixIndex index) {
        long sum = index.slotLimit();
        for (int slot = 0; slot < index.slotLimit(); slot++) {
            sum = sum * 31 + slot(index, slot).hashCode();
            sum ^= sum >>> 29;
        }
        for (long[] prompt : prompts) {
            sum = mix(sum * 31 + match(index, prompt));
        }
        return sum;
    }

    /** Whatever order the entries come in. */
    private long match(PrefixIndex index, long[] prompt) {
        index.match(prompt, prompt.length, overlaps);
        long sum = overlaps.size();
        for (int i = 0; i < overlaps.size(); i++) {
            long entry = overlaps.slot(i);
            for (int tier = 0; tier < Tier.COUNT; tier++) {
                entry = entry * 1021 + overlaps.blocks(i, tier);
            }
            sum += mix(entry);
        }
        return sum;
    }

    private static long mix(long value) {
        long mixed = value * 0x9E3779B97F4A7C15L;
        return (mixed ^ mixed >>> 32) * 0xC2B2AE3D27D4EB4FL;
    }

    static String slot(PrefixIndex index, int slot) {
        return index.isOpen(slot) + " " + index.workerOf(slot) + "#" + index.dpRankOf(slot) + " generation "
                + index.generationOf(slot) + " held " + index.heldBlocks(slot, 0) + "/" + index.heldBlocks(slot, 1)
                + "/"
                + index.heldBlocks(slot, 2) + "/" + index.heldBlocks(slot, 3) + " position "
                + index.positionSequence(slot) + "/" + index.positionTimestampBits(slot) + "/"
                + index.positionHash(slot);
    }

    /** For a failure's message. */
    String text(PrefixIndex index) {
        StringBuilder text = new StringBuilder();
        for (int slot = 0; slot < index.slotLimit(); slot++) {
            text.append("\n  slot ").append(slot).append(": ").append(slot(index, slot));
        }
        for (long[] prompt : prompts) {
            index.match(prompt, prompt.length, overlaps);
            Map<Integer, String> bySlot = new TreeMap<>();
            for (int i = 0; i < overlaps.size(); i++) {
                int at = i;
                int[] blocks = new int[Tier.COUNT];
                Arrays.setAll(blocks, tier -> overlaps.blocks(at, tier));
                bySlot.put(overlaps.slot(i), Arrays.toString(blocks));
            }
            text.append("\n  prompt of ").append(prompt.length).append(": ").append(bySlot);
        }
        return text.toString();
    }
}
