package io.penstock.dataplane.tokens.jinja;

import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A compiled chat template.
 *
 * <p>Cost: one pass over the tree a rendering; text is copied once.
 *
 * <p><b>Threading:</b> immutable; renderings may run side by side.
 */
public final class JinjaTemplate {
    private final List<Stmt> body;
    private final Supplier<LocalDateTime> clock;

    private JinjaTemplate(List<Stmt> body, Supplier<LocalDateTime> clock) {
        this.body = body;
        this.clock = clock;
    }

    /**
     * Compiles a template.
     *
     * @param clock time that {@code strftime_now} prints
     * @throws JinjaException if it uses something unknown
     */
    public static JinjaTemplate compile(String source, Supplier<LocalDateTime> clock) {
        return new JinjaTemplate(Parser.parse(source), clock);
    }

    /**
     * Renders it.
     *
     * @throws JinjaException if the template refuses the variables, or fails on them
     */
    public String render(Map<String, ?> variables) {
        Frame globals = new Frame(null);
        globals.set("raise_exception", (Callable) JinjaTemplate::raise);
        globals.set("strftime_now", (Callable) (args, named) ->
                Strftime.format(clock.get(), (String) new Args("strftime_now", args, named).need(0, "format")));
        globals.set("namespace", (Callable) JinjaTemplate::namespace);
        globals.set("range", (Callable) JinjaTemplate::range);
        globals.set("dict", (Callable) JinjaTemplate::dict);
        Frame frame = new Frame(globals);
        variables.forEach(frame::set);
        StringBuilder out = new StringBuilder(4096);
        try {
            Stmt.all(body, new Frame(frame), out);
        } catch (StackOverflowError | ClassCastException | IndexOutOfBoundsException e) {
            throw new JinjaException("the template failed: " + e.getClass().getSimpleName());
        }
        return out.toString();
    }

    /** True if it loops over the content of a message, and so expects a list of parts there. */
    public boolean loopsOverContent() {
        return ContentLoops.in(body);
    }

    private static Object raise(List<Object> args, Map<String, Object> named) {
        throw new JinjaException(args.isEmpty() ? "refused" : PyText.str(args.getFirst()));
    }

    private static Object namespace(List<Object> args, Map<String, Object> named) {
        Namespace ns = new Namespace();
        for (Object arg : args) {
            if (arg instanceof Map<?, ?> m) {
                m.forEach((k, v) -> ns.attributes.put((String) k, v));
            }
        }
        ns.attributes.putAll(named);
        return ns;
    }

    private static Object range(List<Object> args, Map<String, Object> named) {
        long from = args.size() > 1 ? Py.integer(args.get(0)) : 0;
        long to = Py.integer(args.get(args.size() > 1 ? 1 : 0));
        long step = args.size() > 2 ? Py.integer(args.get(2)) : 1;
        if (step == 0 || Math.abs((double) to - from) / Math.abs((double) step) > 100_000) {
            throw new JinjaException("range too big");
        }
        List<Object> out = new ArrayList<>();
        for (long i = from; step > 0 ? i < to : i > to; i += step) {
            out.add(i);
        }
        return out;
    }

    private static Object dict(List<Object> args, Map<String, Object> named) {
        Map<Object, Object> out = new LinkedHashMap<>();
        for (Object arg : args) {
            if (arg instanceof Map<?, ?> m) {
                out.putAll(m);
            } else {
                Py.iterate(arg)
                        .forEach(
                                p -> out.put(Py.iterate(p).get(0), Py.iterate(p).get(1)));
            }
        }
        out.putAll(named);
        return out;
    }
}
