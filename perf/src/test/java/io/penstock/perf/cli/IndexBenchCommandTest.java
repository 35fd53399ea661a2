package io.penstock.perf.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Without peers there is one clear line and status 2. */
class IndexBenchCommandTest {
    @TempDir
    Path empty;

    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return new CommandLine(new IndexBenchCommand())
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    @Test
    void shouldSayWhatIsMissingWhenTheFolderHasNoPeers() {
        assertEquals(2, run("--peers", empty.toString()));
        assertTrue(err.toString().contains("no built copy of the peers' programs: --peers=" + empty), err::toString);
    }

    @Test
    void shouldAskForPeersWhenNoneAreNamed() {
        assertEquals(2, run());
        assertTrue(err.toString().contains("--peers=DIR"), err::toString);
    }
}
