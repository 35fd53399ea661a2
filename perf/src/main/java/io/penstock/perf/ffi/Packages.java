package io.penstock.perf.ffi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * What {@code perf/native/setup.sh} installed: the keys of its {@code native.env}.
 *
 * <p><b>Threading:</b> immutable.
 */
final class Packages {
    private final Map<String, String> keys;

    private Packages(Map<String, String> keys) {
        this.keys = keys;
    }

    /**
     * Those of a folder.
     *
     * @throws IllegalArgumentException nothing was installed there
     */
    static Packages in(Path folder) throws IOException {
        Path env = folder.resolve("native.env");
        if (!Files.exists(env)) {
            throw new IllegalArgumentException(
                    "no native packages, run perf/native/setup.sh " + folder + " first: packages=" + folder);
        }
        Map<String, String> keys = new HashMap<>();
        for (String line : Files.readAllLines(env)) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                keys.put(line.substring(0, equals), line.substring(equals + 1));
            }
        }
        return new Packages(keys);
    }

    /** Whether it is there. */
    boolean has(String key) {
        return keys.containsKey(key);
    }

    /** Its value; {@code other} where it is absent. */
    String get(String key, String other) {
        return keys.getOrDefault(key, other);
    }

    /** Why it is absent. */
    String cause(String key) {
        return keys.getOrDefault(key + "_ABSENT", "not installed");
    }
}
