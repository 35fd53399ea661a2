package io.penstock.perf.cli;

import io.penstock.perf.http.HttpFrontBench;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What a request costs the router, and what large prompts do to the streams beside them.
 *
 * <p><b>Threading:</b> main thread.
 */
@Command(
        name = "http",
        description = "CPU per request of the router; delay of streams alone and beside large prompts.",
        mixinStandardHelpOptions = true)
final class HttpBenchCommand implements Callable<Integer> {
    @Option(names = "--seconds", paramLabel = "N", description = "Length of each step. Default: ${DEFAULT-VALUE}.")
    private int seconds = 8;

    @Option(
            names = "--prompts",
            paramLabel = "N",
            description = "100 KiB prompts a second beside the streams. Default: ${DEFAULT-VALUE}.")
    private int prompts = 100;

    @Override
    public Integer call() throws Exception {
        HttpFrontBench.run(seconds, prompts);
        return 0;
    }
}
