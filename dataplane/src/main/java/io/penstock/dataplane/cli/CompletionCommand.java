package io.penstock.dataplane.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Spec;

/** {@code penstock completion}: the script that bash and zsh read. */
@Command(
        name = "completion",
        description = "Prints a completion script for bash and zsh: source <(penstock completion)",
        mixinStandardHelpOptions = true)
final class CompletionCommand implements Callable<Integer> {
    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public Integer call() {
        CommandLine root = spec.root().commandLine();
        spec.commandLine().getOut().print(AutoComplete.bash(root.getCommandName(), root));
        spec.commandLine().getOut().flush();
        return 0;
    }
}
