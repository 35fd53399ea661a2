package io.penstock.index;

import java.util.Map;
import java.util.TreeMap;

/** Everything that an index can be asked, of two indexes side by side. */
final class Comparison {
    private final Overlaps left = new Overlaps(4096);
    private final Overlaps right = new Overlaps(4096);

    /** Null when both answer the query alike, else the difference. */
    String ofQuery(PrefixIndex expected, PrefixIndex actual, long[] query) {
        expected.match(query, query.length, left);
        actual.match(query, query.length, right);
        Map<Integer, String> wanted = entries(left);
        Map<Integer, String> found = entries(right);
        return wanted.equals(found) && left.size() == right.size() ? null : "expected " + wanted + ", found " + found;
    }

    private static Map<Integer, String> entries(Overlaps overlaps) {
        Map<Integer, String> entries = new TreeMap<>();
        for (int i = 0; i < overlaps.size(); i++) {
            entries.put(
                    overlaps.slot(i),
                    overlaps.blocks(i, 0) + "/" + overlaps.blocks(i, 1) + "/" + overlaps.blocks(i, 2) + "/"
                            + overlaps.blocks(i, 3));
        }
        return entries;
    }

    /** Slots, positions, counters, and every path of the traffic. */
    String ofAll(PrefixIndex expected, PrefixIndex actual, Traffic traffic) {
        if (expected.slotLimit() != actual.slotLimit()) {
            return "slotLimit " + expected.slotLimit() + " / " + actual.slotLimit();
        }
        for (int slot = 0; slot < expected.slotLimit(); slot++) {
            String wanted = Answers.slot(expected, slot);
            String found = Answers.slot(actual, slot);
            if (!wanted.equals(found)) {
                return "slot " + slot + ": expected " + wanted + ", found " + found;
            }
        }
        for (int node = 0; node < traffic.nodes(); node++) {
            String difference = ofQuery(expected, actual, traffic.query(node));
            if (difference != null) {
                return "path to node " + node + ": " + difference;
            }
        }
        return null;
    }
}
