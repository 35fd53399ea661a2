package io.penstock.dataplane.cli;

import io.penstock.index.IndexResize;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code penstock index}: changes index files that no router has open.
 *
 * <p><b>Threading:</b> main thread.
 */
@Command(
        name = "index",
        description = "Changes an index file that no router has open.",
        mixinStandardHelpOptions = true,
        subcommands = IndexCommand.Resize.class)
final class IndexCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a subcommand is expected: resize");
    }

    /** {@code penstock index resize}. */
    @Command(
            name = "resize",
            description = "Gives an index file another capacity; its content stays.",
            mixinStandardHelpOptions = true)
    static final class Resize implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Parameters(paramLabel = "FILE", description = "Index file: data/index/*.pst of the router.")
        private Path file;

        @Option(names = "--capacity", required = true, paramLabel = "N", description = "Distinct blocks, 1 to 2^31.")
        private long capacity;

        @Override
        public Integer call() {
            if (capacity < 1) {
                throw new IllegalArgumentException("must be positive: --capacity=" + capacity);
            }
            IndexResize done = IndexResize.resize(file, capacity);
            spec.commandLine()
                    .getOut()
                    .println("resized: file=" + done.file() + ", capacityBlocks=" + done.capacityBlocks() + ", before "
                            + done.formerCapacityBlocks() + ", blocks=" + done.blocks());
            spec.commandLine().getOut().flush();
            return 0;
        }
    }
}
