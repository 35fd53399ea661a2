package io.penstock.dataplane.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Spec;

/** {@code penstock version}: what runs, on what. */
@Command(
        name = "version",
        description = "Prints the versions of Penstock and of what it runs on.",
        mixinStandardHelpOptions = true)
final class VersionCommand implements Callable<Integer>, CommandLine.IVersionProvider {
    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public Integer call() {
        for (String line : getVersion()) {
            spec.commandLine().getOut().println(line);
        }
        spec.commandLine().getOut().flush();
        return 0;
    }

    @Override
    public String[] getVersion() {
        String version = Penstock.class.getPackage().getImplementationVersion();
        return new String[] {
            "penstock " + (version == null ? "(unpackaged)" : version),
            "java " + Runtime.version() + " (" + System.getProperty("java.vendor") + ")",
            System.getProperty("os.name") + " " + System.getProperty("os.version") + " " + System.getProperty("os.arch")
        };
    }
}
