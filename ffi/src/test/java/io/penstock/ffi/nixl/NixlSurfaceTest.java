package io.penstock.ffi.nixl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.ffi.load.LibrarySpec;
import io.penstock.ffi.load.NativeLibrary;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That the bindings are the whole of the API, and as its header says. */
class NixlSurfaceTest extends NixlCase {
    private static final Path TESTS = Path.of("src/test/java/io/penstock/ffi/nixl");

    @TempDir
    Path folder;

    @Test
    void shouldBindEveryFunctionThatTheLibraryExports() throws IOException {
        String path = NativeLibrary.of(LibrarySpec.NIXL).path();
        Set<String> exported = new TreeSet<>();
        for (String line : Programs.output("nm", "-D", "--defined-only", path).split("\n")) {
            String name = line.substring(line.lastIndexOf(' ') + 1);
            if (name.startsWith("nixl_capi_")) {
                exported.add(name);
            }
        }
        assertEquals(104, exported.size());
        assertEquals(exported, new TreeSet<>(capi.functions().keySet()));
        assertTrue(capi.missing().isEmpty(), capi.missing()::toString);
        assertFalse(capi.isStub());
    }

    @Test
    void shouldCallEveryFunctionInSomeTest() throws IOException {
        StringBuilder tests = new StringBuilder();
        try (Stream<Path> files = Files.list(TESTS)) {
            for (Path file : files.toList()) {
                tests.append(Files.readString(file));
            }
        }
        // What the agent calls is called by the tests of the agent.
        for (String user : new String[] {"NixlAgent", "NixlFiles", "NixlParams"}) {
            tests.append(Files.readString(Path.of("src/main/java/io/penstock/ffi/nixl", user + ".java")));
        }
        Set<String> uncalled = new TreeSet<>();
        for (String name : capi.functions().keySet()) {
            String method = method(name);
            if (!Pattern.compile("(\\.|::)" + method + "\\b").matcher(tests).find()) {
                uncalled.add(method);
            }
        }
        assertEquals(Set.of(), uncalled);
    }

    @Test
    void shouldSayWhichFunctionIsMissingWhenTheLibraryIsOlder() {
        NixlCapi older = NixlCapi.of(name -> name.equals("nixl_capi_notif_map_clear")
                ? Optional.empty()
                : NativeLibrary.of(LibrarySpec.NIXL).symbols().find(name));
        assertEquals("[nixl_capi_notif_map_clear]", older.missing().toString());
        var refusal = assertThrows(
                IllegalStateException.class, () -> older.notifications().notifMapClear(0));
        assertEquals("not in this NIXL library: function=nixl_capi_notif_map_clear", refusal.getMessage());
    }

    @Test
    void shouldBindEveryFunctionWithItsSignature() throws IOException {
        assertEquals("", differences(signatures(), bound()));
    }

    /** The table of signatures against the header itself, which comes with the crate nixl-sys. */
    @Test
    @Tag("live")
    void shouldHaveTheSignaturesOfTheHeader() throws IOException {
        String header = Programs.setting("nixlHeader");
        assumeTrue(
                header != null,
                "without NIXL's header, wrapper.h of nixl-sys 1.5.2: set penstock.libraries.nixlHeader");
        Pattern declaration = Pattern.compile("(nixl_capi_status_t|bool)\\s+(nixl_capi_\\w+)\\(([^)]*)\\);");
        Matcher functions = declaration.matcher(Files.readString(Path.of(header)));
        Map<String, String> declared = new TreeMap<>();
        while (functions.find()) {
            declared.put(
                    functions.group(2), (functions.group(1).equals("bool") ? "Z " : "I ") + shape(functions.group(3)));
        }
        assertEquals(104, declared.size());
        // A sender's name is taken as the address that the map gave, so that polling makes no object of it.
        assertEquals("I JAA", declared.put("nixl_capi_notif_map_get_notifs_size", "I JJA"));
        assertEquals("I JAJAA", declared.put("nixl_capi_notif_map_get_notif", "I JJJAA"));
        assertEquals("", differences(declared, signatures()));
    }

    private static Map<String, String> signatures() throws IOException {
        Map<String, String> signatures = new TreeMap<>();
        try (InputStream table = NixlSurfaceTest.class.getResourceAsStream("nixl_capi_1.5.txt")) {
            new String(table.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .forEach(line -> {
                        String[] words = line.split(" ");
                        String returned = words[0].equals("nixl_capi_is_stub") ? "Z " : "I ";
                        signatures.put(words[0], returned + words[1].replace("-", ""));
                    });
        }
        assertEquals(104, signatures.size());
        return signatures;
    }

    private Map<String, String> bound() {
        Map<String, String> bound = new TreeMap<>();
        capi.functions().forEach((name, type) -> {
            StringBuilder letters = new StringBuilder();
            for (Class<?> parameter : type.parameterArray()) {
                letters.append(parameter == MemorySegment.class ? "A" : parameter.descriptorString());
            }
            bound.put(name, type.returnType().descriptorString() + " " + letters);
        });
        return bound;
    }

    private static String differences(Map<String, String> expected, Map<String, String> actual) {
        StringBuilder differences = new StringBuilder();
        Set<String> names = new TreeSet<>(expected.keySet());
        names.addAll(actual.keySet());
        for (String name : names) {
            if (!expected.getOrDefault(name, "absent").equals(actual.get(name))) {
                differences
                        .append(name)
                        .append(": ")
                        .append(expected.get(name))
                        .append(" is ")
                        .append(actual.get(name));
                differences.append('\n');
            }
        }
        return differences.toString();
    }

    private static String shape(String parameters) {
        StringBuilder letters = new StringBuilder();
        for (String parameter : parameters.split(",")) {
            String type = parameter
                    .strip()
                    .replaceFirst("\\w+$", "")
                    .replace("const ", "")
                    .strip();
            if (!type.isEmpty()) {
                letters.append(letter(type));
            }
        }
        return letters.toString();
    }

    private static char letter(String type) {
        return switch (type) {
            case "int", "nixl_capi_mem_type_t", "nixl_capi_xfer_op_t" -> 'I';
            case "bool" -> 'Z';
            case "uint16_t" -> 'S';
            case "size_t", "uint64_t", "uintptr_t" -> 'J';
            // The one handle type that is a struct of the caller's.
            case "nixl_capi_xfer_telemetry_t" -> 'A';
            default -> type.endsWith("*") ? 'A' : 'J';
        };
    }

    @Test
    void shouldLayOutStructsAsTheCompilerDoes() throws IOException {
        assertEquals(AgentConfig.LAYOUT.byteSize() + " " + offsets(AgentConfig.LAYOUT), compiled(AgentConfig.LAYOUT));
        assertEquals(
                XferTelemetry.LAYOUT.byteSize() + " " + offsets(XferTelemetry.LAYOUT), compiled(XferTelemetry.LAYOUT));
    }

    private static String offsets(StructLayout layout) {
        StringBuilder offsets = new StringBuilder();
        for (MemoryLayout member : layout.memberLayouts()) {
            member.name()
                    .ifPresent(name -> offsets.append(name)
                            .append('=')
                            .append(layout.byteOffset(PathElement.groupElement(name)))
                            .append(':')
                            .append(member.byteSize())
                            .append(' '));
        }
        return offsets.toString().strip();
    }

    /** Size and offsets by the C compiler, from the header where it is here, else from the fields as the class lists them. */
    private String compiled(StructLayout layout) throws IOException {
        String struct = layout.name().orElseThrow();
        StringBuilder source = new StringBuilder("#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n")
                .append("#include <stdio.h>\n");
        String header = Programs.setting("nixlHeader");
        if (header != null) {
            source.append("#include \"").append(header).append("\"\n");
        } else {
            source.append("struct ")
                    .append(struct)
                    .append(" {\n")
                    .append(fields(struct))
                    .append("};\n");
        }
        source.append("int main(void) { typedef struct ").append(struct).append(" s; printf(\"%zu\", sizeof(s));\n");
        for (MemoryLayout member : layout.memberLayouts()) {
            member.name()
                    .ifPresent(name -> source.append("printf(\" %s=%zu:%zu\", \"")
                            .append(name)
                            .append("\", offsetof(s, ")
                            .append(name)
                            .append("), sizeof(((s *) 0)->")
                            .append(name)
                            .append("));\n"));
        }
        source.append("return 0; }\n");
        Path code = folder.resolve("probe.c");
        Path program = folder.resolve("probe");
        Files.writeString(code, source);
        Programs.output("gcc", "-o", program.toString(), code.toString());
        return Programs.output(program.toString());
    }

    private static String fields(String struct) {
        return struct.equals("nixl_capi_agent_config_s")
                ? """
                bool enable_prog_thread;
                bool enable_listen_thread;
                int listen_port;
                enum { NONE, STRICT, RW } thread_sync;
                unsigned int num_workers;
                uint64_t pthr_delay_us;
                uint64_t lthr_delay_us;
                bool capture_telemetry;
                """
                : "uint64_t start_time_us, post_duration_us, xfer_duration_us, total_bytes, desc_count;\n";
    }

    private static String method(String function) {
        Matcher words = Pattern.compile("_(\\w)").matcher(function.substring("nixl_capi_".length()));
        return words.replaceAll(word -> word.group(1).toUpperCase(Locale.ROOT));
    }
}
