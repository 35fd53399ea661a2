package io.penstock.perf.cli;

import java.util.concurrent.Callable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Single calls of the index under JMH, each benchmark in a JVM of its own with this one's flags.
 *
 * <p><b>Threading:</b> main thread.
 */
@Command(
        name = "jmh",
        description = "Look-ups, stored and removed runs and decode appends under JMH.",
        mixinStandardHelpOptions = true)
final class JmhBenchCommand implements Callable<Integer> {
    @Parameters(arity = "0..1", paramLabel = "PATTERN", description = "Benchmarks by regular expression. Default: all.")
    private String pattern = "io\\.penstock\\.perf\\.jmh\\..*";

    @Option(names = "--allocation", description = "Bytes allocated per call as well.")
    private boolean allocation;

    @Option(names = "--quick", description = "Short iterations: whether all runs, not how fast.")
    private boolean quick;

    @Override
    public Integer call() throws Exception {
        ChainedOptionsBuilder options = new OptionsBuilder().include(pattern).shouldFailOnError(true);
        if (allocation) {
            options.addProfiler(GCProfiler.class);
        }
        if (quick) {
            TimeValue time = TimeValue.milliseconds(100);
            options.warmupIterations(1)
                    .warmupTime(time)
                    .measurementIterations(1)
                    .measurementTime(time);
        }
        new Runner(options.build()).run();
        return 0;
    }
}
