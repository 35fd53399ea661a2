package io.penstock.dataplane.cli;

import io.penstock.dataplane.export.ExportFormat;
import io.penstock.dataplane.export.ExportOptions;
import io.penstock.dataplane.export.TraceExport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code penstock export}: a journal in the formats of others' tools. What was written and what was left out is said on
 * standard error.
 *
 * <p><b>Threading:</b> main thread.
 */
@Command(
        name = "export",
        description = {
            "Writes a journal, or a Dynamo request trace, in the format of another tool.",
            "The router may go on writing meanwhile."
        },
        mixinStandardHelpOptions = true)
final class ExportCommand implements Callable<Integer> {
    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Parameters(
            arity = "1..*",
            paramLabel = "JOURNAL",
            description = "Journal folder of the router, or the files of a Dynamo request trace (.jsonl, .jsonl.gz).")
    private List<Path> journal;

    @Option(
            names = "--format",
            required = true,
            paramLabel = "FORMAT",
            description = "One of: ${COMPLETION-CANDIDATES}.")
    private ExportFormat format;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "OUT",
            description = "File (packed if it ends in .gz), or folder for weka; default: standard output.")
    private Path output;

    @Option(
            names = "--block-size",
            paramLabel = "TOKENS",
            description = "Only requests with blocks of this size; default for replay formats: the most frequent one.")
    private int blockSize;

    @Option(names = "--estimated", description = "Also requests whose hashes are of text; their lengths are estimates.")
    private boolean estimated;

    @Option(names = "--agents-only", description = "Without what names no session.")
    private boolean agentsOnly;

    @Override
    public Integer call() throws IOException {
        if (output == null && format.fillsFolder()) {
            throw new IllegalArgumentException(
                    "this format fills a folder, say which: format=" + format + " --output=");
        }
        ExportOptions options = new ExportOptions(blockSize, estimated, agentsOnly);
        TraceExport export = new TraceExport(TraceArguments.source(journal), format, options);
        if (output == null) {
            export.to(System.out);
        } else {
            export.to(output);
        }
        PrintWriter err = spec.commandLine().getErr();
        export.notices().lines(err::println);
        err.flush();
        return CommandLine.ExitCode.OK;
    }
}
