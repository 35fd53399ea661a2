package io.penstock.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExerciseTest {
    @TempDir
    Path folder;

    @Test
    void shouldLookUpAndLeaveNothingBehind() throws IOException {
        assertTrue(Exercise.run(folder, 20_000_000) > 0);

        try (var left = Files.list(folder)) {
            assertEquals(0, left.count());
        }
    }

    @Test
    void shouldSayWhereItCannotExercise() {
        Path missing = folder.resolve("missing");

        UncheckedIOException failed = assertThrows(UncheckedIOException.class, () -> Exercise.run(missing, 1));

        assertTrue(failed.getMessage().contains(missing.toString()), failed.getMessage());
    }
}
