package io.penstock.dataplane.pool;

import io.penstock.bindings.pool.ObjectLayout;
import net.openhft.hashing.LongHashFunction;

/**
 * Whose object a name is: the layouts of all pools, those that are not known as null.
 *
 * <p><b>Threading:</b> immutable.
 */
final class ObjectNames {
    private static final LongHashFunction HASH = LongHashFunction.xx3();

    private final ObjectLayout[] layouts;

    private ObjectNames(ObjectLayout[] layouts) {
        this.layouts = layouts;
    }

    /** None known yet. */
    static ObjectNames of(int pools) {
        return new ObjectNames(new ObjectLayout[pools]);
    }

    /** The same with another layout of a pool; null: not known. */
    ObjectNames with(int pool, ObjectLayout layout) {
        ObjectLayout[] copy = layouts.clone();
        copy[pool] = layout;
        return new ObjectNames(copy);
    }

    int pools() {
        return layouts.length;
    }

    /** Layout of a pool, or null. */
    ObjectLayout layout(int pool) {
        return layouts[pool];
    }

    /** Whether any layout is known. */
    boolean any() {
        for (ObjectLayout layout : layouts) {
            if (layout != null) {
                return true;
            }
        }
        return false;
    }

    /**
     * Reads a name under a pool's layout.
     *
     * @return the object's number within its page, {@link ObjectLayout#NOT_OURS} or {@link ObjectLayout#UNKNOWN_PART}
     */
    int resolve(int pool, byte[] bytes, int from, int length, long[] key, int at) {
        ObjectLayout layout = layouts[pool];
        return layout == null ? ObjectLayout.NOT_OURS : layout.resolve(bytes, from, length, key, at);
    }

    /** What stands for a name where a set of names would take too much room. */
    static long hash(byte[] bytes, int from, int length) {
        return HASH.hashBytes(bytes, from, length);
    }

    /** The same of a name made of characters. */
    static long hash(String name) {
        byte[] bytes = name.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
        return hash(bytes, 0, bytes.length);
    }
}
