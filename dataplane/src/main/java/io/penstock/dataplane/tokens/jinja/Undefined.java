package io.penstock.dataplane.tokens.jinja;

/**
 * A name, attribute or item that is not there: empty when printed or looped over, false when tested, an error when used
 * otherwise.
 *
 * @param what description for the error
 */
public record Undefined(String what) {
    JinjaException error() {
        return new JinjaException("undefined: " + what);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Undefined;
    }

    @Override
    public int hashCode() {
        return 0;
    }
}
