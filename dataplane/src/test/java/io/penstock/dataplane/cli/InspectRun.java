package io.penstock.dataplane.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import picocli.CommandLine;

/**
 * Asks {@code penstock inspect} and the Python reader, and holds the answers against each other.
 *
 * <p><b>Threading:</b> owned by a test.
 */
final class InspectRun {
    private static final Path READER =
            Path.of(System.getProperty("penstock.root"), "bindings", "python", "penstock_index.py");
    private static final ObjectMapper JSON = new ObjectMapper();

    private String out = "";
    private String err = "";

    int inspect(Object... arguments) {
        StringWriter text = new StringWriter();
        StringWriter errors = new StringWriter();
        CommandLine line = Penstock.commandLine();
        line.setOut(new PrintWriter(text));
        line.setErr(new PrintWriter(errors));
        List<String> words = new ArrayList<>(List.of("inspect"));
        for (Object argument : arguments) {
            words.add(argument.toString());
        }
        int status = line.execute(words.toArray(String[]::new));
        out = text.toString();
        err = errors.toString();
        return status;
    }

    String out() {
        return out;
    }

    String err() {
        return err;
    }

    /** Member of the one object that is printed. */
    JsonNode json(String member, Object... arguments) throws IOException {
        List<Object> all = new ArrayList<>(List.of(arguments));
        all.add(1, "--json");
        inspect(all.toArray());
        assertEquals("", err);
        return JSON.readTree(out).get(member);
    }

    static JsonNode python(Object... arguments) throws IOException, InterruptedException {
        Assumptions.assumeTrue(
                Files.isExecutable(python3()),
                "python3 is not installed: the Python reader is not held against the format");
        List<String> words = new ArrayList<>(List.of(python3().toString(), READER.toString()));
        for (Object argument : arguments) {
            words.add(argument.toString());
        }
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), text);
        return JSON.readTree(text);
    }

    private static Path python3() {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(":")) {
            Path candidate = Path.of(folder, "python3");
            if (Files.isExecutable(candidate)) {
                return candidate;
            }
        }
        return Path.of("/nowhere/python3");
    }

    /** Everything that the Python reader says must be in the command's answer, member by member. */
    static void assertAgrees(JsonNode python, JsonNode command, String where) {
        assertNotNull(command, where);
        if (python.isObject()) {
            python.properties()
                    .forEach(member -> assertAgrees(
                            member.getValue(), command.get(member.getKey()), where + "." + member.getKey()));
        } else if (python.isArray()) {
            assertEquals(python.size(), command.size(), where);
            for (int i = 0; i < python.size(); i++) {
                assertAgrees(python.get(i), command.get(i), where + "[" + i + "]");
            }
        } else if (python.isNumber()) {
            assertEquals(python.doubleValue(), command.doubleValue(), where);
        } else {
            assertEquals(python, command, where);
        }
    }
}
