package io.penstock.dataplane.tokens.jinja;

import java.time.LocalDateTime;
import java.time.format.TextStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.util.Locale;

/** Python's {@code datetime.strftime} in the C locale. */
final class Strftime {
    private Strftime() {}

    static String format(LocalDateTime t, String pattern) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c != '%' || i + 1 == pattern.length()) {
                out.append(c);
                continue;
            }
            char d = pattern.charAt(++i);
            boolean bare = d == '-' && i + 1 < pattern.length();
            String field = field(t, bare ? pattern.charAt(++i) : d);
            out.append(bare ? field.replaceFirst("^0+(?=.)", "") : field);
        }
        return out.toString();
    }

    private static String field(LocalDateTime t, char d) {
        return switch (d) {
            case 'Y' -> Integer.toString(t.getYear());
            case 'y' -> two(t.getYear() % 100);
            case 'm' -> two(t.getMonthValue());
            case 'd' -> two(t.getDayOfMonth());
            case 'e' -> String.format("%2d", t.getDayOfMonth());
            case 'H' -> two(t.getHour());
            case 'I' -> two(t.get(ChronoField.CLOCK_HOUR_OF_AMPM));
            case 'M' -> two(t.getMinute());
            case 'S' -> two(t.getSecond());
            case 'f' -> String.format("%06d", t.getNano() / 1000);
            case 'j' -> String.format("%03d", t.getDayOfYear());
            case 'p' -> t.getHour() < 12 ? "AM" : "PM";
            case 'B' -> t.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
            case 'b', 'h' ->
                t.getMonth().getDisplayName(TextStyle.SHORT, Locale.ENGLISH).substring(0, 3);
            case 'A' -> t.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
            case 'a' ->
                t.getDayOfWeek().getDisplayName(TextStyle.SHORT, Locale.ENGLISH).substring(0, 3);
            case 'u' -> Integer.toString(t.getDayOfWeek().getValue());
            case 'w' -> Integer.toString(t.getDayOfWeek().getValue() % 7);
            case 'V' -> two(t.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
            case 'F' -> format(t, "%Y-%m-%d");
            case 'T' -> format(t, "%H:%M:%S");
            case 'D' -> format(t, "%m/%d/%y");
            case 'R' -> format(t, "%H:%M");
            case '%' -> "%";
            default -> throw new JinjaException("strftime_now does not know %" + d);
        };
    }

    private static String two(int n) {
        return String.format("%02d", n);
    }
}
