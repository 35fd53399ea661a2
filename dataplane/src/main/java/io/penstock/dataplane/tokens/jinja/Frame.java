package io.penstock.dataplane.tokens.jinja;

import java.util.HashMap;
import java.util.Map;

/**
 * Names of one scope: the template, a pass of a loop, a call of a macro. {@code if} opens none.
 *
 * <p><b>Threading:</b> owned by the thread that renders.
 */
final class Frame {
    private final Frame outer;
    private final Map<String, Object> names = new HashMap<>();

    Frame(Frame outer) {
        this.outer = outer;
    }

    Object get(String name) {
        for (Frame f = this; f != null; f = f.outer) {
            Object value = f.names.get(name);
            if (value != null || f.names.containsKey(name)) {
                return value;
            }
        }
        return new Undefined(name);
    }

    void set(String name, Object value) {
        names.put(name, value);
    }
}
