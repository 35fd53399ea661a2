package io.penstock.dataplane.tokens.jinja;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Attributes, items and calls as Jinja's sandbox resolves them: {@code a.b} looks for an attribute first, then an item;
 * {@code a['b']} the other way round; what changes a list or dict is refused.
 */
final class Access {
    private Access() {}

    static Object attribute(Object of, String name) {
        if (of instanceof Undefined u) {
            throw u.error();
        }
        if (of instanceof Loop l) {
            return l.attribute(name);
        }
        if (of instanceof Namespace n) {
            return n.attributes.containsKey(name) ? n.attributes.get(name) : new Undefined(name);
        }
        Callable found = method(of, name);
        if (found == null && of instanceof Map<?, ?> m && m.containsKey(name)) {
            return m.get(name);
        }
        return found == null ? new Undefined(Py.type(of) + " has no attribute " + name) : found;
    }

    static Object item(Object of, Object key) {
        switch (of) {
            case Undefined u -> throw u.error();
            case Map<?, ?> m
            when m.containsKey(key) -> {
                return m.get(key);
            }
            case List<?> l
            when Py.number(key) && !(key instanceof Double) -> {
                long i = Py.integer(key);
                long at = i < 0 ? i + l.size() : i;
                return at >= 0 && at < l.size() ? l.get((int) at) : new Undefined("no item " + i);
            }
            case String s
            when Py.number(key) && !(key instanceof Double) -> {
                Object one = Py.slice(s, key, Py.integer(key) == -1 ? null : Py.integer(key) + 1, null);
                return "".equals(one) ? new Undefined("no item " + key) : one;
            }
            case null, default -> {}
        }
        if (key instanceof String name) {
            return attribute(of, name);
        }
        return new Undefined(Py.type(of) + " has no item " + PyText.str(key));
    }

    static Object call(Object of, List<Object> args, Map<String, Object> named) {
        return switch (of) {
            case Callable c -> c.call(args, named);
            case Loop l -> l.recurse().call(args, named);
            case Undefined u -> throw u.error();
            case null, default -> throw new JinjaException("not callable: " + Py.type(of));
        };
    }

    /** A method of a built-in type, or null. */
    private static Callable method(Object of, String name) {
        return switch (of) {
            case String s -> StringMethods.of(s, name);
            case Map<?, ?> m -> dict(m, name);
            case List<?> l -> list(l, name);
            case null, default -> null;
        };
    }

    private static Callable dict(Map<?, ?> m, String name) {
        return switch (name) {
            case "items" -> (args, named) -> items(m);
            case "keys" -> (args, named) -> new ArrayList<>(m.keySet());
            case "values" -> (args, named) -> new ArrayList<>(m.values());
            case "get" ->
                (args, named) -> {
                    Object key = new Args(name, args, named).need(0, "key");
                    return m.containsKey(key) ? m.get(key) : args.size() > 1 ? args.get(1) : null;
                };
            case "copy" -> (args, named) -> new java.util.LinkedHashMap<>(m);
            case "clear", "pop", "popitem", "setdefault", "update" -> refused(name);
            default -> null;
        };
    }

    static List<Object> items(Map<?, ?> m) {
        List<Object> out = new ArrayList<>(m.size());
        for (Map.Entry<?, ?> e : m.entrySet()) {
            List<Object> pair = new ArrayList<>(2);
            pair.add(e.getKey());
            pair.add(e.getValue());
            out.add(new Tuple(pair));
        }
        return out;
    }

    private static Callable list(List<?> l, String name) {
        return switch (name) {
            case "count" ->
                (args, named) -> l.stream()
                        .filter(x -> Py.equal(x, new Args(name, args, named).need(0, "value")))
                        .count();
            case "index" ->
                (args, named) -> {
                    Object wanted = new Args(name, args, named).need(0, "value");
                    for (int i = 0; i < l.size(); i++) {
                        if (Py.equal(l.get(i), wanted)) {
                            return (long) i;
                        }
                    }
                    throw new JinjaException("not in list");
                };
            case "copy" -> (args, named) -> new ArrayList<>(l);
            case "append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort" -> refused(name);
            default -> null;
        };
    }

    private static Callable refused(String name) {
        return (args, named) -> {
            throw new JinjaException("the sandbox refuses to change a value: " + name);
        };
    }
}
