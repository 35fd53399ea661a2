package io.penstock.dataplane.tokens.jinja;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Jinja's filters that chat templates use, by name, with {@code transformers}' own {@code tojson}. */
final class Filters {
    /** A filter of a value. */
    @FunctionalInterface
    interface Filter {
        Object apply(Object value, Args args);
    }

    private static final Map<String, Filter> ALL = new HashMap<>();

    static {
        ALL.put("tojson", Filters::toJson);
        ALL.put("string", (v, a) -> PyText.str(v));
        ALL.put("safe", (v, a) -> PyText.str(v));
        ALL.put("trim", (v, a) -> StringMethods.strip(PyText.str(v), a.text(0, "chars"), true, true));
        ALL.put("upper", (v, a) -> PyText.str(v).toUpperCase(Locale.ROOT));
        ALL.put("lower", (v, a) -> PyText.str(v).toLowerCase(Locale.ROOT));
        ALL.put("capitalize", (v, a) -> StringMethods.capitalize(PyText.str(v)));
        ALL.put("title", (v, a) -> FilterText.title(PyText.str(v)));
        ALL.put(
                "replace",
                (v, a) -> StringMethods.replace(
                        PyText.str(v),
                        PyText.str(a.need(0, "old")),
                        PyText.str(a.need(1, "new")),
                        a.whole(2, "count", -1)));
        ALL.put("indent", FilterText::indent);
        ALL.put("escape", (v, a) -> FilterText.escape(PyText.str(v)));
        ALL.put("e", ALL.get("escape"));
        ALL.put("int", FilterText::integer);
        ALL.put("float", FilterText::real);
        ALL.put("abs", (v, a) -> Py.compare(v, 0L) < 0 ? Py.negate(v) : Py.num(v));
        ALL.put("round", FilterText::round);
        ALL.put("wordcount", (v, a) -> FilterText.words(PyText.str(v)));
        ALL.put("length", (v, a) -> Py.length(v));
        ALL.put("count", ALL.get("length"));
        ALL.put(
                "default",
                (v, a) -> v instanceof Undefined || (a.flag(1, "boolean", false) && !Py.truth(v))
                        ? a.get(0, "default_value", "")
                        : v);
        ALL.put("d", ALL.get("default"));
        ALL.put("first", (v, a) -> edge(Py.iterate(v), true));
        ALL.put("last", (v, a) -> edge(Py.iterate(v), false));
        ALL.put("list", (v, a) -> new ArrayList<>(Py.iterate(v)));
        ALL.put("reverse", Filters::reverse);
        ALL.put("join", Filters::join);
        ALL.put("items", (v, a) -> v instanceof Undefined ? List.of() : Access.items(map(v)));
        ALL.put("dictsort", Filters::dictSort);
        ALL.put("sort", Filters::sort);
        ALL.put("unique", Filters::unique);
        ALL.put("sum", Filters::sum);
        ALL.put("min", (v, a) -> extreme(v, a, -1));
        ALL.put("max", (v, a) -> extreme(v, a, 1));
        ALL.put("map", Filters::map);
        ALL.put("select", (v, a) -> select(v, a, false, true));
        ALL.put("reject", (v, a) -> select(v, a, false, false));
        ALL.put("selectattr", (v, a) -> select(v, a, true, true));
        ALL.put("rejectattr", (v, a) -> select(v, a, true, false));
        ALL.put("attr", (v, a) -> Access.attribute(v, (String) a.need(0, "name")));
        ALL.put("groupby", Filters::groupBy);
        ALL.put("batch", Filters::batch);
    }

    private Filters() {}

    /** The filter of that name; an error if there is none. */
    static Filter of(String name) {
        Filter filter = ALL.get(name);
        if (filter == null) {
            throw new JinjaException("no filter named " + name);
        }
        return filter;
    }

    private static Object toJson(Object v, Args a) {
        boolean ascii = a.flag(0, "ensure_ascii", false);
        Object by = a.get(1, "indent", null);
        String indent = by == null ? null : by instanceof String s ? s : " ".repeat(Math.clamp(Py.integer(by), 0, 64));
        Object separators = a.get(2, "separators", null);
        String item = indent == null ? ", " : ",";
        String key = ": ";
        if (separators != null) {
            List<Object> both = Py.iterate(separators);
            item = (String) both.get(0);
            key = (String) both.get(1);
        }
        return new PyJson(ascii, indent, item, key, a.flag(3, "sort_keys", false)).text(v);
    }

    private static Object edge(List<Object> items, boolean first) {
        return items.isEmpty()
                ? new Undefined("no item, sequence was empty")
                : first ? items.getFirst() : items.getLast();
    }

    private static Object reverse(Object v, Args a) {
        if (v instanceof String s) {
            return new StringBuilder(s).reverse().toString();
        }
        List<Object> out = new ArrayList<>(Py.iterate(v));
        Collections.reverse(out);
        return out;
    }

    private static Object join(Object v, Args a) {
        String by = PyText.str(a.get(0, "d", ""));
        Object attribute = a.get(1, "attribute", null);
        StringBuilder out = new StringBuilder();
        boolean next = false;
        for (Object x : Py.iterate(v)) {
            out.append(next ? by : "").append(PyText.str(attribute == null ? x : path(x, attribute)));
            next = true;
        }
        return out.toString();
    }

    private static Map<?, ?> map(Object v) {
        if (v instanceof Map<?, ?> m) {
            return m;
        }
        throw new JinjaException("not a mapping: " + Py.type(v));
    }

    /** An attribute by dotted path, each step an item first, as Jinja's {@code make_attrgetter}. */
    static Object path(Object v, Object attribute) {
        return path(v, attribute, null);
    }

    /** The same, an absent step replaced by {@code otherwise} where that is not null. */
    private static Object path(Object v, Object attribute, Object otherwise) {
        if (!(attribute instanceof String path)) {
            Object found = Access.item(v, attribute);
            return found instanceof Undefined && otherwise != null ? otherwise : found;
        }
        Object at = v;
        for (String step : path.split("\\.", -1)) {
            boolean index = !step.isEmpty() && step.chars().allMatch(Character::isDigit);
            at = Access.item(at, index ? (Object) Long.parseLong(step) : step);
            at = at instanceof Undefined && otherwise != null ? otherwise : at;
        }
        return at;
    }

    private static Object folded(Object v, boolean caseSensitive) {
        return !caseSensitive && v instanceof String s ? s.toLowerCase(Locale.ROOT) : v;
    }

    private static Object dictSort(Object v, Args a) {
        boolean exact = a.flag(0, "case_sensitive", false);
        int by = "value".equals(a.get(1, "by", "key")) ? 1 : 0;
        List<Object> out = Access.items(map(v));
        order(out, x -> folded(((Tuple) x).get(by), exact), a.flag(2, "reverse", false));
        return out;
    }

    private static Object sort(Object v, Args a) {
        boolean exact = a.flag(1, "case_sensitive", false);
        Object attribute = a.get(2, "attribute", null);
        List<Object> out = new ArrayList<>(Py.iterate(v));
        order(out, x -> folded(attribute == null ? x : path(x, attribute), exact), a.flag(0, "reverse", false));
        return out;
    }

    private static void order(List<Object> items, java.util.function.UnaryOperator<Object> key, boolean reverse) {
        Comparator<Object> by = (x, y) -> Py.compare(key.apply(x), key.apply(y));
        items.sort(reverse ? (x, y) -> by.compare(y, x) : by);
    }

    private static Object unique(Object v, Args a) {
        boolean exact = a.flag(0, "case_sensitive", false);
        Object attribute = a.get(1, "attribute", null);
        List<Object> seen = new ArrayList<>();
        List<Object> out = new ArrayList<>();
        for (Object x : Py.iterate(v)) {
            Object key = folded(attribute == null ? x : path(x, attribute), exact);
            if (!Py.contains(seen, key)) {
                seen.add(key);
                out.add(x);
            }
        }
        return out;
    }

    private static Object sum(Object v, Args a) {
        Object attribute = a.get(0, "attribute", null);
        Object total = a.get(1, "start", 0L);
        for (Object x : Py.iterate(v)) {
            total = Py.add(total, attribute == null ? x : path(x, attribute));
        }
        return total;
    }

    private static Object extreme(Object v, Args a, int sign) {
        boolean exact = a.flag(0, "case_sensitive", false);
        Object attribute = a.get(1, "attribute", null);
        Object best = new Undefined("no aggregated item, sequence was empty");
        Object bestKey = null;
        for (Object x : Py.iterate(v)) {
            Object key = folded(attribute == null ? x : path(x, attribute), exact);
            if (best instanceof Undefined || Py.compare(key, bestKey) * sign > 0) {
                best = x;
                bestKey = key;
            }
        }
        return best;
    }

    private static Object map(Object v, Args a) {
        List<Object> out = new ArrayList<>();
        if (a.list().isEmpty() && a.named().containsKey("attribute")) {
            for (Object x : Py.iterate(v)) {
                out.add(path(x, a.named().get("attribute"), a.named().get("default")));
            }
            return out;
        }
        String name = (String) a.need(0, "filter");
        Filter filter = of(name);
        Args rest = a.from(1, name);
        for (Object x : Py.iterate(v)) {
            out.add(filter.apply(x, rest));
        }
        return out;
    }

    private static Object select(Object v, Args a, boolean byAttribute, boolean keep) {
        int at = byAttribute ? 1 : 0;
        Object attribute = byAttribute ? a.need(0, "attribute") : null;
        Tests.Test test = a.list().size() > at ? Tests.of((String) a.list().get(at)) : (x, none) -> Py.truth(x);
        Args rest = a.from(at + 1, "select");
        List<Object> out = new ArrayList<>();
        for (Object x : Py.iterate(v)) {
            if (test.holds(byAttribute ? path(x, attribute) : x, rest) == keep) {
                out.add(x);
            }
        }
        return out;
    }

    private static Object groupBy(Object v, Args a) {
        Object attribute = a.need(0, "attribute");
        List<Object> items = new ArrayList<>(Py.iterate(v));
        order(items, x -> folded(path(x, attribute), false), false);
        Map<Object, List<Object>> groups = new LinkedHashMap<>();
        for (Object x : items) {
            groups.computeIfAbsent(folded(path(x, attribute), false), k -> new ArrayList<>())
                    .add(x);
        }
        List<Object> out = new ArrayList<>();
        groups.values().forEach(g -> out.add(new Tuple(List.of(path(g.getFirst(), attribute), g))));
        return out;
    }

    private static Object batch(Object v, Args a) {
        long size = Py.integer(a.need(0, "linecount"));
        Object fill = a.get(1, "fill_with", null);
        List<Object> out = new ArrayList<>();
        List<Object> row = new ArrayList<>();
        for (Object x : Py.iterate(v)) {
            if (row.size() == size) {
                out.add(row);
                row = new ArrayList<>();
            }
            row.add(x);
        }
        while (!row.isEmpty() && fill != null && row.size() < size) {
            row.add(fill);
        }
        if (!row.isEmpty()) {
            out.add(row);
        }
        return out;
    }
}
