package io.penstock.dataplane.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Map;

/**
 * Lays a tree of keys over a tree of records.
 *
 * <p>A record is built anew through its canonical constructor, which validates; its components are the keys. A nested
 * record is laid over, everything else is replaced. A record in a list or map is laid over its type's
 * {@code defaults()} where there is one; a component without a default starts as null, 0 or false.
 *
 * <p><b>Threading:</b> stateless.
 */
final class ConfigTree {
    private ConfigTree() {}

    /** {@code defaults} with the given keys replaced. */
    static <R extends Record> R overlay(R defaults, ObjectNode keys) {
        @SuppressWarnings("unchecked")
        Class<R> type = (Class<R>) defaults.getClass();
        return record(type, defaults, keys, "");
    }

    /** A record from keys; {@code before} may be null. */
    static <R extends Record> R record(Class<R> type, R before, ObjectNode keys, String path) {
        R base = before == null ? defaults(type) : before;
        Constructor<R> canonical = canonical(type);
        RecordComponent[] components = type.getRecordComponents();
        refuseUnknown(components, keys, path);
        Object[] values = new Object[components.length];
        boolean changed = base == null;
        for (int i = 0; i < components.length; i++) {
            RecordComponent component = components[i];
            JsonNode given = keys.get(component.getName());
            Object value = base == null ? ConfigValue.absent(component.getType()) : read(component, base);
            values[i] = given == null
                    ? value
                    : ConfigValue.of(component.getGenericType(), value, given, join(path, component.getName()));
            changed |= given != null;
        }
        return changed ? build(canonical, values, path) : base;
    }

    /** The record as a tree of keys. */
    static ObjectNode toTree(Record config) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        for (RecordComponent component : config.getClass().getRecordComponents()) {
            tree.set(component.getName(), ConfigValue.toTree(read(component, config)));
        }
        return tree;
    }

    private static void refuseUnknown(RecordComponent[] components, ObjectNode keys, String path) {
        for (Map.Entry<String, JsonNode> entry : keys.properties()) {
            String key = entry.getKey();
            boolean known = false;
            for (RecordComponent component : components) {
                known |= component.getName().equals(key);
            }
            if (!known) {
                throw new IllegalArgumentException("unknown key: " + join(path, key));
            }
        }
    }

    private static <R extends Record> R build(Constructor<R> canonical, Object[] values, String path) {
        try {
            return canonical.newInstance(values);
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause();
            if (cause instanceof IllegalArgumentException refused) {
                throw refused;
            }
            if (cause instanceof NullPointerException) {
                throw new IllegalArgumentException(
                        "a value is missing: " + (path.isEmpty() ? "configuration" : path), cause);
            }
            throw new IllegalStateException("configuration refused: " + path, cause);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("configuration type cannot be built: " + canonical, e);
        }
    }

    private static <R extends Record> R defaults(Class<R> type) {
        try {
            Method defaults = type.getDeclaredMethod("defaults");
            defaults.setAccessible(true);
            return type.cast(defaults.invoke(null));
        } catch (NoSuchMethodException e) {
            // A record without defaults, such as a worker: all that matters has to be given.
            return null;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("defaults cannot be had: " + type, e);
        }
    }

    private static <R extends Record> Constructor<R> canonical(Class<R> type) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < types.length; i++) {
            types[i] = components[i].getType();
        }
        try {
            Constructor<R> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("no canonical constructor: " + type, e);
        }
    }

    private static Object read(RecordComponent component, Record owner) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(owner);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("configuration type cannot be read: " + component, e);
        }
    }

    static String join(String path, String key) {
        return path.isEmpty() ? key : path + "." + key;
    }
}
