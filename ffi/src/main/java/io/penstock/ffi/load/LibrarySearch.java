package io.penstock.ffi.load;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Where to look for a library: the explicit path, then the {@code site-packages} of the interpreter, then the system's loader.
 * An explicit path that is wrong is an answer; nothing else is tried then.
 *
 * @param library path of the library, or null
 * @param python interpreter whose {@code sys.path} is searched (a path, or a name on {@code PATH}), or null
 * @param dependencies libraries to open before it by these paths; each takes the place of the spec's dependency with the same
 *     file name, the others are opened last, in this order
 * @param note why a set-up could not provide the library, for the cause where it is absent; or null
 *     <p><b>Threading:</b> immutable.
 */
public record LibrarySearch(Path library, String python, List<Path> dependencies, String note) {
    /** Setting and last part of the system property and variable: the interpreter. */
    public static final String PYTHON = "python";

    /** The same: paths of dependencies, separated as in {@code PATH}. */
    public static final String DEPENDENCIES = "dependencies";

    /** The same: a file with {@code KEY=VALUE} lines that {@code perf/native/setup.sh} wrote. */
    public static final String ENV_FILE = "env";

    /** Only the system's loader. */
    public static final LibrarySearch SYSTEM = new LibrarySearch(null, null, List.of(), null);

    private static final String PROPERTY = "penstock.libraries.";

    public LibrarySearch {
        dependencies = List.copyOf(dependencies);
    }

    /** The search that an explicit path stands for. */
    public static LibrarySearch at(Path library) {
        return new LibrarySearch(library, null, List.of(), null);
    }

    /**
     * What this process was told: system properties {@code penstock.libraries.nixl}, {@code .mooncakeStore}, {@code .python},
     * {@code .dependencies}, {@code .env}; where one is not set, the variables {@code PENSTOCK_LIBRARIES_NIXL},
     * {@code PENSTOCK_LIBRARIES_MOONCAKE_STORE} and so on; where the library's path is in neither, the env file.
     *
     * @throws IllegalArgumentException the env file is there and cannot be read
     */
    public static LibrarySearch ofProcess(LibrarySpec spec) {
        String library = told(spec.key());
        String dependencies = told(DEPENDENCIES);
        String note = null;
        String envFile = told(ENV_FILE);
        if (library == null && envFile != null) {
            Map<String, String> env = envFile(Path.of(envFile));
            library = env.get(spec.variable());
            note = env.get(spec.variable() + "_ABSENT");
            dependencies = dependencies == null ? env.get(spec.preloadVariable()) : dependencies;
        }
        Path path = library == null ? null : Path.of(library);
        return new LibrarySearch(path, told(PYTHON), paths(dependencies), note);
    }

    /** Paths of a list separated as in {@code PATH}; null is the empty list. */
    static List<Path> paths(String list) {
        List<Path> paths = new ArrayList<>();
        if (list != null) {
            for (String path : list.split(File.pathSeparator, -1)) {
                if (!path.isBlank()) {
                    paths.add(Path.of(path));
                }
            }
        }
        return paths;
    }

    private static String told(String key) {
        String value = System.getProperty(PROPERTY + key);
        if (value == null) {
            value = System.getenv("PENSTOCK_LIBRARIES_" + variable(key));
        }
        return value == null || value.isBlank() ? null : value;
    }

    /** {@code mooncakeStore} as {@code MOONCAKE_STORE}. */
    static String variable(String key) {
        return key.replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
    }

    /** Lines {@code KEY=VALUE} of a file; a file that is not there (yet) says nothing. */
    private static Map<String, String> envFile(Path file) {
        Map<String, String> env = new HashMap<>();
        if (!Files.exists(file)) {
            return env;
        }
        try {
            for (String line : Files.readAllLines(file)) {
                int equals = line.indexOf('=');
                if (equals > 0) {
                    env.put(line.substring(0, equals), line.substring(equals + 1));
                }
            }
            return env;
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot be read: " + PROPERTY + ENV_FILE + "=" + file, e);
        }
    }
}
