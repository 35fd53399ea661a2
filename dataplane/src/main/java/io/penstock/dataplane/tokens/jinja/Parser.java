package io.penstock.dataplane.tokens.jinja;

import io.penstock.dataplane.tokens.jinja.Lexer.Kind;
import io.penstock.dataplane.tokens.jinja.Lexer.Token;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Parses a template's statements. What it does not know is an error. <b>Threading:</b> used once, by one thread. */
final class Parser extends ExprParser {
    private Parser(List<Token> tokens) {
        super(tokens);
    }

    static List<Stmt> parse(String source) {
        Parser parser = new Parser(Lexer.tokens(source));
        List<Stmt> body = parser.body(Set.of());
        if (parser.peek().kind() != Kind.END) {
            throw parser.bad("unexpected tag");
        }
        return body;
    }

    /** Statements up to a block tag of one of these names, whose begin is read and whose name is not. */
    private List<Stmt> body(Set<String> ends) {
        List<Stmt> out = new ArrayList<>();
        while (true) {
            switch (peek().kind()) {
                case TEXT -> out.add(new Stmt.Text(next().text()));
                case PRINT_BEGIN -> {
                    next();
                    out.add(new Stmt.Print(tuple(true)));
                    expect(Kind.PRINT_END);
                }
                case BLOCK_BEGIN -> {
                    next();
                    if (ends.contains(peek().text())) {
                        return out;
                    }
                    out.add(statement(name()));
                }
                default -> {
                    if (!ends.isEmpty()) {
                        throw bad("missing one of " + ends);
                    }
                    return out;
                }
            }
        }
    }

    private Stmt statement(String tag) {
        return switch (tag) {
            case "if" -> conditional();
            case "for" -> loop();
            case "set" -> set();
            case "macro" -> macro();
            case "call" -> call();
            case "with" -> with();
            case "filter" -> filterBlock();
            case "generation" -> new Stmt.Scope(List.of(), List.of(), block("endgeneration"));
            case "break" -> jump(Stmt.Flow.BREAK);
            case "continue" -> jump(Stmt.Flow.CONTINUE);
            default -> throw bad("unknown tag " + tag);
        };
    }

    private List<Stmt> block(String end) {
        expect(Kind.BLOCK_END);
        List<Stmt> body = body(Set.of(end));
        name();
        expect(Kind.BLOCK_END);
        return body;
    }

    private Stmt jump(Stmt.Flow flow) {
        expect(Kind.BLOCK_END);
        return new Stmt.Jump(flow);
    }

    private Stmt conditional() {
        List<Expr> tests = new ArrayList<>();
        List<List<Stmt>> bodies = new ArrayList<>();
        tests.add(tuple(true));
        while (true) {
            expect(Kind.BLOCK_END);
            bodies.add(body(Set.of("elif", "else", "endif")));
            switch (name()) {
                case "elif" -> tests.add(tuple(true));
                case "else" -> {
                    tests.add(null);
                    bodies.add(block("endif"));
                    return new Stmt.If(tests, bodies);
                }
                default -> {
                    expect(Kind.BLOCK_END);
                    return new Stmt.If(tests, bodies);
                }
            }
        }
    }

    private Stmt.Target target() {
        boolean open = skip("(");
        List<String> names = new ArrayList<>(List.of(name()));
        if (!open && skip(".")) {
            return new Stmt.Target(names, name(), false);
        }
        boolean several = false;
        while (skip(",")) {
            several = true;
            if (peek().kind() == Kind.NAME && !isName("in")) {
                names.add(name());
            }
        }
        if (open) {
            expect(")");
        }
        return new Stmt.Target(names, null, several);
    }

    private Stmt loop() {
        Stmt.Target target = target();
        expectName("in");
        Expr in = tuple(false);
        Expr test = skipName("if") ? expression() : null;
        boolean recursive = skipName("recursive");
        expect(Kind.BLOCK_END);
        List<Stmt> body = body(Set.of("else", "endfor"));
        List<Stmt> otherwise = List.of();
        if (name().equals("else")) {
            otherwise = block("endfor");
        } else {
            expect(Kind.BLOCK_END);
        }
        return new Stmt.For(target, in, test, body, otherwise, recursive);
    }

    private Stmt set() {
        Stmt.Target target = target();
        if (skip("=")) {
            Expr value = tuple(true);
            expect(Kind.BLOCK_END);
            return new Stmt.Set(target, value);
        }
        List<Expr.Filtered> filters = new ArrayList<>();
        while (isOperator("|")) {
            filters.add(filter(null));
        }
        return new Stmt.SetBlock(target, filters, block("endset"));
    }

    private Stmt filterBlock() {
        List<Expr.Filtered> filters = new ArrayList<>(List.of(namedFilter(null)));
        while (isOperator("|")) {
            filters.add(filter(null));
        }
        return new Stmt.FilterBlock(filters, block("endfilter"));
    }

    private Stmt with() {
        List<Stmt.Target> targets = new ArrayList<>();
        List<Expr> values = new ArrayList<>();
        while (peek().kind() != Kind.BLOCK_END) {
            if (!targets.isEmpty()) {
                expect(",");
            }
            targets.add(new Stmt.Target(List.of(name()), null, false));
            expect("=");
            values.add(expression());
        }
        return new Stmt.Scope(targets, values, block("endwith"));
    }

    private Stmt macro() {
        String name = name();
        return signature(name, "endmacro", null);
    }

    private Stmt.Macro signature(String name, String end, Expr[] call) {
        List<String> parameters = new ArrayList<>();
        Map<String, Expr> defaults = new LinkedHashMap<>();
        if (skip("(")) {
            while (!skip(")")) {
                if (!parameters.isEmpty()) {
                    expect(",");
                }
                String p = name();
                parameters.add(p);
                if (skip("=")) {
                    defaults.put(p, expression());
                }
            }
        }
        if (call != null) {
            call[0] = expression();
        }
        return new Stmt.Macro(name, parameters, defaults, block(end));
    }

    private Stmt call() {
        Expr[] called = new Expr[1];
        Stmt.Macro caller = signature("caller", "endcall", called);
        if (!(called[0] instanceof Expr.Call call)) {
            throw bad("expected a call");
        }
        return new Stmt.CallBlock(caller, call);
    }
}
