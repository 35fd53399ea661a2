package io.penstock.dataplane.tokens.jinja;

import java.util.List;
import java.util.Map;

/**
 * Arguments of a built-in, taken by position or name.
 *
 * @param of the built-in's name, for errors
 * @param list positional arguments
 * @param named named arguments
 */
record Args(String of, List<Object> list, Map<String, Object> named) {
    int size() {
        return list.size() + named.size();
    }

    Object get(int position, String name, Object otherwise) {
        if (position < list.size()) {
            return list.get(position);
        }
        return named.containsKey(name) ? named.get(name) : otherwise;
    }

    Object need(int position, String name) {
        if (position >= list.size() && !named.containsKey(name)) {
            throw new JinjaException(of + " needs an argument: " + name);
        }
        return get(position, name, null);
    }

    boolean flag(int position, String name, boolean otherwise) {
        return Py.truth(get(position, name, otherwise));
    }

    /** A string argument, or null where absent or None. */
    String text(int position, String name) {
        Object v = get(position, name, null);
        if (v == null || v instanceof String) {
            return (String) v;
        }
        throw new JinjaException(of + " needs a string: " + Py.type(v));
    }

    long whole(int position, String name, long otherwise) {
        Object v = get(position, name, null);
        return v == null ? otherwise : Py.integer(v);
    }

    /** The arguments from {@code position} on, for a filter or test named by another. */
    Args from(int position, String name) {
        return new Args(name, list.subList(Math.min(position, list.size()), list.size()), named);
    }
}
