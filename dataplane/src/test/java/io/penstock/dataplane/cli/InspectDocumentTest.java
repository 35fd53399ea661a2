package io.penstock.dataplane.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.index.inspect.BlockAnswer;
import io.penstock.index.inspect.Branch;
import io.penstock.index.inspect.DiffAnswer;
import io.penstock.index.inspect.PrefixAnswer;
import io.penstock.index.inspect.SharedPrefix;
import io.penstock.index.inspect.Summary;
import io.penstock.index.inspect.TierCounts;
import io.penstock.index.inspect.TopAnswer;
import io.penstock.index.inspect.TreeAnswer;
import io.penstock.index.inspect.VerifyAnswer;
import io.penstock.index.inspect.WorkerAnswer;
import io.penstock.index.inspect.WorkerState;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/formats/inspect.md has every member that is printed, in order. */
final class InspectDocumentTest {
    private static final Path DOCUMENT = Path.of(System.getProperty("penstock.root"), "docs", "formats", "inspect.md");

    @ParameterizedTest
    @ValueSource(
            classes = {
                Summary.class,
                WorkerState.class,
                TierCounts.class,
                WorkerAnswer.class,
                BlockAnswer.class,
                PrefixAnswer.class,
                TopAnswer.class,
                SharedPrefix.class,
                TreeAnswer.class,
                Branch.class,
                VerifyAnswer.class,
                DiffAnswer.class
            })
    void shouldDocumentEveryMember(Class<?> answer) throws IOException {
        List<String> documented = Files.readAllLines(DOCUMENT).stream()
                .dropWhile(line -> !line.equals("<!-- inspect: " + answer.getSimpleName() + " -->"))
                .skip(3)
                .takeWhile(line -> line.startsWith("|"))
                .map(row -> row.split("\\|")[1].replace("`", "").strip())
                .toList();
        List<String> members = new ArrayList<>();
        members(answer, answer, "", members);
        assertEquals(members, documented);
    }

    /** Records nested in the answer are spelt out; others have a table of their own. */
    private static void members(Class<?> answer, Class<?> record, String prefix, List<String> out) {
        for (RecordComponent component : record.getRecordComponents()) {
            boolean list = component.getType() == List.class;
            Class<?> type = list
                    ? (Class<?>) ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0]
                    : component.getType();
            String name = prefix + component.getName() + (list ? "[]" : "");
            out.add(name);
            if (type.getEnclosingClass() == answer) {
                members(answer, type, name + ".", out);
            }
        }
    }
}
