package io.penstock.dataplane.cli;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Command lines that start this program again, as a process of its own, under the same Java.
 *
 * <p><b>Threading:</b> stateless.
 */
final class JavaCommand {
    private JavaCommand() {}

    /** A simulated engine: small, and cheap to start, since several share a machine with what is being shown. */
    static List<String> engine(JvmFlags flags, boolean large) {
        return command(
                flags,
                List.of("-Xms32m", large ? "-Xmx2g" : "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    }

    /** A router. */
    static List<String> router(JvmFlags flags) {
        return command(flags, List.of("-Xms128m", "-Xmx1g", "-XX:+UseG1GC", "-XX:MaxGCPauseMillis=20"));
    }

    /** The archive of parsed classes that this JVM was started with: it saves a fresh process a second of work. */
    private static List<String> classArchive() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("-XX:AOTCache=")
                        || argument.startsWith("-XX:SharedArchiveFile=")
                        // What keeps the JVM from talking about an archive that it cannot use.
                        || argument.startsWith("-Xlog:aot")
                        || argument.startsWith("-Xlog:cds"))
                .toList();
    }

    private static List<String> command(JvmFlags flags, List<String> memory) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags.withoutMemory());
        command.addAll(memory);
        command.addAll(classArchive());
        String home = System.getProperty("penstock.home");
        if (home != null) {
            command.add("-Dpenstock.home=" + home);
        }
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(Penstock.class.getName());
        return command;
    }
}
