package io.penstock.dataplane.tail;

import io.penstock.dataplane.journal.TraceReader;

/**
 * Where records come from.
 *
 * <p><b>Threading:</b> one thread.
 */
public interface TailSource {
    /** A reader from the oldest record on, or null while there is no journal. */
    TraceReader open();

    /**
     * Whether another journal lies there now than the one opened last: a router's data folder was deleted and made anew. A
     * roll of the journal's files or a restart of the router is no such thing.
     */
    boolean replaced();
}
