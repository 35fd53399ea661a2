package io.penstock.dataplane.tokens.jinja;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Whether a template loops over the content of a message: {@code for item in message.content}, where {@code message}
 * comes from a loop over {@code messages} or over what was assigned from it; slices, filters and tests in between do not
 * matter. The rule by which vLLM decides the form of contents.
 *
 * <p><b>Threading:</b> used once, by one thread.
 */
final class ContentLoops {
    private final List<Stmt.For> loops = new ArrayList<>();
    private final List<Stmt.Set> assignments = new ArrayList<>();

    private ContentLoops(List<Stmt> body) {
        collect(body);
    }

    static boolean in(List<Stmt> body) {
        return new ContentLoops(body).found();
    }

    private void collect(List<Stmt> body) {
        for (Stmt s : body) {
            switch (s) {
                case Stmt.For f -> {
                    loops.add(f);
                    collect(f.body());
                    collect(f.otherwise());
                }
                case Stmt.Set set -> assignments.add(set);
                case Stmt.If i -> i.bodies().forEach(this::collect);
                case Stmt.SetBlock b -> collect(b.body());
                case Stmt.FilterBlock b -> collect(b.body());
                case Stmt.Scope b -> collect(b.body());
                case Stmt.Macro m -> collect(m.body());
                case Stmt.CallBlock c -> collect(c.caller().body());
                case Stmt.Text t -> {}
                case Stmt.Print p -> {}
                case Stmt.Jump j -> {}
            }
        }
    }

    private boolean found() {
        Set<String> lists = new HashSet<>(Set.of("messages"));
        Deque<String> open = new ArrayDeque<>(lists);
        while (!open.isEmpty()) {
            String name = open.pop();
            for (Stmt.Set set : assignments) {
                if (simple(set.target()) && named(set.value(), name) && lists.add(name(set.target()))) {
                    open.push(name(set.target()));
                }
            }
        }
        Set<String> messages = new HashSet<>();
        for (Stmt.For loop : loops) {
            if (simple(loop.target()) && lists.stream().anyMatch(l -> named(loop.in(), l))) {
                messages.add(name(loop.target()));
            }
        }
        return loops.stream().anyMatch(l -> messages.stream().anyMatch(m -> content(l.in(), m)));
    }

    private static boolean simple(Stmt.Target target) {
        return target.attribute() == null && !target.several();
    }

    private static String name(Stmt.Target target) {
        return target.names().getFirst();
    }

    private static Expr bare(Expr e) {
        return switch (e) {
            case Expr.Filtered f -> f.of() == null ? f : bare(f.of());
            case Expr.Tested t -> bare(t.of());
            case Expr.Slice s -> bare(s.of());
            default -> e;
        };
    }

    private static boolean named(Expr e, String name) {
        return bare(e) instanceof Expr.Name n && n.name().equals(name);
    }

    private static boolean content(Expr e, String message) {
        return switch (bare(e)) {
            case Expr.Attribute a ->
                a.name().equals("content")
                        && a.of() instanceof Expr.Name n
                        && n.name().equals(message);
            case Expr.Item i ->
                i.key() instanceof Expr.Const c
                        && "content".equals(c.value())
                        && i.of() instanceof Expr.Name n
                        && n.name().equals(message);
            default -> false;
        };
    }
}
