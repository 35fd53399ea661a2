package io.penstock.dataplane.tokens.jinja;

import io.penstock.dataplane.tokens.jinja.Lexer.Kind;
import io.penstock.dataplane.tokens.jinja.Lexer.Token;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Parses expressions with Jinja's own precedence. <b>Threading:</b> used once, by one thread. */
class ExprParser {
    private static final Set<String> COMPARISONS = Set.of("==", "!=", "<", "<=", ">", ">=");
    private static final Set<String> PRODUCTS = Set.of("*", "/", "//", "%");

    private final List<Token> tokens;
    private int at;

    ExprParser(List<Token> tokens) {
        this.tokens = tokens;
    }

    final Token peek() {
        return tokens.get(at);
    }

    final Token next() {
        return tokens.get(at++);
    }

    final boolean isOperator(String text) {
        return peek().is(Kind.OPERATOR, text);
    }

    final boolean isName(String text) {
        return peek().is(Kind.NAME, text);
    }

    final boolean skip(String operator) {
        boolean found = isOperator(operator);
        at += found ? 1 : 0;
        return found;
    }

    final boolean skipName(String name) {
        boolean found = isName(name);
        at += found ? 1 : 0;
        return found;
    }

    final void expect(String operator) {
        if (!skip(operator)) {
            throw bad("expected " + operator);
        }
    }

    final void expectName(String name) {
        if (!skipName(name)) {
            throw bad("expected " + name);
        }
    }

    final void expect(Kind kind) {
        if (next().kind() != kind) {
            at--;
            throw bad("expected " + kind);
        }
    }

    final String name() {
        if (peek().kind() != Kind.NAME) {
            throw bad("expected a name");
        }
        return next().text();
    }

    final JinjaException bad(String what) {
        return new JinjaException("line " + peek().line() + ": " + what + ", found '" + peek().text() + "'");
    }

    /** One expression, or a tuple without parentheses. */
    final Expr tuple(boolean withChoice) {
        Expr first = withChoice ? expression() : or();
        if (!isOperator(",")) {
            return first;
        }
        List<Expr> items = new ArrayList<>(List.of(first));
        while (skip(",") && !endsTuple()) {
            items.add(withChoice ? expression() : or());
        }
        return new Expr.Items(items, true);
    }

    private boolean endsTuple() {
        Kind k = peek().kind();
        return k == Kind.BLOCK_END || k == Kind.PRINT_END || isOperator(")") || isName("recursive");
    }

    final Expr expression() {
        Expr e = or();
        while (skipName("if")) {
            Expr test = or();
            Expr otherwise = skipName("else") ? expression() : null;
            e = new Expr.Choice(test, e, otherwise);
        }
        return e;
    }

    private Expr or() {
        Expr left = and();
        while (skipName("or")) {
            left = new Expr.Logical(false, left, and());
        }
        return left;
    }

    private Expr and() {
        Expr left = not();
        while (skipName("and")) {
            left = new Expr.Logical(true, left, not());
        }
        return left;
    }

    private Expr not() {
        return skipName("not") ? new Expr.Not(not()) : compare();
    }

    private Expr compare() {
        Expr first = sum();
        List<String> operators = new ArrayList<>();
        List<Expr> rest = new ArrayList<>();
        while (true) {
            if (peek().kind() == Kind.OPERATOR && COMPARISONS.contains(peek().text())) {
                operators.add(next().text());
            } else if (skipName("in")) {
                operators.add("in");
            } else if (isName("not") && tokens.get(at + 1).is(Kind.NAME, "in")) {
                at += 2;
                operators.add("not in");
            } else {
                return operators.isEmpty() ? first : new Expr.Compare(first, operators, rest);
            }
            rest.add(sum());
        }
    }

    private Expr sum() {
        Expr left = concat();
        while (isOperator("+") || isOperator("-")) {
            left = new Expr.Binary(next().text(), left, concat());
        }
        return left;
    }

    private Expr concat() {
        Expr first = product();
        if (!isOperator("~")) {
            return first;
        }
        List<Expr> parts = new ArrayList<>(List.of(first));
        while (skip("~")) {
            parts.add(product());
        }
        return new Expr.Concat(parts);
    }

    private Expr product() {
        Expr left = power();
        while (peek().kind() == Kind.OPERATOR && PRODUCTS.contains(peek().text())) {
            left = new Expr.Binary(next().text(), left, power());
        }
        return left;
    }

    private Expr power() {
        Expr left = unary(true);
        while (skip("**")) {
            left = new Expr.Binary("**", left, unary(true));
        }
        return left;
    }

    private Expr unary(boolean withFilters) {
        Expr e;
        if (skip("-")) {
            e = new Expr.Sign(unary(false), true);
        } else if (skip("+")) {
            e = new Expr.Sign(unary(false), false);
        } else {
            e = primary();
        }
        e = postfix(e);
        return withFilters ? filtersAndTests(e) : e;
    }

    private Expr primary() {
        Token t = next();
        switch (t.kind()) {
            case NAME -> {
                return switch (t.text()) {
                    case "true", "True" -> new Expr.Const(true);
                    case "false", "False" -> new Expr.Const(false);
                    case "none", "None" -> new Expr.Const(null);
                    default -> new Expr.Name(t.text());
                };
            }
            case STRING -> {
                StringBuilder text = new StringBuilder(t.text());
                while (peek().kind() == Kind.STRING) {
                    text.append(next().text());
                }
                return new Expr.Const(text.toString());
            }
            case INTEGER -> {
                return new Expr.Const(Py.small(new BigInteger(t.text())));
            }
            case FLOAT -> {
                return new Expr.Const(Double.valueOf(t.text()));
            }
            default -> {
                if (t.is(Kind.OPERATOR, "(")) {
                    return parenthesised();
                }
                if (t.is(Kind.OPERATOR, "[")) {
                    return new Expr.Items(list("]"), false);
                }
                if (t.is(Kind.OPERATOR, "{")) {
                    return dict();
                }
                at--;
                throw bad("expected an expression");
            }
        }
    }

    private Expr parenthesised() {
        if (skip(")")) {
            return new Expr.Items(List.of(), true);
        }
        Expr e = tuple(true);
        expect(")");
        return e;
    }

    private List<Expr> list(String close) {
        List<Expr> items = new ArrayList<>();
        while (!skip(close)) {
            if (!items.isEmpty()) {
                expect(",");
                if (skip(close)) {
                    break;
                }
            }
            items.add(expression());
        }
        return items;
    }

    private Expr dict() {
        List<Expr> keys = new ArrayList<>();
        List<Expr> values = new ArrayList<>();
        while (!skip("}")) {
            if (!keys.isEmpty()) {
                expect(",");
                if (skip("}")) {
                    break;
                }
            }
            keys.add(expression());
            expect(":");
            values.add(expression());
        }
        return new Expr.Dict(keys, values);
    }

    private Expr postfix(Expr of) {
        Expr e = of;
        while (true) {
            if (skip(".")) {
                e = peek().kind() == Kind.INTEGER
                        ? new Expr.Item(e, new Expr.Const(Long.valueOf(next().text())))
                        : new Expr.Attribute(e, name());
            } else if (skip("[")) {
                e = subscript(e);
            } else if (isOperator("(")) {
                e = new Expr.Call(e, arguments());
            } else {
                return e;
            }
        }
    }

    private Expr subscript(Expr of) {
        Expr from = isOperator(":") ? null : tuple(true);
        if (from != null && skip("]")) {
            return new Expr.Item(of, from);
        }
        expect(":");
        Expr to = isOperator(":") || isOperator("]") ? null : expression();
        Expr step = skip(":") && !isOperator("]") ? expression() : null;
        expect("]");
        return new Expr.Slice(of, from, to, step);
    }

    private Expr filtersAndTests(Expr of) {
        Expr e = of;
        while (true) {
            if (isOperator("|")) {
                e = filter(e);
            } else if (skipName("is")) {
                e = test(e);
            } else if (isOperator("(")) {
                e = new Expr.Call(e, arguments());
            } else {
                return e;
            }
        }
    }

    /** {@code | name(...)} on {@code of}. */
    final Expr.Filtered filter(Expr of) {
        expect("|");
        return namedFilter(of);
    }

    final Expr.Filtered namedFilter(Expr of) {
        String name = dotted();
        return new Expr.Filtered(of, name, Filters.of(name), isOperator("(") ? arguments() : Expr.Arguments.NONE);
    }

    private String dotted() {
        StringBuilder name = new StringBuilder(name());
        while (skip(".")) {
            name.append('.').append(name());
        }
        return name.toString();
    }

    private Expr test(Expr of) {
        boolean negated = skipName("not");
        String name = dotted();
        Expr.Arguments args = Expr.Arguments.NONE;
        if (isOperator("(")) {
            args = arguments();
        } else if (takesOperand()) {
            args = new Expr.Arguments(List.of(postfix(primary())), Map.of(), null, null);
        }
        Expr e = new Expr.Tested(of, name, Tests.of(name), args);
        return negated ? new Expr.Not(e) : e;
    }

    private boolean takesOperand() {
        Token t = peek();
        return switch (t.kind()) {
            case STRING, INTEGER, FLOAT -> true;
            case NAME -> !Set.of("else", "or", "and", "is", "if", "in", "not").contains(t.text());
            case OPERATOR -> t.text().equals("[") || t.text().equals("{");
            default -> false;
        };
    }

    final Expr.Arguments arguments() {
        expect("(");
        List<Expr> positional = new ArrayList<>();
        Map<String, Expr> named = new LinkedHashMap<>();
        Expr star = null;
        Expr doubleStar = null;
        boolean first = true;
        while (!skip(")")) {
            if (!first) {
                expect(",");
                if (skip(")")) {
                    break;
                }
            }
            first = false;
            if (skip("**")) {
                doubleStar = expression();
            } else if (skip("*")) {
                star = expression();
            } else if (peek().kind() == Kind.NAME && tokens.get(at + 1).is(Kind.OPERATOR, "=")) {
                String name = name();
                expect("=");
                named.put(name, expression());
            } else {
                positional.add(expression());
            }
        }
        return new Expr.Arguments(positional, named, star, doubleStar);
    }
}
