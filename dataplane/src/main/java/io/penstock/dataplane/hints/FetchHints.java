package io.penstock.dataplane.hints;

import io.penstock.bindings.kvhint.HintText;
import io.penstock.bindings.kvhint.KvFetch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes {@code kv.fetch@1.0} of an order and hands it to a delivery: the blocks that the source holds, as its engine calls
 * them, if these are more than the target holds.
 *
 * <p><b>Threading:</b> one thread; the numbers are shared. <b>Cost:</b> some 10 ns a block for the names and 45 ns for their
 * text; the journal row is the only thing allocated.
 */
final class FetchHints {
    /** Answer of {@link #tell}: there is no hint. */
    static final long NONE = -1;

    private static final String ACTION_ID = "0";

    private final HintLog log;
    private final BlockNames names;
    private final String prefix;
    private final AtomicLong numbers;
    private final HintText text = new HintText();
    private int blocks;

    FetchHints(HintLog log, IndexReaders indexes, int mostBlocks, String prefix, AtomicLong numbers) {
        this.log = log;
        this.prefix = prefix;
        this.numbers = numbers;
        names = new BlockNames(indexes, mostBlocks);
    }

    /**
     * Makes the hint and delivers it.
     *
     * @return number of the message, or {@link #NONE}: nothing could be named, or the delivery refused
     */
    long tell(HintOrder order, HintDelivery delivery) {
        blocks = names.ask(order);
        if (blocks <= order.fetch.held) {
            log.unnamed();
            return NONE;
        }
        long number = numbers.incrementAndGet();
        text.beginMessage(prefix, number);
        KvFetch.encode(text, ACTION_ID, order.fetch.source.hints().source(), names.names(), blocks);
        text.endMessage();
        if (!delivery.deliver(order.target.hints(), text)) {
            log.undelivered(order.target, order.requestId, order.agent, blocks);
            return NONE;
        }
        log.sent(order.target, order.requestId, order.agent, blocks);
        return number;
    }

    /** Blocks that the last hint named. */
    int blocks() {
        return blocks;
    }
}
