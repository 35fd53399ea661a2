package io.penstock.dataplane.tokens.jinja;

/** A template that cannot be compiled, or that refuses or fails on its input. Cheap: no stack trace. */
public final class JinjaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With what went wrong. */
    public JinjaException(String message) {
        super(message, null, false, false);
    }
}
