package io.penstock.perf.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.perf.ffi.FfiBench;
import io.penstock.perf.index.Surroundings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * What calls into NIXL and the Mooncake store cost, beside C and ctypes.
 *
 * <p><b>Threading:</b> main thread.
 */
@Command(
        name = "ffi",
        description =
                "Times calls into NIXL and the Mooncake store from Java, C and Python's ctypes, in fresh processes.",
        mixinStandardHelpOptions = true)
final class FfiBenchCommand implements Callable<Integer> {
    @Option(names = "--rounds", paramLabel = "N", description = "Processes of each. Default: ${DEFAULT-VALUE}.")
    private int rounds = 5;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "For each call in a process, half of it warm-up. Default: ${DEFAULT-VALUE}.")
    private double seconds = 1;

    @Option(
            names = "--packages",
            paramLabel = "DIR",
            description = "Folder that perf/native/setup.sh filled; default: the build's, .penstock/native.")
    private Path packages;

    @Option(names = "--json", description = "Prints one object as the last line.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (rounds < 1 || seconds <= 0) {
            throw new IllegalArgumentException("too little: rounds=" + rounds + " seconds=" + seconds);
        }
        Path home = Path.of(System.getProperty("penstock.home", ".")).toAbsolutePath();
        PrintWriter out = spec.commandLine().getOut();
        Path folder = packages == null ? home.resolve(".penstock/native") : packages;
        FfiBench bench = new FfiBench(home, folder, rounds, seconds, out);
        Surroundings.print(null, out);
        Map<String, Object> result = bench.run();
        if (json) {
            out.println(new ObjectMapper().writeValueAsString(result));
        }
        out.flush();
        return 0;
    }
}
