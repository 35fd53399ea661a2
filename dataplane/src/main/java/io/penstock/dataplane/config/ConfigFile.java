package io.penstock.dataplane.config;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads a configuration: the defaults, over them the YAML file, over that the flags.
 *
 * <p>Whatever is wrong is an IllegalArgumentException with one line: {@code unknown key: routing.overlpCredit},
 * {@code bad value: http.port=abc (a whole number is expected)}, or what the record itself refuses.
 *
 * <p><b>Threading:</b> stateless.
 */
public final class ConfigFile {
    private static final ObjectMapper YAML = new ObjectMapper(YAMLFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .build());

    private ConfigFile() {}

    /**
     * The configuration of a file and flags.
     *
     * @param defaults what holds for keys that are not given
     * @param file YAML file, or null for none
     * @param overrides {@code key.path=value} each; the value may be YAML, such as {@code [a, b]}
     */
    public static <R extends Record> R read(R defaults, Path file, List<String> overrides) {
        JsonNode tree = file == null ? YAML.createObjectNode() : parseFile(file);
        if (!tree.isObject()) {
            throw new IllegalArgumentException("configuration is not a set of keys: file=" + file);
        }
        ObjectNode root = (ObjectNode) tree;
        for (String override : overrides) {
            override(root, override);
        }
        return ConfigTree.overlay(defaults, root);
    }

    /** The configuration as YAML: every key with its value. */
    public static String print(Record config) {
        try {
            return YAML.writeValueAsString(ConfigTree.toTree(config));
        } catch (JacksonException e) {
            throw new IllegalStateException("configuration cannot be written: " + config.getClass(), e);
        }
    }

    private static JsonNode parseFile(Path file) {
        try {
            JsonNode tree = YAML.readTree(Files.readString(file));
            return tree == null || tree.isNull() || tree instanceof MissingNode ? YAML.createObjectNode() : tree;
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("no such configuration file: file=" + file, e);
        } catch (JacksonException e) {
            String where =
                    e.getLocation() == null ? "" : " line " + e.getLocation().getLineNr();
            throw new IllegalArgumentException(
                    "not valid YAML: file=" + file + where + " (" + firstLine(e.getOriginalMessage()) + ")", e);
        } catch (IOException e) {
            throw new IllegalArgumentException("configuration file unreadable: file=" + file, e);
        }
    }

    private static void override(ObjectNode root, String override) {
        int equals = override.indexOf('=');
        if (equals < 1) {
            throw new IllegalArgumentException("an override has the form key=value: set=" + override);
        }
        String[] path = override.substring(0, equals).trim().split("\\.", -1);
        ObjectNode at = root;
        for (int i = 0; i < path.length - 1; i++) {
            JsonNode below = at.get(path[i]);
            at = below instanceof ObjectNode object ? object : at.putObject(path[i]);
        }
        at.set(path[path.length - 1], value(override.substring(equals + 1)));
    }

    private static JsonNode value(String text) {
        try {
            JsonNode value = YAML.readTree(text);
            return value == null || value instanceof MissingNode
                    ? YAML.getNodeFactory().textNode(text)
                    : value;
        } catch (IOException e) {
            // Text such as "@x" is no YAML value; the key's type decides whether it is a good one.
            return YAML.getNodeFactory().textNode(text);
        }
    }

    private static String firstLine(String message) {
        return message == null ? "" : message.lines().findFirst().orElse("");
    }
}
