package io.penstock.dataplane.tokens.jinja;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Jinja's tests, by name. */
final class Tests {
    /** A test of a value. */
    @FunctionalInterface
    interface Test {
        boolean holds(Object value, Args args);
    }

    private static final Map<String, Test> ALL = new HashMap<>();

    static {
        ALL.put("defined", (v, a) -> !(v instanceof Undefined));
        ALL.put("undefined", (v, a) -> v instanceof Undefined);
        ALL.put("none", (v, a) -> v == null);
        ALL.put("string", (v, a) -> v instanceof String);
        ALL.put("mapping", (v, a) -> v instanceof Map);
        ALL.put("boolean", (v, a) -> v instanceof Boolean);
        ALL.put("true", (v, a) -> Boolean.TRUE.equals(v));
        ALL.put("false", (v, a) -> Boolean.FALSE.equals(v));
        ALL.put("number", (v, a) -> Py.number(v));
        ALL.put("integer", (v, a) -> v instanceof Long || v instanceof Integer || v instanceof BigInteger);
        ALL.put("float", (v, a) -> v instanceof Double);
        ALL.put("callable", (v, a) -> v instanceof Callable);
        // Python's Undefined can be iterated and asked for its length, so both hold for it.
        ALL.put("iterable", (v, a) -> collection(v));
        ALL.put("sequence", (v, a) -> collection(v));
        ALL.put("even", (v, a) -> Py.equal(Py.arithmetic("%", v, 2L), 0L));
        ALL.put("odd", (v, a) -> Py.equal(Py.arithmetic("%", v, 2L), 1L));
        ALL.put("divisibleby", (v, a) -> Py.equal(Py.arithmetic("%", v, a.need(0, "num")), 0L));
        ALL.put("lower", (v, a) -> PyText.str(v).equals(PyText.str(v).toLowerCase(Locale.ROOT)));
        ALL.put("upper", (v, a) -> PyText.str(v).equals(PyText.str(v).toUpperCase(Locale.ROOT)));
        ALL.put("in", (v, a) -> Py.contains(a.need(0, "seq"), v));
        ALL.put("sameas", (v, a) -> same(v, a.need(0, "other")));
        ALL.put("escaped", (v, a) -> false);
        compare("==", "eq", "equalto", "==");
        compare("!=", "ne", "!=");
        compare("<", "lt", "lessthan", "<");
        compare("<=", "le", "<=");
        compare(">", "gt", "greaterthan", ">");
        compare(">=", "ge", ">=");
    }

    private Tests() {}

    /** The test of that name; an error if there is none. */
    static Test of(String name) {
        Test test = ALL.get(name);
        if (test == null) {
            throw new JinjaException("no test named " + name);
        }
        return test;
    }

    private static void compare(String op, String... names) {
        for (String name : names) {
            ALL.put(name, (v, a) -> Expr.Compare.holds(op, v, a.need(0, "other")));
        }
    }

    private static boolean collection(Object v) {
        return v instanceof String || v instanceof List || v instanceof Map || v instanceof Undefined;
    }

    private static boolean same(Object a, Object b) {
        return a == b || (a instanceof Boolean && a.equals(b)) || (a instanceof Long && Py.number(b) && Py.equal(a, b));
    }
}
