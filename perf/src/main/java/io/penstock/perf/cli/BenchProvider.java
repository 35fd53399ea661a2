package io.penstock.perf.cli;

import io.penstock.dataplane.cli.CommandProvider;

/**
 * Hangs {@code bench} into the command line.
 *
 * <p><b>Threading:</b> immutable.
 */
public final class BenchProvider implements CommandProvider {
    @Override
    public Object command() {
        return new BenchCommand();
    }
}
