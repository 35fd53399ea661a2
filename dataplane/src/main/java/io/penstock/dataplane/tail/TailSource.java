package io.penstock.dataplane.tail;

import io.penstock.dataplane.journal.TraceReader;

/**
 * Where records come from.
 *
 * <p><b>Threading:</b> one thread.
 */
public interface TailSource {
    /**
     * A reader of the records from a time on, or null while there is no journal.
     *
     * @param sinceMs ms since 1970; older records may come too; 0 or less: from the oldest
     */
    TraceReader open(long sinceMs);

    /**
     * Whether the journal opened last is gone, or another lies there now: a router's data folder was deleted and perhaps made
     * anew. A roll of the journal's files or a restart of the router is no such thing.
     */
    boolean replaced();
}
