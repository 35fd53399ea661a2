package io.penstock.dataplane.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class PenstockTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void shouldHelpWithEveryCommand() {
        for (String name : Penstock.commandLine().getSubcommands().keySet()) {
            assertEquals(0, run(name, "--help"), name);
            assertTrue(out.toString().contains("Usage: penstock " + name), out.toString());
        }
        assertEquals(0, run("--help"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "roam",
                "demo --secnds 3",
                "demo --seconds three",
                "demo --seconds 3",
                "demo --engines 0",
                "demo --policies kvv",
                "demo --policies kv,kv",
                "demo --seconds 30 --policies kv,random,round-robin",
                "demo --speedup 0.5",
                "demo --scale 7",
                "demo --trace /no/such/file",
                "demo --full",
                "version now"
            })
    void shouldSayInOneLineWhatIsWrongAndExitWithTwo(String usage) {
        int status = run(usage.isEmpty() ? new String[0] : usage.split(" "));
        assertEquals(2, status, err.toString());
        assertEquals(1, err.toString().lines().count(), err.toString());
    }

    @Test
    void shouldPrintACompletionScriptThatKnowsTheCommands() {
        assertEquals(0, run("completion"));
        assertTrue(out.toString().contains("_complete_penstock"));
        assertTrue(out.toString().contains("--kill-engine-at"));
    }

    @Test
    void shouldPrintItsVersion() {
        assertEquals(0, run("version"));
        assertTrue(out.toString().startsWith("penstock "), out.toString());
    }

    private int run(String... args) {
        CommandLine line = Penstock.commandLine();
        out.getBuffer().setLength(0);
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(err));
        return line.execute(args);
    }
}
