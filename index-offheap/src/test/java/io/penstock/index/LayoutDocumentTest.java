package io.penstock.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.index.layout.BucketLayout;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.HolderLayout;
import io.penstock.index.layout.PageHeadLayout;
import io.penstock.index.layout.PageLineLayout;
import io.penstock.index.layout.PageRecordLayout;
import io.penstock.index.layout.PoolLayout;
import io.penstock.index.layout.RunLayout;
import io.penstock.index.layout.SlotLayout;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LayoutDocumentTest {
    private static final Set<String> NOT_OFFSETS = Set.of(
            "BYTES",
            "VERSION_VALUE",
            "REGION_COUNT",
            "ROOTS",
            "ROOTS_END",
            "SIDE_CLASSES",
            "BIN_COUNT",
            "SLOTS",
            "MAX_NAME_BYTES",
            "INLINE_RANGES",
            "CELLS",
            "LISTING_MASK",
            "FILED",
            "FURTHER_SHIFT");

    @ParameterizedTest
    @ValueSource(
            classes = {
                HeaderLayout.class,
                SlotLayout.class,
                HolderLayout.class,
                BucketLayout.class,
                RunLayout.class,
                PoolLayout.class,
                PageLineLayout.class,
                PageHeadLayout.class,
                PageRecordLayout.class
            })
    void shouldDocumentEveryFieldWhereTheCodeHasIt(Class<?> layout) throws IOException, ReflectiveOperationException {
        Set<String> documented = new TreeSet<>();
        int end = 0;
        for (String row : rows(layout.getSimpleName())) {
            List<String> cells =
                    Arrays.stream(row.split("\\|")).map(String::strip).toList();
            int offset = Integer.parseInt(cells.get(1));
            assertEquals(layout.getField(cells.get(3)).getInt(null), offset, row);
            assertTrue(offset >= end, "overlaps the row before: " + row);
            end = offset + Integer.parseInt(cells.get(2));
            documented.add(cells.get(3));
        }
        assertTrue(end <= layout.getField("BYTES").getInt(null), "record is longer than its size");
        Set<String> offsets = new TreeSet<>();
        for (Field field : layout.getFields()) {
            if (field.getType() == int.class && !NOT_OFFSETS.contains(field.getName())) {
                offsets.add(field.getName());
            }
        }
        assertEquals(offsets, documented);
    }

    private static List<String> rows(String layout) throws IOException {
        Path document = Path.of(System.getProperty("penstock.root"), "docs", "formats", "index-file.md");
        return Files.readAllLines(document).stream()
                .dropWhile(line -> !line.equals("<!-- layout: " + layout + " -->"))
                .skip(3)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
    }
}
