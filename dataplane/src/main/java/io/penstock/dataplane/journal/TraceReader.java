package io.penstock.dataplane.journal;

/**
 * Trace records in the order they were written, each exactly once.
 *
 * <p><b>Threading:</b> one thread; other readers and the writer, also in other processes, go on undisturbed.
 */
public interface TraceReader extends AutoCloseable {
    /**
     * The next record, or null when none has been written yet; asking again later is fine.
     *
     * @throws IllegalStateException if the journal is damaged here, with the position
     */
    TraceRecord next();

    /** Position of the record given last, for {@link #moveTo}; grows from record to record, not by one. */
    long position();

    /** Goes on behind the record at {@code position}; false if it is not kept any more: then at the oldest. */
    boolean moveTo(long position);

    /** Goes on behind the youngest record. */
    void toEnd();

    @Override
    void close();
}
