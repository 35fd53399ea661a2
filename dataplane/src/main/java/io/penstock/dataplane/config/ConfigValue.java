package io.penstock.dataplane.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One value of a configuration: whole numbers, numbers, booleans, texts, enums by their label, records, lists and maps of
 * these. Nothing is guessed: {@code "8"} is no number, 8.5 no whole one.
 *
 * <p><b>Threading:</b> stateless.
 */
final class ConfigValue {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private ConfigValue() {}

    /** The value of a key that is neither given nor has a default. */
    static Object absent(Class<?> type) {
        if (type == boolean.class) {
            return false;
        }
        if (type == int.class) {
            return 0;
        }
        if (type == long.class) {
            return 0L;
        }
        return type == double.class ? (Object) 0.0 : null;
    }

    /** The node as a value of the type. */
    static Object of(Type type, Object before, JsonNode node, String path) {
        if (type instanceof ParameterizedType parameterized) {
            return collection(parameterized, node, path);
        }
        Class<?> wanted = (Class<?>) type;
        if (node.isNull()) {
            if (wanted.isPrimitive()) {
                throw bad(path, node, "a value is expected");
            }
            return null;
        }
        if (wanted.isRecord()) {
            return record(wanted, before, node, path);
        }
        return wanted.isEnum() ? constant(wanted, node, path) : scalar(wanted, node, path);
    }

    private static Object scalar(Class<?> wanted, JsonNode node, String path) {
        if (wanted == int.class || wanted == Integer.class) {
            if (node.canConvertToInt() && node.isIntegralNumber()) {
                return node.intValue();
            }
            throw bad(path, node, "a whole number is expected");
        }
        if (wanted == long.class || wanted == Long.class) {
            if (node.canConvertToLong() && node.isIntegralNumber()) {
                return node.longValue();
            }
            throw bad(path, node, "a whole number is expected");
        }
        if (wanted == double.class || wanted == Double.class) {
            if (node.isNumber()) {
                return node.doubleValue();
            }
            throw bad(path, node, "a number is expected");
        }
        if (wanted == boolean.class || wanted == Boolean.class) {
            if (node.isBoolean()) {
                return node.booleanValue();
            }
            throw bad(path, node, "true or false is expected");
        }
        if (wanted == String.class) {
            // YAML reads an unquoted "no" as false: refused rather than turned into the text "false".
            if (node.isValueNode() && !node.isBoolean()) {
                return node.asText();
            }
            throw bad(path, node, "a text is expected");
        }
        throw new IllegalStateException("no configuration value can be of " + wanted + ": " + path);
    }

    private static Object record(Class<?> wanted, Object before, JsonNode node, String path) {
        if (!(node instanceof ObjectNode keys)) {
            throw bad(path, node, "keys are expected");
        }
        Class<? extends Record> type = wanted.asSubclass(Record.class);
        return overlay(type, before, keys, path);
    }

    private static <R extends Record> R overlay(Class<R> type, Object before, ObjectNode keys, String path) {
        return ConfigTree.record(type, type.cast(before), keys, path);
    }

    private static Object constant(Class<?> wanted, JsonNode node, String path) {
        Object[] constants = wanted.getEnumConstants();
        for (Object constant : constants) {
            if (node.isTextual() && label(constant).equals(node.textValue())) {
                return constant;
            }
        }
        String known = Arrays.stream(constants).map(ConfigValue::label).collect(Collectors.joining(", "));
        throw bad(path, node, "one of " + known + " is expected");
    }

    /** {@code ROUND_ROBIN} is {@code round-robin}. */
    private static String label(Object constant) {
        return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static Object collection(ParameterizedType type, JsonNode node, String path) {
        Type[] arguments = type.getActualTypeArguments();
        if (type.getRawType() == List.class) {
            if (!node.isArray()) {
                throw bad(path, node, "a list is expected");
            }
            List<Object> list = new ArrayList<>();
            for (int i = 0; i < node.size(); i++) {
                list.add(of(arguments[0], null, node.get(i), path + "[" + i + "]"));
            }
            return Collections.unmodifiableList(list);
        }
        if (type.getRawType() == Map.class) {
            if (!node.isObject()) {
                throw bad(path, node, "keys are expected");
            }
            Map<String, Object> map = new LinkedHashMap<>();
            for (Map.Entry<String, JsonNode> entry : node.properties()) {
                String key = entry.getKey();
                map.put(key, of(arguments[1], null, entry.getValue(), ConfigTree.join(path, key)));
            }
            return Collections.unmodifiableMap(map);
        }
        throw new IllegalStateException("no configuration value can be of " + type + ": " + path);
    }

    /** The value as a tree. */
    static JsonNode toTree(Object value) {
        return switch (value) {
            case null -> NODES.nullNode();
            case Record config -> ConfigTree.toTree(config);
            case Enum<?> constant -> NODES.textNode(label(constant));
            case Boolean flag -> NODES.booleanNode(flag);
            case Integer number -> NODES.numberNode(number);
            case Long number -> NODES.numberNode(number);
            case Double number -> NODES.numberNode(number);
            case List<?> list -> {
                ArrayNode array = NODES.arrayNode();
                list.forEach(element -> array.add(toTree(element)));
                yield array;
            }
            case Map<?, ?> map -> {
                ObjectNode object = NODES.objectNode();
                map.forEach((key, element) -> object.set(key.toString(), toTree(element)));
                yield object;
            }
            default -> NODES.textNode(value.toString());
        };
    }

    private static IllegalArgumentException bad(String path, JsonNode node, String expected) {
        String shown = node.isValueNode() ? node.asText() : node.toString();
        return new IllegalArgumentException("bad value: " + path + "=" + shown + " (" + expected + ")");
    }
}
