package io.penstock.dataplane.hints;

import com.lmax.disruptor.EventHandler;
import io.penstock.dataplane.pipeline.DecisionRecord;
import io.penstock.dataplane.workers.HintWay;

/**
 * Takes from the decisions what engines are to be told beside the request. It only hands over: what sending takes must not
 * hold the ring up, whose other readers are journal and sessions.
 *
 * <p><b>Threading:</b> the consumer's thread. <b>Cost:</b> nothing allocated.
 */
final class HintFollower implements EventHandler<DecisionRecord> {
    private final HintQueue queue;
    private final HintLog log;
    private final Runnable wake;

    HintFollower(HintQueue queue, HintLog log, Runnable wake) {
        this.queue = queue;
        this.log = log;
        this.wake = wake;
    }

    @Override
    public void onEvent(DecisionRecord record, long sequence, boolean endOfBatch) {
        if (record.kind != DecisionRecord.Kind.DECIDED
                || !record.fetch.there()
                || record.endpoint.hints().take() != HintWay.NIXL) {
            return;
        }
        HintOrder order = queue.claim();
        if (order == null) {
            log.dropped();
            return;
        }
        order.of(record);
        queue.publish(order);
        wake.run();
    }
}
