package io.penstock.dataplane.cli;

import io.penstock.dataplane.metrics.CounterFile;
import io.penstock.dataplane.metrics.CounterFileReader;
import io.penstock.dataplane.metrics.CounterFileReader.LoggedError;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code penstock counters}: what a router counted and which errors it met, from its mapped file, whether it lives or not.
 *
 * <p><b>Threading:</b> main thread.
 */
@Command(
        name = "counters",
        description = {
            "Prints the counters and distinct errors of a router, living or dead, from its counters file.",
            "A start keeps the former run's file beside it as counters.dat.previous."
        },
        mixinStandardHelpOptions = true)
final class CountersCommand implements Callable<Integer> {
    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "Counters file: counters.dat in the router's data folder.")
    private Path file;

    @Option(names = "--all", description = "Counters that are zero, too.")
    private boolean all;

    @Override
    public Integer call() {
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException("no such counters file: file=" + file);
        }
        PrintWriter out = spec.commandLine().getOut();
        try (CounterFileReader reader = CounterFile.map(file)) {
            out.println("router pid=" + reader.pid() + " started=" + Instant.ofEpochMilli(reader.startEpochMs()));
            reader.all().forEach((label, value) -> {
                if (all || value != 0) {
                    out.printf("%16d  %s%n", value, label);
                }
            });
            List<LoggedError> errors = reader.errors();
            out.println(errors.isEmpty() ? "no errors" : "distinct errors: " + errors.size());
            errors.forEach(error -> print(error, out));
        }
        out.flush();
        return CommandLine.ExitCode.OK;
    }

    private static void print(LoggedError error, PrintWriter out) {
        out.println("seen " + error.count() + " times, first " + Instant.ofEpochMilli(error.firstEpochMs()) + ", last "
                + Instant.ofEpochMilli(error.lastEpochMs()));
        error.text().lines().forEach(line -> out.println("  " + line));
    }
}
