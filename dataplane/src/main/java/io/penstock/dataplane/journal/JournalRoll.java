package io.penstock.dataplane.journal;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import net.openhft.chronicle.queue.RollCycle;
import net.openhft.chronicle.queue.RollCycles;

/**
 * How often the journal begins a new file; names are Chronicle's, in UTC.
 *
 * <p><b>Threading:</b> immutable.
 */
public enum JournalRoll {
    /** {@code 20261130-0815V.cq4}. */
    FIVE_MINUTELY(RollCycles.FIVE_MINUTELY, "yyyyMMdd-HHmm", 'V'),
    /** {@code 20261130-08F.cq4}. */
    HOURLY(RollCycles.FAST_HOURLY, "yyyyMMdd-HH", 'F'),
    /** {@code 20261130F.cq4}. */
    DAILY(RollCycles.FAST_DAILY, "yyyyMMdd", 'F');

    /** End of a file's name. */
    static final String SUFFIX = ".cq4";

    /** A position is the file's cycle times 2^32 and the record's number in the file. */
    static final int SEQUENCE_BITS = 32;

    private final RollCycle cycle;
    private final String pattern;
    private final DateTimeFormatter format;
    private final char letter;

    JournalRoll(RollCycle cycle, String pattern, char letter) {
        this.cycle = cycle;
        this.pattern = pattern;
        this.letter = letter;
        // The hour stands for itself where minutes are left out.
        format = DateTimeFormatter.ofPattern(pattern + (pattern.contains("HH") ? "" : "-HH"), Locale.ROOT);
    }

    RollCycle cycle() {
        return cycle;
    }

    /** The roll that gives files such names, or null. */
    static JournalRoll ofFile(String name) {
        for (JournalRoll roll : values()) {
            if (roll.cycleOf(name) >= 0) {
                return roll;
            }
        }
        return null;
    }

    /** Number of the file's cycle, or -1 if it is no file of this roll. */
    int cycleOf(String name) {
        int length = pattern.length();
        if (name.length() != length + 1 + SUFFIX.length() || name.charAt(length) != letter || !name.endsWith(SUFFIX)) {
            return -1;
        }
        String time = name.substring(0, length) + (pattern.contains("HH") ? "" : "-00");
        try {
            long ms = LocalDateTime.parse(padded(time), DateTimeFormatter.ofPattern("yyyyMMdd-HHmm", Locale.ROOT))
                    .toInstant(ZoneOffset.UTC)
                    .toEpochMilli();
            return (int) (ms / cycle.lengthInMillis());
        } catch (DateTimeParseException other) {
            return -1;
        }
    }

    private static String padded(String time) {
        return time.length() == "yyyyMMdd-HH".length() ? time + "00" : time;
    }

    /** Name of the cycle's file. */
    String fileOf(int number) {
        return format.format(LocalDateTime.ofEpochSecond(beginMs(number) / 1000, 0, ZoneOffset.UTC))
                        .substring(0, pattern.length())
                + letter
                + SUFFIX;
    }

    /** When the cycle began, ms since 1970. */
    long beginMs(int number) {
        return (long) number * cycle.lengthInMillis();
    }

    /** The cycle before the one of a time, -1 for none. */
    int before(long ms) {
        return ms <= 0 ? -1 : (int) (ms / cycle.lengthInMillis()) - 1;
    }

    /** When it ends. */
    long endMs(int number) {
        return beginMs(number + 1);
    }
}
