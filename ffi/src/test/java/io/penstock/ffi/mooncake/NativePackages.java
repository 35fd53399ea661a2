package io.penstock.ffi.mooncake;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;

/**
 * Where the packages that only tests need were installed: the file of {@code KEY=VALUE} lines that the system property
 * {@value #ENV_FILE} or the variable {@code PENSTOCK_LIBRARIES_ENV} names.
 *
 * <p><b>Threading:</b> immutable.
 */
public final class NativePackages {
    private static final String ENV_FILE = "penstock.libraries.env";
    private static final Map<String, String> ENV = read();

    private NativePackages() {}

    private static Map<String, String> read() {
        String file = System.getProperty(ENV_FILE, System.getenv("PENSTOCK_LIBRARIES_ENV"));
        if (file == null || !Files.isReadable(Path.of(file))) {
            return Map.of();
        }
        try (var lines = Files.lines(Path.of(file))) {
            return lines.filter(line -> line.indexOf('=') > 0)
                    .collect(Collectors.toMap(
                            line -> line.substring(0, line.indexOf('=')),
                            line -> line.substring(line.indexOf('=') + 1),
                            (first, second) -> second));
        } catch (IOException e) {
            throw new IllegalStateException("cannot be read: " + ENV_FILE + "=" + file, e);
        }
    }

    /** Skips the calling test, by name, where no master with KV events is installed. */
    public static void assumeMaster() {
        Assumptions.assumeTrue(
                ENV.containsKey("MOONCAKE_MASTER"),
                () -> "no Mooncake master: "
                        + ENV.getOrDefault(
                                "MOONCAKE_MASTER_ABSENT", "perf/native/setup.sh installs one, and did not run here"));
    }

    /** Skips the calling test, by name, where the store's library cannot be used. */
    public static void assumeStore() {
        Assumptions.assumeTrue(
                LibMooncakeStore.isAvailable(),
                () -> "no Mooncake store library: " + LibMooncakeStore.unavailabilityCause());
    }

    static Path master() {
        return Path.of(ENV.get("MOONCAKE_MASTER"));
    }

    /** Folders with libraries that the master needs and the system may lack. */
    static Optional<String> masterLibraries() {
        return Optional.ofNullable(ENV.get("MASTER_LD_LIBRARY_PATH"));
    }
}
