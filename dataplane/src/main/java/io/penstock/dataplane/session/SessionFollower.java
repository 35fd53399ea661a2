package io.penstock.dataplane.session;

import com.lmax.disruptor.EventHandler;
import io.penstock.dataplane.pipeline.DecisionRecord;

/**
 * Keeps a {@link SessionTable} by what the decision ring says.
 *
 * <p><b>Threading:</b> owned by its consumer's thread.
 */
public final class SessionFollower implements EventHandler<DecisionRecord> {
    private final SessionTable table;

    /** A follower that fills {@code table}. */
    public SessionFollower(SessionTable table) {
        this.table = table;
    }

    @Override
    public void onEvent(DecisionRecord record, long sequence, boolean endOfBatch) {
        if (record.trace != null) {
            table.take(record.trace);
        }
    }
}
