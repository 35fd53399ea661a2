package io.penstock.dataplane.cli;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.penstock.dataplane.export.AtifCompanion;
import io.penstock.dataplane.export.LettaCompanion;
import io.penstock.dataplane.export.Notices;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code penstock trace}: joins a journal with the trajectory that a harness wrote of the same session.
 *
 * <p><b>Threading:</b> main thread.
 */
@Command(
        name = "trace",
        description = "Joins a journal with the trajectory file that an agent's harness wrote.",
        mixinStandardHelpOptions = true)
final class TraceCommand implements Runnable {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "a subcommand is expected: "
                        + String.join(", ", spec.subcommands().keySet()));
    }

    @Command(
            name = "atif",
            description = {
                "Prints an ATIF trajectory with the journal's numbers in extra.dynamo and in each step's metrics.extra.",
                "The session is that of trajectory_id or session_id, else the one that has most of the tool calls."
            },
            mixinStandardHelpOptions = true)
    void atif(
            @Parameters(paramLabel = "FILE", description = "ATIF trajectory.") Path file,
            @Parameters(arity = "1..*", paramLabel = "JOURNAL", description = "Journal folder or Dynamo trace files.")
                    List<Path> journal,
            @Option(names = "--session", paramLabel = "ID", description = "The root's session in the journal.")
                    String session,
            @Option(
                            names = {"-o", "--output"},
                            paramLabel = "OUT",
                            description = "File; default: standard output.")
                    Path output)
            throws IOException {
        AtifCompanion companion = new AtifCompanion(TraceArguments.source(journal));
        JsonNode document = read(file);
        companion.fill(document, session);
        write(document, output, companion.notices());
    }

    @Command(
            name = "letta",
            description = {
                "Prints a file to stand beside a Letta trajectory: the requests of each call, the tools, the rest.",
                "The session is the one that has most of the trajectory's tool calls."
            },
            mixinStandardHelpOptions = true)
    void letta(
            @Parameters(paramLabel = "FILE", description = "Letta trajectory.") Path file,
            @Parameters(arity = "1..*", paramLabel = "JOURNAL", description = "Journal folder or Dynamo trace files.")
                    List<Path> journal,
            @Option(names = "--session", paramLabel = "ID", description = "The session in the journal.") String session,
            @Option(
                            names = {"-o", "--output"},
                            paramLabel = "OUT",
                            description = "File; default: standard output.")
                    Path output)
            throws IOException {
        LettaCompanion companion = new LettaCompanion(TraceArguments.source(journal));
        JsonNode beside = companion.beside(read(file), file.getFileName().toString(), session);
        write(beside, output, companion.notices());
    }

    private static JsonNode read(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException("no such trajectory: file=" + file);
        }
        return JSON.readTree(file.toFile());
    }

    private void write(JsonNode document, Path output, Notices notices) throws IOException {
        String text = JSON.writerWithDefaultPrettyPrinter().writeValueAsString(document);
        PrintWriter out = spec.commandLine().getOut();
        if (output == null) {
            out.println(text);
            out.flush();
        } else {
            Files.writeString(output, text + "\n");
        }
        PrintWriter err = spec.commandLine().getErr();
        notices.lines(err::println);
        err.flush();
    }
}
