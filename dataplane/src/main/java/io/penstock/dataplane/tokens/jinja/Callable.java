package io.penstock.dataplane.tokens.jinja;

import java.util.List;
import java.util.Map;

/** Anything a template can call: a macro, a global function, a method of a value. */
@FunctionalInterface
public interface Callable {
    /** Calls it with positional and named arguments. */
    Object call(List<Object> args, Map<String, Object> named);
}
