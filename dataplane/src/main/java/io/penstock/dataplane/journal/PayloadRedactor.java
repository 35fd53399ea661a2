package io.penstock.dataplane.journal;

/**
 * Takes out of a payload what must not be kept. Found by {@link java.util.ServiceLoader}: a class on the router's class path
 * that {@code META-INF/services/io.penstock.dataplane.journal.PayloadRedactor} names, with a constructor without
 * parameters. Several are applied one after the other.
 *
 * <p>Called only while payloads are kept at all, off the event loops. A redactor that throws keeps that payload from being
 * kept; that is counted.
 *
 * <p><b>Threading:</b> called by several threads at a time.
 */
public interface PayloadRedactor {
    /** Whose words they are. */
    enum Part {
        /** The client's body, as it came in. */
        REQUEST,
        /** The engine's answer, as it went out: a JSON body, or a stream of events; for a cut stream so far. */
        RESPONSE
    }

    /**
     * What may be kept.
     *
     * @param part whose words
     * @param about the request's record: API, model, agent; not to be changed
     * @param payload the bytes, not to be changed
     * @return what is kept, or null for nothing
     */
    byte[] redact(Part part, TraceRecord about, byte[] payload);
}
