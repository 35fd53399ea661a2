package io.penstock.dataplane.tokens.jinja;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Python's operators on values: truth, equality, order, arithmetic, membership, indexing, iteration. */
final class Py {
    private Py() {}

    static boolean truth(Object v) {
        return switch (v) {
            case null -> false;
            case Boolean b -> b;
            case String s -> !s.isEmpty();
            case Long n -> n != 0;
            case Integer n -> n != 0;
            case Double d -> d != 0;
            case BigInteger n -> n.signum() != 0;
            case List<?> l -> !l.isEmpty();
            case Map<?, ?> m -> !m.isEmpty();
            case Undefined u -> false;
            default -> true;
        };
    }

    static boolean number(Object v) {
        return v instanceof Number || v instanceof Boolean;
    }

    /** A number with booleans as 0 and 1; BigInteger only where Long does not hold it. */
    static Number num(Object v) {
        return switch (v) {
            case Boolean b -> b ? 1L : 0L;
            case Integer i -> (long) i;
            case Number n -> n;
            case Undefined u -> throw u.error();
            case null, default -> throw new JinjaException("not a number: " + type(v));
        };
    }

    static long integer(Object v) {
        Number n = num(v);
        if (n instanceof Double) {
            throw new JinjaException("not an integer: float");
        }
        return n.longValue();
    }

    static boolean equal(Object a, Object b) {
        if (a == b) {
            return true;
        }
        if (number(a) && number(b)) {
            return compareNumbers(num(a), num(b)) == 0;
        }
        if (a instanceof List<?> x && b instanceof List<?> y) {
            if (x.size() != y.size() || x instanceof Tuple != y instanceof Tuple) {
                return false;
            }
            for (int i = 0; i < x.size(); i++) {
                if (!equal(x.get(i), y.get(i))) {
                    return false;
                }
            }
            return true;
        }
        if (a instanceof Map<?, ?> x && b instanceof Map<?, ?> y) {
            if (x.size() != y.size()) {
                return false;
            }
            for (Map.Entry<?, ?> e : x.entrySet()) {
                if (!y.containsKey(e.getKey()) || !equal(e.getValue(), y.get(e.getKey()))) {
                    return false;
                }
            }
            return true;
        }
        return a != null && a.equals(b);
    }

    private static int compareNumbers(Number a, Number b) {
        if (a instanceof Double || b instanceof Double) {
            return a.doubleValue() == b.doubleValue() ? 0 : Double.compare(a.doubleValue(), b.doubleValue());
        }
        if (a instanceof BigInteger || b instanceof BigInteger) {
            return big(a).compareTo(big(b));
        }
        return Long.compare(a.longValue(), b.longValue());
    }

    private static BigInteger big(Number n) {
        return n instanceof BigInteger b ? b : BigInteger.valueOf(n.longValue());
    }

    /** Order of two values that Python can compare; an error otherwise. */
    static int compare(Object a, Object b) {
        if (number(a) && number(b)) {
            return compareNumbers(num(a), num(b));
        }
        if (a instanceof String x && b instanceof String y) {
            return compareText(x, y);
        }
        if (a instanceof List<?> x && b instanceof List<?> y) {
            for (int i = 0; i < Math.min(x.size(), y.size()); i++) {
                if (!equal(x.get(i), y.get(i))) {
                    return compare(x.get(i), y.get(i));
                }
            }
            return Integer.compare(x.size(), y.size());
        }
        throw new JinjaException("no order between " + type(a) + " and " + type(b));
    }

    /** By code points, as Python does: UTF-16 order differs beyond the basic plane. */
    static int compareText(String x, String y) {
        int i = 0;
        int n = Math.min(x.length(), y.length());
        while (i < n && x.charAt(i) == y.charAt(i)) {
            i++;
        }
        if (i == n) {
            return Integer.compare(x.length(), y.length());
        }
        char a = x.charAt(i);
        char b = y.charAt(i);
        boolean sa = Character.isSurrogate(a);
        boolean sb = Character.isSurrogate(b);
        return sa == sb ? Character.compare(a, b) : sa ? 1 : -1;
    }

    static boolean contains(Object container, Object item) {
        return switch (container) {
            case String s -> {
                if (item instanceof String t) {
                    yield s.contains(t);
                }
                throw new JinjaException("'in <string>' needs a string: " + type(item));
            }
            case Map<?, ?> m -> m.containsKey(item);
            case List<?> l -> {
                for (Object x : l) {
                    if (equal(x, item)) {
                        yield true;
                    }
                }
                yield false;
            }
            case Undefined u -> false;
            case null, default -> throw new JinjaException("not iterable: " + type(container));
        };
    }

    static Object add(Object a, Object b) {
        if (a instanceof String x && b instanceof String y) {
            return x.concat(y);
        }
        if (a instanceof List<?> x && b instanceof List<?> y && x instanceof Tuple == y instanceof Tuple) {
            List<Object> both = new ArrayList<>(x.size() + y.size());
            both.addAll(x);
            both.addAll(y);
            return x instanceof Tuple ? new Tuple(both) : both;
        }
        return arithmetic("+", a, b);
    }

    static Object arithmetic(String op, Object a, Object b) {
        if (op.equals("*") && (a instanceof String || a instanceof List<?>) && number(b)) {
            return repeat(a, integer(b));
        }
        if (op.equals("*") && (b instanceof String || b instanceof List<?>) && number(a)) {
            return repeat(b, integer(a));
        }
        if (!number(a) || !number(b)) {
            throw new JinjaException("unsupported operands for " + op + ": " + type(a) + " and " + type(b));
        }
        Number x = num(a);
        Number y = num(b);
        return x instanceof Double || y instanceof Double || op.equals("/")
                ? real(op, x.doubleValue(), y.doubleValue())
                : whole(op, big(x), big(y));
    }

    private static Object real(String op, double x, double y) {
        if (y == 0 && (op.equals("/") || op.equals("//") || op.equals("%"))) {
            throw new JinjaException("division by zero");
        }
        return switch (op) {
            case "+" -> x + y;
            case "-" -> x - y;
            case "*" -> x * y;
            case "/" -> x / y;
            case "//" -> Math.floor(x / y);
            case "%" -> {
                double m = x % y;
                yield m != 0 && (m < 0) != (y < 0) ? m + y : m;
            }
            default -> Math.pow(x, y);
        };
    }

    private static Object whole(String op, BigInteger x, BigInteger y) {
        if (y.signum() == 0 && (op.equals("//") || op.equals("%"))) {
            throw new JinjaException("division by zero");
        }
        return switch (op) {
            case "+" -> small(x.add(y));
            case "-" -> small(x.subtract(y));
            case "*" -> small(x.multiply(y));
            case "//" -> {
                BigInteger[] qr = x.divideAndRemainder(y);
                yield small(
                        qr[1].signum() != 0 && qr[1].signum() != y.signum() ? qr[0].subtract(BigInteger.ONE) : qr[0]);
            }
            case "%" -> {
                BigInteger r = x.remainder(y);
                yield small(r.signum() != 0 && r.signum() != y.signum() ? r.add(y) : r);
            }
            default -> {
                if (y.bitLength() > 16) {
                    throw new JinjaException("power too large");
                }
                yield y.signum() < 0 ? (Object) Math.pow(x.doubleValue(), y.doubleValue()) : small(x.pow(y.intValue()));
            }
        };
    }

    static Number small(BigInteger n) {
        return n.bitLength() < 64 ? (Number) n.longValue() : n;
    }

    private static Object repeat(Object what, long times) {
        int n = Math.clamp(times, 0, 1 << 20);
        if (what instanceof String s) {
            if ((long) s.length() * n > 1 << 26) {
                throw new JinjaException("string too long");
            }
            return s.repeat(n);
        }
        List<?> l = (List<?>) what;
        List<Object> out = new ArrayList<>();
        for (List<?> copy : Collections.nCopies(n, l)) {
            out.addAll(copy);
        }
        return out;
    }

    static Object negate(Object v) {
        return arithmetic("-", 0L, v) instanceof Double d && d == 0
                ? (Object) (-num(v).doubleValue())
                : arithmetic("-", 0L, v);
    }

    /** What a {@code for} runs over. */
    static List<Object> iterate(Object v) {
        return switch (v) {
            case List<?> l -> Collections.unmodifiableList(l);
            case Map<?, ?> m -> new ArrayList<>(m.keySet());
            case String s -> {
                List<Object> out = new ArrayList<>(s.length());
                s.codePoints().forEach(c -> out.add(Character.toString(c)));
                yield out;
            }
            case Undefined u -> List.of();
            case null, default -> throw new JinjaException("not iterable: " + type(v));
        };
    }

    static long length(Object v) {
        return switch (v) {
            case String s -> s.codePointCount(0, s.length());
            case List<?> l -> l.size();
            case Map<?, ?> m -> m.size();
            case Undefined u -> 0;
            case null, default -> throw new JinjaException("has no length: " + type(v));
        };
    }

    /** {@code a[from:to:step]}; null bounds are open. */
    static Object slice(Object v, Object from, Object to, Object step) {
        if (v instanceof Undefined u) {
            throw u.error();
        }
        if (v instanceof String s) {
            if (s.codePointCount(0, s.length()) == s.length()) {
                StringBuilder out = new StringBuilder();
                for (int i : range(s.length(), from, to, step)) {
                    out.append(s.charAt(i));
                }
                return out.toString();
            }
            int[] points = s.codePoints().toArray();
            StringBuilder out = new StringBuilder();
            for (int i : range(points.length, from, to, step)) {
                out.appendCodePoint(points[i]);
            }
            return out.toString();
        }
        if (v instanceof List<?> l) {
            List<Object> out = new ArrayList<>();
            for (int i : range(l.size(), from, to, step)) {
                out.add(l.get(i));
            }
            return l instanceof Tuple ? new Tuple(out) : out;
        }
        return new Undefined("slice of " + type(v));
    }

    private static int[] range(int length, Object from, Object to, Object stepValue) {
        long step = stepValue == null ? 1 : integer(stepValue);
        if (step == 0) {
            throw new JinjaException("slice step is zero");
        }
        long lo = step > 0 ? 0 : -1;
        long hi = step > 0 ? length : length - 1L;
        long start = from == null ? (step > 0 ? lo : hi) : bound(integer(from), length, lo, hi);
        long stop = to == null ? (step > 0 ? hi : lo) : bound(integer(to), length, lo, hi);
        long n = step > 0 ? (stop - start + step - 1) / step : (start - stop - step - 1) / -step;
        int[] out = new int[(int) Math.max(0, n)];
        for (int i = 0; i < out.length; i++) {
            out[i] = (int) (start + i * step);
        }
        return out;
    }

    private static long bound(long i, int length, long lo, long hi) {
        return Math.clamp(i < 0 ? i + length : i, lo, hi);
    }

    static String type(Object v) {
        return switch (v) {
            case null -> "None";
            case Boolean b -> "bool";
            case Double d -> "float";
            case Number n -> "int";
            case String s -> "str";
            case Tuple t -> "tuple";
            case List<?> l -> "list";
            case Map<?, ?> m -> "dict";
            case Undefined u -> "undefined";
            default -> v.getClass().getSimpleName();
        };
    }
}
