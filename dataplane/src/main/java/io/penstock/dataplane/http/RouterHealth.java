package io.penstock.dataplane.http;

import java.util.Map;

/**
 * How the router is, for {@code /health} and {@code /ready}.
 *
 * <p><b>Threading:</b> thread-safe; called off the event loops.
 */
public interface RouterHealth {
    /** Whether requests can be placed by index and load. */
    boolean ready();

    /** What an operator wants to know, as a tree of maps, lists, texts and numbers; becomes JSON. */
    Map<String, Object> details();
}
