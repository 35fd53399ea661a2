package io.penstock.bindings.harness;

import java.util.function.BiConsumer;

/**
 * A request's header fields, whatever server holds them.
 *
 * <p><b>Threading:</b> that of the server's own object.
 */
@FunctionalInterface
public interface HeaderFields {
    /** Shows every field as (name, value) in the order received, repeats as often as they came. */
    void forEach(BiConsumer<String, String> field);
}
