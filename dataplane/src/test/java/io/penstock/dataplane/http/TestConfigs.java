package io.penstock.dataplane.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** Configurations that differ from another in a few settings. */
final class TestConfigs {
    private static final ObjectMapper JSON = new ObjectMapper();

    private TestConfigs() {}

    /** The same with other values, by the settings' names. */
    static HttpConfig with(HttpConfig from, Map<String, Object> changes) {
        ObjectNode tree = JSON.valueToTree(from);
        changes.forEach((name, value) -> {
            if (!tree.has(name)) {
                throw new IllegalArgumentException("no such setting: " + name);
            }
            tree.set(name, JSON.valueToTree(value));
        });
        return JSON.convertValue(tree, HttpConfig.class);
    }
}
