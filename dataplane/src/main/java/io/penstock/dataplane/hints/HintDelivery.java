package io.penstock.dataplane.hints;

import io.penstock.bindings.kvhint.HintText;
import io.penstock.dataplane.workers.HintSite;

/**
 * A way by which a hint reaches an engine.
 *
 * <p><b>Threading:</b> as the implementation says.
 */
@FunctionalInterface
interface HintDelivery {
    /**
     * Hands a message over; never waits.
     *
     * @param message copied before this returns
     * @return whether it is on its way, which is not that it arrives
     */
    boolean deliver(HintSite target, HintText message);
}
