package io.penstock.bindings.openai;

import java.util.List;

/**
 * An edit of a body that leaves all other bytes alone.
 *
 * @param offset first byte to remove, or where to insert
 * @param removeLength bytes to remove
 * @param insert bytes to put there; not to be changed
 */
@SuppressWarnings("ArrayRecordComponent")
public record Splice(int offset, int removeLength, byte[] insert) {
    /** How much longer the body gets. */
    public static int growth(List<Splice> splices) {
        int growth = 0;
        for (Splice splice : splices) {
            growth += splice.insert.length - splice.removeLength;
        }
        return growth;
    }

    /** The edited body. Splices must be in order and apart from each other, as {@link BodyEdits} gives them. */
    public static byte[] apply(byte[] body, int offset, int length, List<Splice> splices) {
        byte[] out = new byte[length + growth(splices)];
        int from = 0;
        int to = 0;
        for (Splice splice : splices) {
            int keep = splice.offset - from;
            System.arraycopy(body, offset + from, out, to, keep);
            to += keep;
            System.arraycopy(splice.insert, 0, out, to, splice.insert.length);
            to += splice.insert.length;
            from = splice.offset + splice.removeLength;
        }
        System.arraycopy(body, offset + from, out, to, length - from);
        return out;
    }
}
