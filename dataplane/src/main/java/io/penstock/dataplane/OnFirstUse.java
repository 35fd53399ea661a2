package io.penstock.dataplane;

import java.util.function.Supplier;

/**
 * A text source that is made when it is first asked, to keep its making out of the start.
 *
 * <p><b>Threading:</b> thread-safe.
 */
final class OnFirstUse implements Supplier<String> {
    private final Supplier<Supplier<String>> maker;
    private Supplier<String> made;

    OnFirstUse(Supplier<Supplier<String>> maker) {
        this.maker = maker;
    }

    @Override
    public String get() {
        return made().get();
    }

    private synchronized Supplier<String> made() {
        if (made == null) {
            made = maker.get();
        }
        return made;
    }
}
