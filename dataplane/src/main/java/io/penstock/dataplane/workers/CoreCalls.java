package io.penstock.dataplane.workers;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.BooleanSupplier;

/**
 * Calls to the core in the order they were made. One that finds the ring full is made again a millisecond later; those
 * behind it wait.
 *
 * <p><b>Threading:</b> the control thread only.
 */
final class CoreCalls {
    private final ControlThread control;
    private final Queue<BooleanSupplier> waiting = new ArrayDeque<>();
    private boolean scheduled;

    CoreCalls(ControlThread control) {
        this.control = control;
    }

    void call(BooleanSupplier call) {
        waiting.add(call);
        if (!scheduled) {
            run();
        }
    }

    private void run() {
        scheduled = false;
        while (!waiting.isEmpty()) {
            if (!waiting.peek().getAsBoolean()) {
                scheduled = true;
                control.later(this::run, 1);
                return;
            }
            waiting.remove();
        }
    }
}
