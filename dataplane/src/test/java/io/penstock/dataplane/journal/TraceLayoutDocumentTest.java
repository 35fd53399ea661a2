package io.penstock.dataplane.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.bindings.harness.IdentitySource;
import io.penstock.bindings.harness.InputTrigger;
import io.penstock.dataplane.pipeline.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** docs/formats/trace-journal.md says what the code does. */
class TraceLayoutDocumentTest {
    private static List<String> lines() throws IOException {
        return Files.readAllLines(Path.of(System.getProperty("penstock.root"), "docs", "formats", "trace-journal.md"));
    }

    private static List<List<String>> rows() throws IOException {
        return lines().stream()
                .dropWhile(line -> !line.equals("<!-- layout: TraceLayout -->"))
                .skip(3)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> Arrays.stream(line.split("\\|")).map(String::strip).toList())
                .toList();
    }

    @Test
    void shouldDocumentEveryFieldWhereTheCodeHasIt() throws Exception {
        int end = 0;
        for (List<String> cells : rows()) {
            assertEquals(end, Integer.parseInt(cells.get(1)), cells.toString());
            assertEquals(end, TraceLayout.class.getDeclaredField(cells.get(3)).getInt(null), cells.toString());
            end += Integer.parseInt(cells.get(2));
        }
        assertEquals(TraceLayout.FIXED_BYTES, end);
    }

    @Test
    void shouldDocumentEveryCodeAndFlag() throws IOException {
        assertNote("KIND", TraceRecord.Kind.values(), 0);
        assertNote("OUTCOME", Outcome.values(), 1);
        assertNote("TRIGGER", InputTrigger.values(), 1);
        String sources = IntStream.range(0, IdentitySource.values().length)
                .mapToObj(i -> (i + 1) + " " + IdentitySource.values()[i].label())
                .collect(Collectors.joining(", "));
        assertTrue(note("SOURCE").endsWith(sources), sources);
        String all = String.join("\n", lines());
        for (String flag : List.of(
                "EXACT " + TraceLayout.EXACT,
                "PARTIAL " + TraceLayout.PARTIAL,
                "TRACE_HASHES " + TraceLayout.TRACE_HASHES,
                "TOOL " + TraceLayout.TOOL,
                "ACTION " + TraceLayout.ACTION,
                "FINAL_KNOWN " + TraceLayout.FINAL_KNOWN,
                "FINAL " + TraceLayout.FINAL,
                "SALTED " + TraceLayout.SALTED)) {
            assertTrue(all.contains(flag), flag);
        }
    }

    private static String note(String field) throws IOException {
        return rows().stream()
                .filter(cells -> cells.get(3).equals(field))
                .map(cells -> cells.get(5))
                .findFirst()
                .orElseThrow();
    }

    /** Constants in their order, written as words behind their codes. */
    private static void assertNote(String field, Enum<?>[] constants, int first) throws IOException {
        for (Enum<?> constant : constants) {
            int code = constant instanceof TraceRecord.Kind kind ? kind.code() : constant.ordinal() + first;
            String words = code + " " + constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            assertTrue(note(field).contains(words), field + ": " + words);
        }
    }
}
