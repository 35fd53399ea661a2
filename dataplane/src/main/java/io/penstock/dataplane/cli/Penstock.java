package io.penstock.dataplane.cli;

import java.io.PrintWriter;
import java.util.Optional;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The program. Bad usage and bad configuration: one line on standard error, exit 2; a failure at work: one line, exit 1.
 *
 * <p><b>Threading:</b> main thread.
 */
@Command(
        name = "penstock",
        description = "Routes LLM requests of agents to the engine that already holds their context.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionCommand.class,
        usageHelpAutoWidth = true,
        subcommands = {
            RouteCommand.class,
            EngineCommand.class,
            DemoCommand.class,
            CountersCommand.class,
            InspectCommand.class,
            IndexCommand.class,
            ExportCommand.class,
            TraceCommand.class,
            ExplainCommand.class,
            DoctorCommand.class,
            VersionCommand.class,
            CompletionCommand.class,
            TailCommand.class,
            TimelineCommand.class,
            TrainCommand.class
        })
public final class Penstock implements Runnable {
    /** Exit status after bad usage, bad configuration, or a missing JVM flag. */
    static final int USAGE = 2;

    /** Exit status after a failure at work. */
    static final int FAILURE = 1;

    @Spec
    private CommandLine.Model.CommandSpec spec;

    /** Starts the command line and exits with its status. */
    public static void main(String[] args) {
        if (args.length > 0 && args[0].equals(RouteCommand.NAME)) {
            RouteCommand.prepare();
        }
        Optional<String> missing = JvmFlags.load().firstMissing();
        if (missing.isPresent()) {
            System.err.println(
                    "JVM flag missing: " + missing.get() + " (start with ./penstock, or java @config/jvm.flags)");
            System.exit(USAGE);
        }
        int status = commandLine().execute(args);
        // Subcommands that serve return when they are done; their daemon threads must not keep the exit status waiting.
        System.exit(status);
    }

    /** The command line with its error handling. */
    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Penstock());
        for (CommandProvider provider : ServiceLoader.load(CommandProvider.class)) {
            line.addSubcommand(provider.command());
        }
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setParameterExceptionHandler(Penstock::badUsage);
        line.setExecutionExceptionHandler(Penstock::failed);
        return line;
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "a subcommand is expected: "
                        + String.join(", ", spec.subcommands().keySet()));
    }

    private static int badUsage(ParameterException e, String[] args) {
        PrintWriter err = e.getCommandLine().getErr();
        String command = e.getCommandLine().getCommandSpec().qualifiedName();
        err.println(oneLine(e) + " (see " + command + " --help)");
        err.flush();
        return USAGE;
    }

    private static int failed(Exception e, CommandLine line, CommandLine.ParseResult result) {
        PrintWriter err = line.getErr();
        err.println(oneLine(e));
        if (Boolean.getBoolean("penstock.debug")) {
            e.printStackTrace(err);
        }
        err.flush();
        return e instanceof IllegalArgumentException ? USAGE : FAILURE;
    }

    private static String oneLine(Exception e) {
        String message = e.getMessage() == null ? e.toString() : e.getMessage();
        return String.join(" ", message.lines().map(String::strip).toList());
    }
}
