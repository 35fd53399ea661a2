package io.penstock.dataplane.export;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes a trace to one stream.
 *
 * <p><b>Threading:</b> one thread, once.
 */
interface StreamExport {
    /** Writes all of the source; what the format cannot hold is counted. The stream stays open. */
    void write(TraceSource source, ExportOptions options, Notices notices, OutputStream out) throws IOException;
}
