package io.penstock.index;

import java.util.Map;
import java.util.TreeMap;

/** Answers of look-ups as values that can be kept and compared, whatever the order of their entries. */
final class Truths {
    private Truths() {}

    /** Slot to its blocks in the four tiers, 16 bits each. */
    static Map<Integer, Long> of(Overlaps answer) {
        Map<Integer, Long> entries = new TreeMap<>();
        for (int i = 0; i < answer.size(); i++) {
            entries.put(answer.slot(i), entry(answer, i));
        }
        return entries;
    }

    private static long entry(Overlaps answer, int i) {
        return (long) answer.blocks(i, 0) << 48
                | (long) answer.blocks(i, 1) << 32
                | (long) answer.blocks(i, 2) << 16
                | answer.blocks(i, 3);
    }

    /** A number that differs when the answers do, allocating nothing. */
    static long digest(Overlaps answer) {
        long digest = 0;
        for (int i = 0; i < answer.size(); i++) {
            digest += ChainHash.next(answer.slot(i) + 1, entry(answer, i));
        }
        return digest;
    }

    /** Null when both say the same, else what they say. */
    static String difference(Overlaps wanted, Overlaps found) {
        return digest(wanted) == digest(found) && wanted.size() == found.size()
                ? null
                : "expected " + of(wanted) + ", found " + of(found);
    }

    /** Whether {@code low} says of no slot and tier more than {@code high}. */
    static boolean notAbove(Map<Integer, Long> low, Map<Integer, Long> high) {
        for (Map.Entry<Integer, Long> entry : low.entrySet()) {
            long most = high.getOrDefault(entry.getKey(), 0L);
            for (int shift = 0; shift < Long.SIZE; shift += 16) {
                if ((entry.getValue() >>> shift & 0xFFFF) > (most >>> shift & 0xFFFF)) {
                    return false;
                }
            }
        }
        return true;
    }
}
