package io.penstock.dataplane.cli;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A time on the command line: {@code 2026-11-30T08:00:00Z}, the same without zone for the local one, {@code 1764489600000} (ms
 * since 1970), or so long before now: {@code 90s}, {@code 15m}, {@code 2h}, {@code 1d}.
 *
 * <p><b>Threading:</b> stateless.
 */
final class TimeArgument {
    private static final Pattern AGO = Pattern.compile("(\\d{1,9})([smhd])");
    private static final Pattern EPOCH = Pattern.compile("\\d{12,14}");

    private TimeArgument() {}

    /**
     * Milliseconds since 1970.
     *
     * @param name of the option, for the complaint
     * @throws IllegalArgumentException in one line, if it is no time
     */
    static long ms(String text, String name, long nowMs) {
        Matcher ago = AGO.matcher(text);
        if (ago.matches()) {
            return nowMs - Long.parseLong(ago.group(1)) * unitMs(ago.group(2).charAt(0));
        }
        if (EPOCH.matcher(text).matches()) {
            return Long.parseLong(text);
        }
        try {
            return text.matches(".*(Z|[+-]\\d\\d:?\\d\\d)")
                    ? OffsetDateTime.parse(text).toInstant().toEpochMilli()
                    : LocalDateTime.parse(text)
                            .atZone(ZoneId.systemDefault())
                            .toInstant()
                            .toEpochMilli();
        } catch (DateTimeException notSo) {
            throw new IllegalArgumentException(
                    "not a time like " + Instant.ofEpochMilli(0) + " or 15m: " + name + "=" + text, notSo);
        }
    }

    private static long unitMs(char unit) {
        return switch (unit) {
            case 's' -> 1_000;
            case 'm' -> 60_000;
            case 'h' -> 3_600_000;
            default -> 86_400_000;
        };
    }
}
