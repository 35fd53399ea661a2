package io.penstock.perf.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Measurements, each a subcommand.
 *
 * <p><b>Threading:</b> main thread.
 */
@Command(
        name = "bench",
        description = "Measures Penstock, side by side with its peers where they are at hand.",
        mixinStandardHelpOptions = true,
        subcommands = {
            IndexBenchCommand.class,
            ImageBenchCommand.class,
            PoolBenchCommand.class,
            InputLogBenchCommand.class,
            JournalBenchCommand.class,
            HttpBenchCommand.class,
            FfiBenchCommand.class,
            JmhBenchCommand.class
        })
final class BenchCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "a benchmark is expected: "
                        + String.join(", ", spec.subcommands().keySet()));
    }
}
