package io.penstock.dataplane.pool;

import java.util.List;

/**
 * A store of KV cache that many engines share, asked directly: through its C API or its admin port. Never on the way of
 * a request.
 *
 * <p><b>Threading:</b> one caller at a time; calls may block for {@link #patienceMs}.
 */
public interface SharedPool extends AutoCloseable {
    /** {@link #probe}: the object is there. */
    byte PRESENT = 1;

    /** {@link #probe}: the object is not there. */
    byte ABSENT = 0;

    /** {@link #probe}: nothing could be learnt. */
    byte UNKNOWN = -1;

    /** Kind and place in one line, for messages. */
    String describe();

    /** Longest time that a call takes. */
    int patienceMs();

    /** Whether a probe lengthens the objects' life in the store. */
    boolean probeRenewsLeases();

    /**
     * Asks for objects by name.
     *
     * @param out at least as long; gets {@link #PRESENT}, {@link #ABSENT} or {@link #UNKNOWN} for each
     * @return how many are known; 0 when the store cannot be asked
     */
    int probe(List<String> names, byte[] out);

    @Override
    void close();
}
