package io.penstock.dataplane.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The flags that the JVM must have been started with, from the one file that launcher, tests and manifest read too.
 *
 * <p>Module exports and opens, native access and system properties are judged by their effect, so that a manifest serves
 * as well as a command line. Heap and collector ({@code -X...}) are advice: a deployment may choose its own.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param origin file the flags come from
 * @param flags one flag each, in the file's order
 */
record JvmFlags(String origin, List<String> flags) {
    private static final String FILE = "config/jvm.flags";
    private static final String RESOURCE = "/io/penstock/dataplane/cli/jvm.flags";

    /** The flags file of this installation, or the copy packaged with the classes. */
    static JvmFlags load() {
        for (Path home : homes()) {
            Path file = home.resolve(FILE);
            if (Files.isRegularFile(file)) {
                try {
                    return new JvmFlags(file.toString(), parse(Files.readString(file)));
                } catch (IOException e) {
                    throw new IllegalArgumentException("flags file unreadable: file=" + file, e);
                }
            }
        }
        try (InputStream in = JvmFlags.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("no flags file: neither " + FILE + " nor packaged " + RESOURCE);
            }
            return new JvmFlags("packaged jvm.flags", parse(new String(in.readAllBytes(), StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where this installation may lie: as told, or around the jar. */
    static List<Path> homes() {
        String told = System.getProperty("penstock.home");
        if (told != null) {
            return List.of(Path.of(told));
        }
        try {
            Path code = Path.of(JvmFlags.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            Path folder = Files.isDirectory(code) ? code : code.getParent();
            Path above = folder.getParent();
            return above == null ? List.of(folder) : List.of(folder, above);
        } catch (URISyntaxException e) {
            return List.of();
        }
    }

    /** Flags of a file: comments and blank lines left out. */
    static List<String> parse(String text) {
        return text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .toList();
    }

    /** The first flag that has no effect in this JVM. */
    Optional<String> firstMissing() {
        return flags.stream().filter(flag -> !holds(flag)).findFirst();
    }

    /** The flags without heap and collector, for a process that has its own. */
    List<String> withoutMemory() {
        return flags.stream()
                .filter(flag -> !flag.startsWith("-Xm") && !flag.startsWith("-XX:"))
                .toList();
    }

    private static boolean holds(String flag) {
        if (flag.startsWith("--add-exports=") || flag.startsWith("--add-opens=")) {
            return reaches(flag);
        }
        if (flag.startsWith("--enable-native-access=")) {
            return JvmFlags.class.getModule().isNativeAccessEnabled();
        }
        if (flag.startsWith("-D")) {
            int equals = flag.indexOf('=');
            return flag.substring(equals + 1).equals(System.getProperty(flag.substring(2, equals)));
        }
        if (flag.startsWith("-X")) {
            return true;
        }
        return ManagementFactory.getRuntimeMXBean().getInputArguments().contains(flag);
    }

    private static boolean reaches(String flag) {
        String target = flag.substring(flag.indexOf('=') + 1, flag.lastIndexOf('='));
        int slash = target.indexOf('/');
        String packageName = target.substring(slash + 1);
        Module ours = JvmFlags.class.getModule();
        Optional<Module> module = ModuleLayer.boot().findModule(target.substring(0, slash));
        return module.isPresent()
                && (flag.startsWith("--add-opens=")
                        ? module.get().isOpen(packageName, ours)
                        : module.get().isExported(packageName, ours));
    }
}
