package io.penstock.dataplane.pool;

import static io.penstock.ffi.nixl.NixlConstants.NIXL_CAPI_SUCCESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.penstock.ffi.load.LibrarySpec;
import io.penstock.ffi.load.NativeLibrary;
import io.penstock.ffi.nixl.NixlAgent;
import io.penstock.ffi.nixl.NixlAgentSettings;
import io.penstock.ffi.nixl.NixlCapi;
import io.penstock.ffi.nixl.NixlFiles;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * A store that keeps every object as a file, asked through NIXL ({@code query_mem} of its POSIX backend): what HiCache keeps
 * through NIXL's file plugins.
 *
 * <p>Where the folder itself is not to be seen (a share that is not mounted) nothing is known, rather than everything absent. A
 * name that would lead out of the folder is never asked for, and unknown.
 *
 * <p><b>Threading:</b> one caller at a time; a call blocks as long as the file system does. <b>Cost:</b> about 1 µs a file on a
 * local file system; nothing allocated for names in ASCII.
 */
public final class NixlStore implements SharedPool {
    /** Stands in a template for an object's name. */
    public static final String NAME = "{name}";

    private static final int BATCH = 1_024;
    private static final int MOST_PATH_BYTES = 4_096;
    private static final int PATIENCE_MS = 1_000;

    private final String template;
    private final NixlAgent agent;
    private final NixlFiles files;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment folder;
    private final MemorySegment path = arena.allocate(MOST_PATH_BYTES);
    private final int nameAt;
    private final byte[] after;

    private NixlStore(NixlAgent agent, String template) {
        this.template = template;
        this.agent = agent;
        files = new NixlFiles(agent);
        int at = template.indexOf(NAME);
        byte[] before = template.substring(0, at).getBytes(StandardCharsets.UTF_8);
        after = template.substring(at + NAME.length()).getBytes(StandardCharsets.UTF_8);
        String parent = template.substring(0, Math.max(1, template.lastIndexOf('/', at)));
        folder = arena.allocateFrom(parent);
        nameAt = before.length;
        MemorySegment.copy(before, 0, path, JAVA_BYTE, 0, before.length);
    }

    /**
     * A store of files.
     *
     * @param template absolute path of an object's file, with {@value #NAME} for its name; no folder after that
     * @throws IllegalArgumentException in one line, for a template that cannot work
     * @throws IllegalStateException in one line, where NIXL is absent or refuses
     */
    public static NixlStore open(String template) {
        int at = template.indexOf(NAME);
        if (!template.startsWith("/")
                || at < 0
                || template.indexOf('/', at) >= 0
                || template.indexOf(NAME, at + 1) >= 0
                || template.indexOf('\0') >= 0
                || template.getBytes(StandardCharsets.UTF_8).length > MOST_PATH_BYTES / 2) {
            throw new IllegalArgumentException(
                    "not an absolute path with one " + NAME + " in its last part: template=" + template);
        }
        NativeLibrary library = NativeLibrary.of(LibrarySpec.NIXL);
        if (!library.isAvailable()) {
            throw new IllegalStateException("NIXL is not available: " + library.cause());
        }
        NixlAgent agent = NixlAgent.open(NixlCapi.of(library.symbols()), NixlAgentSettings.named("penstock-files"));
        try {
            return new NixlStore(agent, template);
        } catch (RuntimeException refused) {
            agent.close();
            throw refused;
        }
    }

    @Override
    public String describe() {
        return "files through NIXL: " + template;
    }

    @Override
    public int patienceMs() {
        return PATIENCE_MS;
    }

    @Override
    public boolean probeRenewsLeases() {
        return false;
    }

    @Override
    public int probe(List<String> names, byte[] out) {
        Arrays.fill(out, 0, names.size(), UNKNOWN);
        int known = 0;
        for (int from = 0; from < names.size(); from += BATCH) {
            known += probe(names, from, Math.min(names.size(), from + BATCH), out);
        }
        return known;
    }

    private int probe(List<String> names, int from, int to, byte[] out) {
        try {
            int asked = files.add(folder, folder.byteSize() - 1) == NIXL_CAPI_SUCCESS ? 1 : 0;
            for (int i = from; i < to; i++) {
                long bytes = write(names.get(i));
                if (bytes > 0 && files.add(path, bytes) == NIXL_CAPI_SUCCESS) {
                    // Its place among the answers, until they are there.
                    out[i] = PRESENT;
                    asked++;
                }
            }
            boolean answered = asked > 1 && files.query() == NIXL_CAPI_SUCCESS && files.exists(0);
            int at = 1;
            for (int i = from; i < to; i++) {
                if (out[i] == PRESENT) {
                    out[i] = answered ? (files.exists(at) ? PRESENT : ABSENT) : UNKNOWN;
                    at++;
                }
            }
            return answered ? asked - 1 : 0;
        } finally {
            files.clear();
        }
    }

    /** Writes the name's path; answers its bytes, or 0 for a name that no file of the folder can have. */
    private long write(String name) {
        int length = name.length();
        if (length == 0 || nameAt + 4L * length + after.length > MOST_PATH_BYTES) {
            return 0;
        }
        boolean dots = true;
        for (int i = 0; i < length; i++) {
            char c = name.charAt(i);
            if (c == '/' || c == 0) {
                return 0;
            }
            dots &= c == '.';
            if (c >= 0x80) {
                return end(encoded(name));
            }
            path.set(JAVA_BYTE, nameAt + i, (byte) c);
        }
        return dots ? 0 : end(length);
    }

    private int encoded(String name) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        MemorySegment.copy(utf8, 0, path, JAVA_BYTE, nameAt, utf8.length);
        return utf8.length;
    }

    private long end(int nameBytes) {
        MemorySegment.copy(after, 0, path, JAVA_BYTE, (long) nameAt + nameBytes, after.length);
        return (long) nameAt + nameBytes + after.length;
    }

    @Override
    public void close() {
        files.close();
        agent.close();
        arena.close();
    }
}
