package io.penstock.dataplane.sinks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongPredicate;

/**
 * Environment variables as Dynamo reads them: trimmed, blank is unset, the first name that can be used wins, a number
 * that is none counts as unset.
 *
 * <p><b>Threading:</b> one thread.
 */
final class EnvVariables {
    private final Map<String, String> values;
    private final List<String> warnings;

    EnvVariables(Map<String, String> values, List<String> warnings) {
        this.values = values;
        this.warnings = warnings;
    }

    /** First set value of the names, or null. */
    String text(String... names) {
        for (String name : names) {
            String value = values.get(name);
            if (value != null && !value.isBlank()) {
                return value.strip();
            }
        }
        return null;
    }

    /** Value of the first of the names that holds a number {@code fits}, else {@code otherwise}. */
    long number(long otherwise, LongPredicate fits, String... names) {
        for (String name : names) {
            String value = text(name);
            if (value == null) {
                continue;
            }
            try {
                long number = Long.parseLong(value);
                if (number >= 0 && fits.test(number)) {
                    return number;
                }
            } catch (NumberFormatException ignored) {
                // Told below, together with numbers out of range.
            }
            warnings.add("not a number to use here, ignored: " + name + "=" + value);
        }
        return otherwise;
    }

    /** Whether it says yes: 1, true, on, yes. */
    boolean truthy(String name) {
        String value = text(name);
        return value != null
                && switch (value.toLowerCase(Locale.ROOT)) {
                    case "1", "true", "on", "yes" -> true;
                    default -> false;
                };
    }

    /** The words of a list between commas, lower case, without empty ones. */
    static List<String> words(String list) {
        List<String> words = new ArrayList<>();
        for (String word : list.split(",", -1)) {
            if (!word.isBlank()) {
                words.add(word.strip().toLowerCase(Locale.ROOT));
            }
        }
        return words;
    }
}
