package io.penstock.dataplane.tokens.jinja;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A statement of a template. <b>Threading:</b> immutable. */
sealed interface Stmt {
    /** How a statement ended. */
    enum Flow {
        NEXT,
        BREAK,
        CONTINUE
    }

    Flow run(Frame frame, StringBuilder out);

    /** Runs statements until one leaves the loop. */
    static Flow all(List<Stmt> body, Frame frame, StringBuilder out) {
        for (Stmt s : body) {
            Flow flow = s.run(frame, out);
            if (flow != Flow.NEXT) {
                return flow;
            }
        }
        return Flow.NEXT;
    }

    /** Template text. */
    record Text(String text) implements Stmt {
        @Override
        public Flow run(Frame frame, StringBuilder out) {
            out.append(text);
            return Flow.NEXT;
        }
    }

    /** {@code {{ value }}}. */
    record Print(Expr value) implements Stmt {
        @Override
        public Flow run(Frame frame, StringBuilder out) {
            out.append(PyText.str(value.eval(frame)));
            return Flow.NEXT;
        }
    }

    /** A target that values are bound to: a name, several, or an attribute of a namespace. */
    record Target(List<String> names, String attribute, boolean several) {
        void bind(Frame frame, Object value) {
            if (attribute != null) {
                if (!(frame.get(names.getFirst()) instanceof Namespace ns)) {
                    throw new JinjaException("cannot assign attribute on non-namespace object");
                }
                ns.attributes.put(attribute, value);
            } else if (!several) {
                frame.set(names.getFirst(), value);
            } else {
                List<Object> items = Py.iterate(value);
                if (items.size() != names.size()) {
                    throw new JinjaException("cannot unpack " + items.size() + " values into " + names.size());
                }
                for (int i = 0; i < names.size(); i++) {
                    frame.set(names.get(i), items.get(i));
                }
            }
        }
    }

    /** {@code {% set target = value %}}. */
    record Set(Target target, Expr value) implements Stmt {
        @Override
        public Flow run(Frame frame, StringBuilder out) {
            target.bind(frame, value.eval(frame));
            return Flow.NEXT;
        }
    }

    /** {@code {% set target | filters %}...{% endset %}}. */
    record SetBlock(Target target, List<Expr.Filtered> filters, List<Stmt> body) implements Stmt {
        @Override
        public Flow run(Frame frame, StringBuilder out) {
            StringBuilder text = new StringBuilder();
            all(body, new Frame(frame), text);
            target.bind(frame, filtered(text.toString(), filters, frame));
            return Flow.NEXT;
        }
    }

    private static Object filtered(Object value, List<Expr.Filtered> filters, Frame frame) {
        Object v = value;
        for (Expr.Filtered f : filters) {
            v = f.apply(v, frame);
        }
        return v;
    }

    /** {@code {% filter f %}...{% endfilter %}}. */
    record FilterBlock(List<Expr.Filtered> filters, List<Stmt> body) implements Stmt {
        @Override
        public Flow run(Frame frame, StringBuilder out) {
            StringBuilder text = new StringBuilder();
            Flow flow = all(body, new Frame(frame), text);
            out.append(PyText.str(filtered(text.toString(), filters, frame)));
            return flow;
        }
    }

    /** {@code {% if %}}: tests with their bodies; the last test is null for {@code else}. */
    record If(List<Expr> tests, List<List<Stmt>> bodies) implements Stmt {
        @Override
        public Flow run(Frame frame, StringBuilder out) {
            for (int i = 0; i < tests.size(); i++) {
                if (tests.get(i) == null || Py.truth(tests.get(i).eval(frame))) {
                    return all(bodies.get(i), frame, out);
                }
            }
            return Flow.NEXT;
        }
    }

    /** {@code {% for %}}. */
    record For(Target target, Expr in, Expr test, List<Stmt> body, List<Stmt> otherwise, boolean recursive)
            implements Stmt {
        @Override
        public Flow run(Frame frame, StringBuilder out) {
            pass(in.eval(frame), frame, out, 0);
            return Flow.NEXT;
        }

        private void pass(Object over, Frame frame, StringBuilder out, int depth) {
            List<Object> items = Py.iterate(over);
            if (test != null) {
                List<Object> kept = new ArrayList<>();
                for (Object item : items) {
                    Frame inner = new Frame(frame);
                    target.bind(inner, item);
                    if (Py.truth(test.eval(inner))) {
                        kept.add(item);
                    }
                }
                items = kept;
            }
            if (items.isEmpty()) {
                all(otherwise, new Frame(frame), out);
                return;
            }
            Callable recurse = !recursive
                    ? null
                    : (args, named) -> {
                        StringBuilder text = new StringBuilder();
                        pass(args.getFirst(), frame, text, depth + 1);
                        return text.toString();
                    };
            Loop loop = new Loop(items, depth, recurse);
            for (int i = 0; i < items.size(); i++) {
                loop.index = i;
                Frame inner = new Frame(frame);
                inner.set("loop", loop);
                target.bind(inner, items.get(i));
                if (all(body, inner, out) == Flow.BREAK) {
                    return;
                }
            }
        }
    }

    /** {@code {% break %}} or {@code {% continue %}}. */
    record Jump(Flow flow) implements Stmt {
        @Override
        public Flow run(Frame frame, StringBuilder out) {
            return flow;
        }
    }

    /** {@code {% with a = b %}} and other bodies with a scope of their own. */
    record Scope(List<Target> targets, List<Expr> values, List<Stmt> body) implements Stmt {
        @Override
        public Flow run(Frame frame, StringBuilder out) {
            Frame inner = new Frame(frame);
            for (int i = 0; i < targets.size(); i++) {
                targets.get(i).bind(inner, values.get(i).eval(frame));
            }
            return all(body, inner, out);
        }
    }

    /** {@code {% macro name(parameters) %}}, and the body of {@code {% call %}}. */
    record Macro(String name, List<String> parameters, Map<String, Expr> defaults, List<Stmt> body) implements Stmt {
        @Override
        public Flow run(Frame frame, StringBuilder out) {
            frame.set(name, bound(frame));
            return Flow.NEXT;
        }

        Callable bound(Frame frame) {
            return (args, named) -> {
                Frame inner = new Frame(frame);
                Map<String, Object> more = new LinkedHashMap<>(named);
                inner.set("caller", more.containsKey("caller") ? more.remove("caller") : new Undefined("caller"));
                for (int i = 0; i < parameters.size(); i++) {
                    String p = parameters.get(i);
                    Object value;
                    if (i < args.size()) {
                        value = args.get(i);
                    } else if (more.containsKey(p)) {
                        value = more.get(p);
                    } else {
                        Expr otherwise = defaults.get(p);
                        value = otherwise == null ? new Undefined("parameter " + p) : otherwise.eval(inner);
                    }
                    more.remove(p);
                    inner.set(p, value);
                }
                int given = Math.min(args.size(), parameters.size());
                inner.set("varargs", new Tuple(args.subList(given, args.size())));
                inner.set("kwargs", more);
                StringBuilder text = new StringBuilder();
                all(body, inner, text);
                return text.toString();
            };
        }
    }

    /** {@code {% call(args) macro(...) %}...{% endcall %}}. */
    record CallBlock(Macro caller, Expr.Call call) implements Stmt {
        @Override
        public Flow run(Frame frame, StringBuilder out) {
            Map<String, Object> named = new LinkedHashMap<>(call.args().map(frame));
            named.put("caller", caller.bound(frame));
            out.append(PyText.str(Access.call(call.of().eval(frame), call.args().list(frame), named)));
            return Flow.NEXT;
        }
    }
}
