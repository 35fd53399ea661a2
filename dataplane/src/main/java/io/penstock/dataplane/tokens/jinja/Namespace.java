package io.penstock.dataplane.tokens.jinja;

import java.util.HashMap;
import java.util.Map;

/** The value of {@code namespace(...)}: attributes that survive a loop's scope. */
final class Namespace {
    final Map<String, Object> attributes = new HashMap<>();
}
