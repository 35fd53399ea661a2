package io.penstock.dataplane.journal;

/**
 * Where the parts of a record go, in order.
 *
 * <p><b>Threading:</b> one thread.
 */
interface Documents {
    /** Begins a record's first document; its position. */
    long begin();

    /** Writes a document of {@code length} bytes; the first one is that begun. */
    void write(byte[] document, int length);

    /** Leaves out a document that was begun. */
    void abandon();
}
