package io.penstock.dataplane.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class CounterFileDocumentTest {
    private static List<List<String>> rows(String mark) throws Exception {
        Path document = Path.of(System.getProperty("penstock.root"), "docs", "formats", "counters.md");
        return Files.readAllLines(document).stream()
                .dropWhile(line -> !line.equals("<!-- " + mark + " -->"))
                .skip(3)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> Arrays.stream(line.split("\\|")).map(String::strip).toList())
                .toList();
    }

    @Test
    void shouldDocumentEveryFieldWhereTheCodeHasIt() throws Exception {
        Set<String> documented = new TreeSet<>();
        int end = 0;
        for (List<String> cells : rows("layout: CounterFileLayout")) {
            int offset = Integer.parseInt(cells.get(1));
            String field = cells.get(3) + "_OFFSET";
            assertEquals(CounterFileLayout.class.getField(field).getInt(null), offset, field);
            assertTrue(offset >= end, "overlaps the row before: " + field);
            end = offset + Integer.parseInt(cells.get(2));
            documented.add(field);
        }
        assertTrue(end <= CounterFileLayout.HEADER_LENGTH);
        Set<String> fields = new TreeSet<>();
        for (Field field : CounterFileLayout.class.getFields()) {
            if (field.getName().endsWith("_OFFSET")) {
                fields.add(field.getName());
            }
        }
        assertEquals(fields, documented);
    }

    @Test
    void shouldDocumentEveryCounterByItsId() throws Exception {
        List<String> documented = new ArrayList<>();
        for (List<String> cells : rows("counters")) {
            documented.add(cells.get(1) + " " + cells.get(2));
        }
        List<String> counters = new ArrayList<>();
        for (Counter counter : Counter.values()) {
            counters.add(counter.ordinal() + " " + counter.label());
        }
        assertEquals(counters, documented);
    }
}
