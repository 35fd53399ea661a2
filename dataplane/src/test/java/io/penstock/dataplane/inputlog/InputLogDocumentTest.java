package io.penstock.dataplane.inputlog;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/formats/input-log.md says what the code does. */
class InputLogDocumentTest {
    private static final Pattern ROW = Pattern.compile("\\| (\\d+) \\| (?:[\\d…]+ \\| )?([A-Z_]+) \\|.*");

    private static String document() throws Exception {
        return Files.readString(Path.of(System.getProperty("penstock.root"), "docs", "formats", "input-log.md"));
    }

    /** Rows of the tables from a mark, or a heading, to the next heading or mark. */
    private static List<String> rows(String from) throws Exception {
        List<String> rows = new ArrayList<>();
        String text = document();
        for (String line :
                text.substring(text.indexOf(from) + from.length()).lines().toList()) {
            if (line.startsWith("## ") || line.startsWith("<!--")) {
                break;
            }
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                rows.add(row.group(2) + " " + row.group(1));
            }
        }
        return rows;
    }

    private static void assertDocumented(Class<?> layout, Set<String> leftOut, List<String> rows) throws Exception {
        Set<String> fields = new TreeSet<>();
        for (Field field : layout.getDeclaredFields()) {
            boolean number = Modifier.isStatic(field.getModifiers()) && field.getType() == int.class;
            if (number && !leftOut.contains(field.getName())) {
                field.setAccessible(true);
                fields.add(field.getName() + " " + field.getInt(null));
            }
        }
        assertEquals(fields, new TreeSet<>(rows), layout.getSimpleName());
    }

    @Test
    void shouldDocumentEveryFieldOfFilesAndFrames() throws Exception {
        assertDocumented(
                SegmentLayout.class, Set.of("VERSION_VALUE", "RUN_BEGINS"), rows("<!-- layout: SegmentLayout -->"));
    }

    @Test
    void shouldDocumentEveryFieldAndKindOfRecords() throws Exception {
        Set<String> fields = Set.of("LENGTH", "KIND", "FLAGS", "SEQ", "TIME", "BODY");
        Set<String> flags = Set.of("YES", "HAS_CONTENT", "REFUSED");
        List<String> offsets = rows("## A record");
        assertEquals(Arrays.asList("LENGTH 0", "KIND 4", "FLAGS 5", "SEQ 8", "TIME 16", "BODY 24"), offsets);
        Set<String> kinds = new TreeSet<>(fields);
        kinds.addAll(flags);
        assertDocumented(RecordLayout.class, kinds, rows("<!-- kinds: RecordLayout -->"));
        assertEquals(24, RecordLayout.BODY);
        assertEquals(16, RecordLayout.TIME);
        assertEquals(8, RecordLayout.SEQ);
    }

    @Test
    void shouldDocumentEveryFieldOfDecisions() throws Exception {
        assertDocumented(DecisionBytes.class, Set.of("CANDIDATE_BYTES"), rows("<!-- layout: DecisionBytes -->"));
    }

    @Test
    void shouldDocumentEveryFieldOfACheckpointsState() throws Exception {
        List<String> rows = new ArrayList<>(rows("<!-- layout: CheckpointFile -->"));
        // Magic and version are the first words, and have no constant of their own.
        rows.removeAll(List.of("MAGIC 0", "VERSION 8"));
        assertDocumented(CheckpointFile.class, Set.of("VERSION"), rows);
    }
}
