package io.penstock.ffi.nixl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** Programs of the machine's that a test uses, where they are there. */
final class Programs {
    private Programs() {}

    /** What a program prints; the test is skipped by the program's name where the machine has it not. */
    static String output(String... command) throws IOException {
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException absent) {
            return abort("without the program " + command[0]);
        }
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, process.waitFor(), () -> List.of(command).toString());
            return output;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }

    /** System property {@code penstock.libraries.<key>}, else the variable of that name; null where neither is set. */
    static String setting(String key) {
        String value = System.getProperty("penstock.libraries." + key);
        return value != null
                ? value
                : System.getenv(
                        "PENSTOCK_LIBRARIES_" + key.replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT));
    }
}
