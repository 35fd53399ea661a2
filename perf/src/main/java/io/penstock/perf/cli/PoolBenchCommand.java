package io.penstock.perf.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.perf.index.PagesFigures;
import io.penstock.perf.index.Surroundings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The shared pool's page index: look-ups of 4,096 pages, and changes.
 *
 * <p><b>Threading:</b> main thread.
 */
@Command(
        name = "pool",
        description = "Looks up prompts of 4,096 pages in the shared pool's page index, by pages and order of arrival.",
        mixinStandardHelpOptions = true)
final class PoolBenchCommand implements Callable<Integer> {
    @Option(
            names = "--pages",
            paramLabel = "N",
            split = ",",
            description = "Pages in the pool, several with commas; 110 bytes of disk each. Default: ${DEFAULT-VALUE}.",
            defaultValue = "100000,1000000,10000000")
    private List<Integer> pages;

    @Option(names = "--rounds", paramLabel = "N", description = "Fresh processes a point. Default: ${DEFAULT-VALUE}.")
    private int rounds = 3;

    @Option(names = "--json", description = "Prints one object as the last line.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        Surroundings.print("not run", out);
        Path folder = Files.createTempDirectory("penstock-pool");
        Path files = Files.createDirectory(folder.resolve("files"));
        try {
            Map<String, Map<String, Double>> points = new PagesFigures(files, pages, rounds)
                    .measure(spec.commandLine().getErr());
            PagesFigures.print(points, out);
            if (json) {
                out.println(new ObjectMapper().writeValueAsString(points));
                out.flush();
            }
            return 0;
        } finally {
            BenchFolders.delete(folder);
        }
    }
}
