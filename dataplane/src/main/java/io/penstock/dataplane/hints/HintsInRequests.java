package io.penstock.dataplane.hints;

import io.penstock.bindings.kvhint.HintText;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.workers.HintSite;
import io.penstock.dataplane.workers.HintWay;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Makes hints for requests on the thread that asks. What it costs, some 55 ns a block, only requests pay whose worker takes
 * hints in them and lacks what another has.
 *
 * <p><b>Threading:</b> thread-safe: what a thread needs it has for itself. <b>Cost:</b> the message is an array of its own.
 */
final class HintsInRequests implements RequestHints {
    private final ThreadLocal<Maker> makers;
    private final HintLog log;
    private final Consumer<Throwable> errors;

    HintsInRequests(Supplier<FetchHints> hints, HintLog log, Consumer<Throwable> errors) {
        makers = ThreadLocal.withInitial(() -> new Maker(hints.get()));
        this.log = log;
        this.errors = errors;
    }

    @Override
    public boolean ours() {
        return true;
    }

    @Override
    public byte[] message(RouteRequest decided, boolean takes) {
        if (!decided.decision.fetch.there() || decided.decision.endpoint.hints().take() != HintWay.REQUEST) {
            return null;
        }
        if (!takes) {
            log.undelivered(decided.decision.endpoint, decided.requestId, decided.agent, decided.decision.fetch.blocks);
            return null;
        }
        try {
            return makers.get().make(decided);
        } catch (RuntimeException failed) {
            // The request goes without it.
            errors.accept(failed);
            return null;
        }
    }

    /** One thread's part: the delivery is into its own field. */
    private static final class Maker implements HintDelivery {
        private final FetchHints hints;
        private final HintOrder order = new HintOrder();
        private byte[] made;

        Maker(FetchHints hints) {
            this.hints = hints;
        }

        byte[] make(RouteRequest decided) {
            order.of(decided);
            made = null;
            try {
                hints.tell(order, this);
                return made;
            } finally {
                order.clear();
                made = null;
            }
        }

        @Override
        public boolean deliver(HintSite target, HintText message) {
            made = Arrays.copyOf(message.bytes(), message.length());
            return true;
        }
    }
}
