package io.penstock.bindings.pool;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A layout as a table: the name of each object of a page is a text, the page's key in hexadecimal, and another text. All
 * families fit: SGLang's objects differ in what follows the key, vLLM's in what precedes it.
 *
 * <p>{@link #resolve} looks the two texts up by one hash over both, for each pair of lengths that occurs: one for most
 * layouts, a few where rank numbers have one digit or two.
 *
 * <p>Two are equal when they name the same objects of the same pages, whatever they were made of.
 *
 * <p><b>Threading:</b> immutable. <b>Cost:</b> {@link #resolve} allocates nothing.
 */
final class ObjectTable implements ObjectLayout {
    /** What stands before and after the key in an object's name. */
    record Part(String head, String tail) {}

    private static final int WORD_DIGITS = 16;
    private static final int EMPTY = -1;

    private final String what;
    private final int pageSize;
    private final int digits;
    private final byte[] stem;
    private final byte[][] heads;
    private final byte[][] tails;
    private final int[] slots;
    private final int[] headLengths;
    private final int[] tailLengths;

    /**
     * A table.
     *
     * @param what family and numbers, for {@link #describe}
     * @param keyBytes bytes of a key: a multiple of 8, 32 at most
     * @param stem what all names of this model and prefix begin with
     * @param parts of the objects, in the order of their numbers; all with a tail that begins alike, or all with none
     */
    ObjectTable(String what, int pageSize, int keyBytes, String stem, List<Part> parts) {
        if (pageSize < 1) {
            throw new IllegalArgumentException("not a page size: pageSize=" + pageSize);
        }
        if (keyBytes % Long.BYTES != 0 || keyBytes < Long.BYTES || keyBytes > KEY_WORDS * Long.BYTES) {
            throw new IllegalArgumentException("not 8, 16, 24 or 32: keyBytes=" + keyBytes);
        }
        if (parts.isEmpty() || Set.copyOf(parts).size() < parts.size()) {
            throw new IllegalArgumentException("no objects, or two of one name: parts=" + parts);
        }
        this.what = what;
        this.pageSize = pageSize;
        digits = 2 * keyBytes;
        this.stem = stem.getBytes(StandardCharsets.UTF_8);
        heads = parts.stream()
                .map(p -> p.head().getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
        tails = parts.stream()
                .map(p -> p.tail().getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
        slots = new int[Integer.highestOneBit(4 * parts.size())];
        Arrays.fill(slots, EMPTY);
        Set<List<Integer>> lengths = new LinkedHashSet<>();
        for (int i = 0; i < heads.length; i++) {
            file(i);
            lengths.add(List.of(heads[i].length, tails[i].length));
        }
        headLengths = lengths.stream().mapToInt(List::getFirst).toArray();
        tailLengths = lengths.stream().mapToInt(List::getLast).toArray();
    }

    private void file(int object) {
        int slot = hash(heads[object], 0, heads[object].length, tails[object], 0, tails[object].length);
        while (slots[slot & (slots.length - 1)] != EMPTY) {
            slot++;
        }
        slots[slot & (slots.length - 1)] = object;
    }

    private static int hash(byte[] head, int headFrom, int headLength, byte[] tail, int tailFrom, int tailLength) {
        int hash = headLength;
        for (int i = 0; i < headLength; i++) {
            hash = 31 * hash + head[headFrom + i];
        }
        for (int i = 0; i < tailLength; i++) {
            hash = 31 * hash + tail[tailFrom + i];
        }
        return hash ^ (hash >>> 16);
    }

    @Override
    public int pageSize() {
        return pageSize;
    }

    @Override
    public int objectsPerPage() {
        return heads.length;
    }

    @Override
    public int resolve(byte[] name, int from, int length, long[] key, int at) {
        for (int i = 0; i < headLengths.length; i++) {
            int head = headLengths[i];
            int tail = tailLengths[i];
            if (head + digits + tail == length) {
                int object = find(name, from, head, from + head + digits, tail);
                if (object >= 0 && readKey(name, from + head, key, at)) {
                    return object;
                }
            }
        }
        return isPageOfOurs(name, from, length) ? UNKNOWN_PART : NOT_OURS;
    }

    private int find(byte[] name, int from, int headLength, int tailFrom, int tailLength) {
        for (int slot = hash(name, from, headLength, name, tailFrom, tailLength); ; slot++) {
            int object = slots[slot & (slots.length - 1)];
            if (object == EMPTY) {
                return NOT_OURS;
            }
            if (Arrays.equals(name, from, from + headLength, heads[object], 0, heads[object].length)
                    && Arrays.equals(name, tailFrom, tailFrom + tailLength, tails[object], 0, tails[object].length)) {
                return object;
            }
        }
    }

    private boolean readKey(byte[] name, int from, long[] key, int at) {
        int words = digits / WORD_DIGITS;
        for (int w = 0; w < words; w++) {
            long word = 0;
            for (int i = 0; i < WORD_DIGITS; i++) {
                int digit = digit(name[from + w * WORD_DIGITS + i]);
                if (digit < 0) {
                    return false;
                }
                word = word << 4 | digit;
            }
            key[at + w] = word;
        }
        Arrays.fill(key, at + words, at + KEY_WORDS, 0);
        return true;
    }

    /** Engines write lower case only; another case would be another name. */
    private static int digit(byte c) {
        return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    }

    /** Whether a name that is none of the table's differs only in the rank, part or pool that it names. */
    private boolean isPageOfOurs(byte[] name, int from, int length) {
        int rest = length - stem.length - digits;
        if (rest < 1 || !Arrays.equals(name, from, from + stem.length, stem, 0, stem.length)) {
            return false;
        }
        int end = from + length;
        return tails[0].length > 0
                ? name[from + stem.length + digits] == tails[0][0] && areDigits(name, from + stem.length)
                : name[end - digits - 1] == heads[0][heads[0].length - 1] && areDigits(name, end - digits);
    }

    private boolean areDigits(byte[] name, int from) {
        for (int i = 0; i < digits; i++) {
            if (digit(name[from + i]) < 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String name(long[] key, int at, int object) {
        StringBuilder text = new StringBuilder(heads[object].length + digits + tails[object].length);
        text.append(new String(heads[object], StandardCharsets.UTF_8));
        for (int w = 0; w < digits / WORD_DIGITS; w++) {
            String hex = Long.toHexString(key[at + w]);
            text.append("0".repeat(WORD_DIGITS - hex.length())).append(hex);
        }
        return text.append(new String(tails[object], StandardCharsets.UTF_8)).toString();
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof ObjectTable other
                && pageSize == other.pageSize
                && digits == other.digits
                && Arrays.equals(stem, other.stem)
                && Arrays.deepEquals(heads, other.heads)
                && Arrays.deepEquals(tails, other.tails);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * pageSize + Arrays.deepHashCode(heads)) + Arrays.deepHashCode(tails);
    }

    @Override
    public String describe() {
        return what + " pageSize=" + pageSize + " objects=" + heads.length;
    }

    @Override
    public String toString() {
        return describe();
    }
}
