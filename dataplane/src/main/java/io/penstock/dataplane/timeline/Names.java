package io.penstock.dataplane.timeline;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Texts that repeat, by number in the order of their first use.
 *
 * <p><b>Threading:</b> one thread.
 */
final class Names {
    private final Map<String, Integer> numbers = new LinkedHashMap<>();

    Names() {
        // 0 stands for what is not known.
        numbers.put("", 0);
    }

    int number(String text) {
        return text == null ? 0 : numbers.computeIfAbsent(text, any -> numbers.size());
    }

    Set<String> all() {
        return numbers.keySet();
    }
}
