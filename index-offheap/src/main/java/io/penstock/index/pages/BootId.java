package io.penstock.index.pages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Which boot of the machine this is: what a killed process left in the page cache is only there until the next boot.
 *
 * @param high upper 64 bits, 0 where the platform has none
 * @param low lower 64 bits
 *
 * <p><b>Threading:</b> immutable.
 */
public record BootId(long high, long low) {
    private static final Path SOURCE = Path.of("/proc/sys/kernel/random/boot_id");

    /** No platform boot id: equal to none, so that a file left dirty is never trusted. */
    static final BootId UNKNOWN = new BootId(0, 0);

    /** The running boot; overridden by the system property {@code penstock.index.bootId} in tests. */
    public static BootId current() {
        String given = System.getProperty("penstock.index.bootId");
        try {
            UUID id = UUID.fromString(
                    given != null ? given : Files.readString(SOURCE).strip());
            return new BootId(id.getMostSignificantBits(), id.getLeastSignificantBits());
        } catch (IOException | IllegalArgumentException unreadable) {
            return UNKNOWN;
        }
    }

    /** Whether memory left behind under {@code other} may still be believed. */
    public boolean sameAs(BootId other) {
        return !equals(UNKNOWN) && equals(other);
    }
}
