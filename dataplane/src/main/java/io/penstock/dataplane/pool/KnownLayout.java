package io.penstock.dataplane.pool;

import io.penstock.bindings.pool.ObjectLayout;
import io.penstock.dataplane.hashing.PageHasher;

/**
 * A pool's layout and its pages' keys, as far as they are known.
 *
 * <p>Two are the same when they name the same objects and key pages alike, whatever they were made of.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param layout null while unknown
 * @param hasher of prompts without a salt; null where the keys cannot be told
 * @param names what both do, as one text
 * @param problem what is wrong in one line, or empty
 */
record KnownLayout(ObjectLayout layout, PageHasher hasher, String names, String problem) {
    /** Nothing is known, and why. */
    static KnownLayout unknown(String problem) {
        return new KnownLayout(null, null, "", problem);
    }

    /** A layout; {@code rule} names how its pages are keyed. */
    static KnownLayout of(ObjectLayout layout, PageHasher hasher, String rule, String problem) {
        StringBuilder names = new StringBuilder(rule).append(' ').append(layout.pageSize());
        long[] key = new long[ObjectLayout.KEY_WORDS];
        for (int object = 0; object < layout.objectsPerPage(); object++) {
            names.append(' ').append(layout.name(key, 0, object));
        }
        return new KnownLayout(layout, hasher, names.toString(), problem);
    }

    /** Whether the other names the same objects of the same pages. */
    boolean sameNames(KnownLayout other) {
        return names.equals(other.names);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof KnownLayout other && names.equals(other.names) && problem.equals(other.problem);
    }

    @Override
    public int hashCode() {
        return names.hashCode();
    }
}
