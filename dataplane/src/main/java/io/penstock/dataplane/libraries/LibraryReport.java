package io.penstock.dataplane.libraries;

import io.penstock.ffi.load.LibrarySpec;
import io.penstock.ffi.load.LibraryState;
import io.penstock.ffi.load.NativeLibrary;
import io.penstock.ffi.zmq.LibZmq;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What became of a native library.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param name as people call it
 * @param state {@code found}, {@code absent}, {@code unusable}, or {@code unused}: nothing here asked for it
 * @param version of the package that it came with; {@code unknown} for another build; null unless found
 * @param path its file; null where there is none
 * @param cause why it is not there; null if it is
 * @param without what Penstock does without it
 * @param install what to do to have it
 */
public record LibraryReport(
        String name, String state, String version, String path, String cause, String without, String install) {
    /** State of a library that nothing asked for. */
    public static final String UNUSED = "unused";

    private static final String FOUND = label(LibraryState.FOUND);
    private static final String ABSENT = label(LibraryState.ABSENT);
    private static final String UNUSABLE = label(LibraryState.UNUSABLE);

    /** How the system's loader begins where a library that another needs is missing. */
    private static final Pattern NEEDED = Pattern.compile("([^/:\\s]+): cannot open shared object file");

    private static final Map<String, String> PROVIDERS = Map.of(
            "libcuda.so.1", "a CUDA driver, or a build without CUDA",
            "libcudart.so.13", "pip install nvidia-cuda-runtime beside it",
            "libibverbs.so.1", "the system's package, libibverbs1 on Debian",
            "libmlx5.so.1", "the system's package, ibverbs-providers on Debian",
            "libcurl.so.4", "the system's package, libcurl4 on Debian",
            "libnuma.so.1", "the system's package, libnuma1 on Debian");

    private static final Map<LibrarySpec, String> WITHOUT = Map.of(
            LibrarySpec.NIXL, "no hints over NIXL, no store behind NIXL is asked",
            LibrarySpec.MOONCAKE_STORE, "objects of a Mooncake store are asked for over its master's HTTP port");

    /** What this process has; libraries that nothing asked for are not opened for it. */
    public static List<LibraryReport> ofProcess() {
        List<LibraryReport> reports = new ArrayList<>();
        for (LibrarySpec spec : LibrarySpec.ALL) {
            NativeLibrary library = NativeLibrary.asked(spec);
            reports.add(
                    library == null
                            ? new LibraryReport(
                                    spec.name(), UNUSED, null, null, null, WITHOUT.get(spec), spec.install())
                            : of(library));
        }
        return reports;
    }

    /** What a search found. */
    public static LibraryReport of(NativeLibrary library) {
        LibrarySpec spec = library.spec();
        return new LibraryReport(
                spec.name(),
                label(library.state()),
                library.version(),
                library.path(),
                library.cause(),
                WITHOUT.get(spec),
                install(library));
    }

    /** Where the file is there and one that it needs is not, it is that one that has to be installed. */
    private static String install(NativeLibrary library) {
        Matcher needed = library.cause() == null ? null : NEEDED.matcher(library.cause());
        if (needed == null || !needed.lookingAt()) {
            return library.spec().install();
        }
        return PROVIDERS.getOrDefault(needed.group(1), "the system's package that has " + needed.group(1));
    }

    /** libzmq, which is looked for by its name alone. */
    public static LibraryReport zmq() {
        Throwable missing = LibZmq.unavailabilityCause();
        return new LibraryReport(
                "libzmq",
                missing == null ? FOUND : ABSENT,
                missing == null ? LibZmq.version() : null,
                missing == null ? "libzmq.so.5" : null,
                missing == null ? null : "libzmq.so.5 is not on the system's library path",
                "engines' events are read by JeroMQ, which costs more",
                "the system's package, libzmq5 on Debian");
    }

    /** Whether something is wrong that was not meant to be: a file is there and cannot be used. */
    public boolean unusable() {
        return state.equals(UNUSABLE);
    }

    /** Whether it can be called. */
    public boolean found() {
        return state.equals(FOUND);
    }

    /** Members of a JSON object, without those that say nothing. */
    public Map<String, Object> toMap() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("name", name);
        members.put("state", state);
        put(members, "version", version);
        put(members, "path", path);
        put(members, "cause", cause);
        if (!found()) {
            members.put("without", without);
            members.put("install", install);
        }
        return members;
    }

    private static String label(LibraryState state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    private static void put(Map<String, Object> members, String key, String value) {
        if (value != null) {
            members.put(key, value);
        }
    }
}
