package io.penstock.index.pages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A new index file takes the name of an old one: both are two files, so that it cannot be one step of the file system.
 * The old one is set aside as {@code FILE.former} until the new one has the name; an exchange that was cut is undone by
 * the next open, or completed where only the clearing away was left.
 *
 * <p>Its header is the first that leaves and the first that is cleared away, so what lies there tells how far it came:
 * <pre>
 * FILE.former.header  FILE.former  FILE
 *        no                -         -    nothing was cut, or {@code FILE.former} is to be cleared away
 *        yes              no        yes   only the old header had left
 *        yes              yes        no   the old file had left
 *        yes              yes       yes   the new one has the name
 * </pre>
 *
 * <p><b>Threading:</b> one thread, under the file's {@link WriterLock}.
 */
public final class NameExchange {
    private static final String HEADER = ".header";

    private NameExchange() {}

    /** Gives {@code fresh} the name of {@code file}, which goes. */
    public static void take(Path file, Path fresh) throws IOException {
        settle(file);
        Path former = former(file);
        move(header(file), header(former));
        move(file, former);
        move(header(fresh), header(file));
        move(fresh, file);
        clearAway(former);
    }

    /** Whether {@link #settle} has something to do. */
    public static boolean wasCut(Path file) {
        return Files.exists(header(former(file))) || Files.exists(former(file));
    }

    /** Undoes or completes an exchange that was cut; without one it does nothing. */
    public static void settle(Path file) throws IOException {
        Path former = former(file);
        boolean begun = Files.exists(header(former));
        if (begun && !(Files.exists(former) && Files.exists(file))) {
            if (Files.exists(former)) {
                move(former, file);
            }
            move(header(former), header(file));
        }
        clearAway(former);
    }

    private static void clearAway(Path former) throws IOException {
        Files.deleteIfExists(header(former));
        Files.deleteIfExists(former);
    }

    private static Path former(Path file) {
        return file.resolveSibling(file.getFileName() + ".former");
    }

    private static Path header(Path file) {
        return file.resolveSibling(file.getFileName() + HEADER);
    }

    private static void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }
}
