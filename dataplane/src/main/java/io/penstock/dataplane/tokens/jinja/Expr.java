package io.penstock.dataplane.tokens.jinja;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An expression of a template. <b>Threading:</b> immutable. */
sealed interface Expr {
    Object eval(Frame frame);

    /** A literal. */
    record Const(Object value) implements Expr {
        @Override
        public Object eval(Frame frame) {
            return value;
        }
    }

    /** A name. */
    record Name(String name) implements Expr {
        @Override
        public Object eval(Frame frame) {
            return frame.get(name);
        }
    }

    /** A list or tuple display. */
    record Items(List<Expr> items, boolean tuple) implements Expr {
        @Override
        public Object eval(Frame frame) {
            List<Object> out = new ArrayList<>(items.size());
            for (Expr e : items) {
                out.add(e.eval(frame));
            }
            return tuple ? new Tuple(out) : out;
        }
    }

    /** A dict display. */
    record Dict(List<Expr> keys, List<Expr> values) implements Expr {
        @Override
        public Object eval(Frame frame) {
            Map<Object, Object> out = new LinkedHashMap<>();
            for (int i = 0; i < keys.size(); i++) {
                out.put(keys.get(i).eval(frame), values.get(i).eval(frame));
            }
            return out;
        }
    }

    /** {@code of.name}. */
    record Attribute(Expr of, String name) implements Expr {
        @Override
        public Object eval(Frame frame) {
            return Access.attribute(of.eval(frame), name);
        }
    }

    /** {@code of[key]}. */
    record Item(Expr of, Expr key) implements Expr {
        @Override
        public Object eval(Frame frame) {
            return Access.item(of.eval(frame), key.eval(frame));
        }
    }

    /** {@code of[from:to:step]}, absent bounds null. */
    record Slice(Expr of, Expr from, Expr to, Expr step) implements Expr {
        @Override
        public Object eval(Frame frame) {
            return Py.slice(of.eval(frame), value(from, frame), value(to, frame), value(step, frame));
        }

        private static Object value(Expr e, Frame frame) {
            return e == null ? null : e.eval(frame);
        }
    }

    /** Arguments of a call, filter or test. */
    record Arguments(List<Expr> positional, Map<String, Expr> named, Expr star, Expr doubleStar) {
        static final Arguments NONE = new Arguments(List.of(), Map.of(), null, null);

        List<Object> list(Frame frame) {
            List<Object> out = new ArrayList<>(positional.size());
            for (Expr e : positional) {
                out.add(e.eval(frame));
            }
            if (star != null) {
                out.addAll(Py.iterate(star.eval(frame)));
            }
            return out;
        }

        Map<String, Object> map(Frame frame) {
            if (named.isEmpty() && doubleStar == null) {
                return Map.of();
            }
            Map<String, Object> out = new LinkedHashMap<>();
            named.forEach((name, e) -> out.put(name, e.eval(frame)));
            if (doubleStar != null && doubleStar.eval(frame) instanceof Map<?, ?> more) {
                more.forEach((name, value) -> out.put((String) name, value));
            }
            return out;
        }
    }

    /** {@code of(...)}. */
    record Call(Expr of, Arguments args) implements Expr {
        @Override
        public Object eval(Frame frame) {
            return Access.call(of.eval(frame), args.list(frame), args.map(frame));
        }
    }

    /** {@code of | name(...)}; a filter block has no {@code of}. */
    record Filtered(Expr of, String name, Filters.Filter filter, Arguments args) implements Expr {
        @Override
        public Object eval(Frame frame) {
            return apply(of.eval(frame), frame);
        }

        Object apply(Object value, Frame frame) {
            return filter.apply(value, new Args(name, args.list(frame), args.map(frame)));
        }
    }

    /** {@code of is name(...)}. */
    record Tested(Expr of, String name, Tests.Test test, Arguments args) implements Expr {
        @Override
        public Object eval(Frame frame) {
            return test.holds(of.eval(frame), new Args(name, args.list(frame), args.map(frame)));
        }
    }

    /** {@code a and b}, {@code a or b}: the deciding operand, as Python answers. */
    record Logical(boolean and, Expr left, Expr right) implements Expr {
        @Override
        public Object eval(Frame frame) {
            Object l = left.eval(frame);
            return Py.truth(l) == and ? right.eval(frame) : l;
        }
    }

    /** {@code not a}. */
    record Not(Expr of) implements Expr {
        @Override
        public Object eval(Frame frame) {
            return !Py.truth(of.eval(frame));
        }
    }

    /** {@code -a} or {@code +a}. */
    record Sign(Expr of, boolean minus) implements Expr {
        @Override
        public Object eval(Frame frame) {
            Object v = of.eval(frame);
            return minus ? Py.negate(v) : Py.num(v);
        }
    }

    /** {@code a op b}, arithmetic. */
    record Binary(String op, Expr left, Expr right) implements Expr {
        @Override
        public Object eval(Frame frame) {
            Object l = left.eval(frame);
            Object r = right.eval(frame);
            return op.equals("+") ? Py.add(defined(l), defined(r)) : Py.arithmetic(op, defined(l), defined(r));
        }

        private static Object defined(Object v) {
            if (v instanceof Undefined u) {
                throw u.error();
            }
            return v;
        }
    }

    /** {@code a ~ b ~ c}. */
    record Concat(List<Expr> parts) implements Expr {
        @Override
        public Object eval(Frame frame) {
            StringBuilder out = new StringBuilder();
            for (Expr e : parts) {
                out.append(PyText.str(e.eval(frame)));
            }
            return out.toString();
        }
    }

    /** {@code a < b <= c}: each operand evaluated once. */
    record Compare(Expr first, List<String> operators, List<Expr> rest) implements Expr {
        @Override
        public Object eval(Frame frame) {
            Object left = first.eval(frame);
            for (int i = 0; i < operators.size(); i++) {
                Object right = rest.get(i).eval(frame);
                if (!holds(operators.get(i), left, right)) {
                    return false;
                }
                left = right;
            }
            return true;
        }

        static boolean holds(String op, Object a, Object b) {
            return switch (op) {
                case "==" -> Py.equal(a, b);
                case "!=" -> !Py.equal(a, b);
                case "in" -> Py.contains(b, a);
                case "not in" -> !Py.contains(b, a);
                case "<" -> Py.compare(a, b) < 0;
                case "<=" -> Py.compare(a, b) <= 0;
                case ">" -> Py.compare(a, b) > 0;
                default -> Py.compare(a, b) >= 0;
            };
        }
    }

    /** {@code a if b else c}; without {@code else} undefined. */
    record Choice(Expr test, Expr then, Expr otherwise) implements Expr {
        @Override
        public Object eval(Frame frame) {
            if (Py.truth(test.eval(frame))) {
                return then.eval(frame);
            }
            return otherwise == null
                    ? new Undefined("the inline if-expression evaluated to false and no else section was defined")
                    : otherwise.eval(frame);
        }
    }
}
