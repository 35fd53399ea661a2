package io.penstock.ffi.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The folders in which a Python interpreter looks for packages, by its own word ({@code sys.path}), so that virtual
 * environments, user installations and distributions' layouts need no rules here.
 *
 * <p><b>Threading:</b> immutable; {@link #of} starts the interpreter and waits for it.
 */
final class SitePackages {
    private static final int PATIENCE_SECONDS = 20;

    private final List<Path> folders;
    private final String cause;

    private SitePackages(List<Path> folders, String cause) {
        this.folders = folders;
        this.cause = cause;
    }

    /** Asks an interpreter. */
    static SitePackages of(String python) {
        Process process = null;
        try {
            process = new ProcessBuilder(python, "-c", "import sys\nfor p in sys.path: print(p)")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.getOutputStream().close();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                return failed("gave no answer in " + PATIENCE_SECONDS + " s", python);
            }
            if (process.exitValue() != 0) {
                return failed("ended with " + process.exitValue(), python);
            }
            List<Path> folders = new ArrayList<>();
            String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            for (String line : answer.split("\n", -1)) {
                if (line.startsWith("/") && Files.isDirectory(Path.of(line))) {
                    folders.add(Path.of(line));
                }
            }
            return new SitePackages(folders, null);
        } catch (IOException e) {
            return failed("cannot be started", python);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return failed("was not waited for", python);
        } finally {
            if (process != null) {
                process.destroyForcibly();
            }
        }
    }

    private static SitePackages failed(String what, String python) {
        return new SitePackages(List.of(), what + ": libraries.python=" + python);
    }

    /** The first file that one of the globs names, in the order of the globs; null if there is none. */
    Path find(List<String> globs) {
        for (String glob : globs) {
            for (Path folder : folders) {
                Path file = find(folder, glob);
                if (file != null) {
                    return file;
                }
            }
        }
        return null;
    }

    private static Path find(Path folder, String glob) {
        int slash = glob.indexOf('/');
        String name = slash < 0 ? glob : glob.substring(0, slash);
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, name)) {
            for (Path entry : entries) {
                Path file = slash < 0 ? entry : find(entry, glob.substring(slash + 1));
                if (file != null && Files.isRegularFile(file)) {
                    return file;
                }
            }
        } catch (IOException unreadable) {
            // What cannot be listed is not found there; the search goes on.
        }
        return null;
    }

    /** Why the interpreter gave no answer; null if it did. */
    String cause() {
        return cause;
    }
}
