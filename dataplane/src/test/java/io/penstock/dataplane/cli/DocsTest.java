package io.penstock.dataplane.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.penstock.dataplane.RouterConfig;
import io.penstock.dataplane.config.ConfigFile;
import io.penstock.dataplane.workers.WorkerSpec;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What the documents say can be followed: links, commands, configuration, folders. */
final class DocsTest {
    private static final Path ROOT = Path.of(System.getProperty("penstock.root"));
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern COMMAND =
            Pattern.compile("(?m)^    \\./penstock(?= )(.*)$|`(?:\\./)?penstock(?= [a-z])([^`]*)`");
    private static final Pattern YAML = Pattern.compile("(?ms)^```yaml\\n(.*?)^```");
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");
    private static final Pattern FOLDER = Pattern.compile("`(index-offheap|ffi|bindings|dataplane)/([a-z]+)`");

    /** Its default is a number of this machine. */
    private static final String OF_THE_MACHINE = "tokens.workers";

    /** A command of module perf, which this module's tests do not see. */
    private static final String OF_PERF = "bench";

    @TempDir
    Path folder;

    private static List<Path> documents() throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path place : List.of(ROOT, ROOT.resolve("docs"))) {
            try (Stream<Path> files = Files.walk(place, place.equals(ROOT) ? 1 : 5)) {
                files.filter(file -> file.toString().endsWith(".md")).forEach(found::add);
            }
        }
        assertTrue(found.size() > 10, "documents: " + found);
        return found;
    }

    private static List<List<String>> table(String mark) throws IOException {
        return Files.readAllLines(ROOT.resolve("docs/operations.md")).stream()
                .dropWhile(line -> !line.equals("<!-- " + mark + " -->"))
                .skip(3)
                .takeWhile(line -> line.startsWith("|"))
                .map(row -> Arrays.stream(row.split("\\|"))
                        .map(cell -> cell.replace("`", "").strip())
                        .toList())
                .toList();
    }

    @Test
    void shouldLeadSomewhereWhenADocumentLinks() throws IOException {
        for (Path document : documents()) {
            for (MatchResult link :
                    LINK.matcher(Files.readString(document)).results().toList()) {
                String target = link.group(1).replaceFirst("#.*", "");
                if (!target.isEmpty() && !target.startsWith("http")) {
                    Path file = document.resolveSibling(target);
                    assertTrue(Files.exists(file), document + " links to " + target);
                }
            }
        }
    }

    @Test
    void shouldKnowEveryCommandThatADocumentNames() throws IOException {
        int seen = 0;
        for (Path document : documents()) {
            Matcher matcher = COMMAND.matcher(Files.readString(document));
            while (matcher.find()) {
                String line =
                        matcher.group(1) != null ? matcher.group(1).replaceFirst("\\s#\\s.*", "") : matcher.group(2);
                String[] words = WORD.matcher(line)
                        .results()
                        .map(word -> word.group().replaceAll("[\"']", ""))
                        .toArray(String[]::new);
                if (words[0].equals(OF_PERF)) {
                    continue;
                }
                try {
                    CommandLine.ParseResult parsed = Penstock.commandLine().parseArgs(words);
                    assertTrue(parsed.hasSubcommand(), document + ": " + line);
                } catch (CommandLine.ParameterException e) {
                    throw new AssertionError(document + ": penstock" + line + ": " + e.getMessage(), e);
                }
                seen++;
            }
        }
        assertTrue(seen > 5, "commands: " + seen);
    }

    @Test
    void shouldReadEveryConfigurationThatADocumentShows() throws IOException {
        int seen = 0;
        for (Path document : documents()) {
            for (MatchResult snippet :
                    YAML.matcher(Files.readString(document)).results().toList()) {
                Path file = Files.writeString(folder.resolve("snippet" + seen++ + ".yaml"), snippet.group(1));
                try {
                    ConfigFile.read(RouterConfig.defaults(), file, List.of());
                } catch (IllegalArgumentException e) {
                    throw new AssertionError(document + ": " + e.getMessage() + " in\n" + snippet.group(1), e);
                }
            }
        }
        assertTrue(seen >= 3, "snippets: " + seen);
    }

    @Test
    void shouldFindTheRoomsThatTheArchitectureNames() throws IOException {
        Map<String, String> packages =
                Map.of("index-offheap", "index", "ffi", "ffi", "bindings", "bindings", "dataplane", "dataplane");
        int seen = 0;
        for (String document : List.of("README.md", "docs/architecture.md")) {
            for (MatchResult room : FOLDER.matcher(Files.readString(ROOT.resolve(document)))
                    .results()
                    .toList()) {
                Path place = ROOT.resolve(room.group(1))
                        .resolve("src/main/java/io/penstock")
                        .resolve(packages.get(room.group(1)))
                        .resolve(room.group(2));
                assertTrue(Files.isDirectory(place), document + " names " + room.group());
                seen++;
            }
        }
        assertTrue(seen > 10, "rooms: " + seen);
    }

    @Test
    void shouldDocumentEveryKeyWithItsDefault() throws IOException {
        Map<String, String> documented = new LinkedHashMap<>();
        table("config").forEach(row -> documented.put(row.get(1), row.get(2)));
        Map<String, String> known = new LinkedHashMap<>();
        flatten("", new YAMLMapper().readTree(ConfigFile.print(RouterConfig.defaults())), known);
        known.put(OF_THE_MACHINE, "(processors)");
        Map<String, String> missing = new LinkedHashMap<>(known);
        missing.entrySet().removeAll(documented.entrySet());
        Map<String, String> wrong = new LinkedHashMap<>(documented);
        wrong.entrySet().removeAll(known.entrySet());
        assertTrue(
                missing.isEmpty() && wrong.isEmpty(),
                () -> "docs/operations.md, Configuration: to be added " + missing + ", to be taken out " + wrong);
    }

    @Test
    void shouldDocumentEveryKeyOfAWorker() throws IOException {
        assertEquals(
                Arrays.stream(WorkerSpec.class.getRecordComponents())
                        .map(RecordComponent::getName)
                        .toList(),
                table("worker").stream().map(row -> row.get(1)).toList());
    }

    private static void flatten(String path, JsonNode tree, Map<String, String> out) {
        if (tree.isObject() && !tree.isEmpty()) {
            tree.properties()
                    .forEach(member -> flatten(
                            path.isEmpty() ? member.getKey() : path + "." + member.getKey(), member.getValue(), out));
        } else {
            out.put(path, tree.isTextual() && !tree.textValue().isEmpty() ? tree.textValue() : tree.toString());
        }
    }
}
