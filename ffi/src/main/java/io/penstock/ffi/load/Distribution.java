package io.penstock.ffi.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Which installed Python package a file belongs to, by the packages' own records ({@code *.dist-info/RECORD}).
 *
 * <p><b>Threading:</b> stateless.
 */
final class Distribution {
    /** A library lies at most so many folders below {@code site-packages}. */
    private static final int DEPTH = 4;

    private static final String SUFFIX = ".dist-info";

    private Distribution() {}

    /** {@code name version} of the package that brought the file; {@code unknown} where none says so. */
    static String versionOf(Path file) {
        Path folder = file.isAbsolute() ? file.getParent() : null;
        for (int i = 0; i < DEPTH && folder != null; i++, folder = folder.getParent()) {
            String record = folder.relativize(file).toString();
            try (DirectoryStream<Path> infos = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
                for (Path info : infos) {
                    if (lists(info.resolve("RECORD"), record)) {
                        String name = info.getFileName().toString();
                        return name.substring(0, name.length() - SUFFIX.length())
                                .replace('_', '-')
                                .replaceFirst("-(?=[0-9][^-]*$)", " ");
                    }
                }
            } catch (IOException unreadable) {
                // A folder that may not be listed holds no answer; the version is the only thing lost.
            }
        }
        return "unknown";
    }

    private static boolean lists(Path records, String file) throws IOException {
        if (!Files.isReadable(records)) {
            return false;
        }
        try (var lines = Files.lines(records, StandardCharsets.UTF_8)) {
            return lines.anyMatch(line -> line.startsWith(file + ",") || line.startsWith("\"" + file + "\","));
        }
    }
}
