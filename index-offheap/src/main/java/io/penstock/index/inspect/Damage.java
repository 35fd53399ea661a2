package io.penstock.index.inspect;

import java.util.ArrayList;
import java.util.List;

/**
 * What a check found wrong: counted, the first kept in words.
 *
 * <p><b>Threading:</b> owned by the reader.
 */
final class Damage {
    private static final int KEPT = 50;

    private final List<String> lines = new ArrayList<>();
    private int count;

    void found(String line) {
        count++;
        if (lines.size() < KEPT) {
            lines.add(line);
        }
    }

    /** Notes the line unless the condition holds. */
    void unless(boolean holds, String line) {
        if (!holds) {
            found(line);
        }
    }

    void same(long found, long wanted, String what) {
        if (found != wanted) {
            found(what + ": " + found + ", expected " + wanted);
        }
    }

    int count() {
        return count;
    }

    List<String> lines() {
        return List.copyOf(lines);
    }
}
