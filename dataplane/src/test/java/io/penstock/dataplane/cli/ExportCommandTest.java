package io.penstock.dataplane.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.dataplane.export.WrittenJournal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The commands as they are typed. */
final class ExportCommandTest {
    @TempDir
    Path folder;

    private Path journal;
    private String out = "";
    private String err = "";

    @BeforeEach
    void write() {
        journal = folder.resolve("data").resolve("journal");
        WrittenJournal.agents(journal);
    }

    private int run(Object... words) {
        StringWriter text = new StringWriter();
        StringWriter errors = new StringWriter();
        CommandLine line = Penstock.commandLine();
        line.setOut(new PrintWriter(text));
        line.setErr(new PrintWriter(errors));
        String[] arguments = new String[words.length];
        for (int i = 0; i < words.length; i++) {
            arguments[i] = words[i].toString();
        }
        int status = line.execute(arguments);
        out = text.toString();
        err = errors.toString();
        return status;
    }

    @Test
    void shouldWriteEveryFormatWhenAskedByName() throws IOException {
        for (String format :
                new String[] {"dynamo", "mooncake", "agentic-mooncake", "aiperf-mooncake", "weka", "otlp", "csv"}) {
            Path target = folder.resolve(format);
            assertEquals(0, run("export", "--format", format, "-o", target, journal), err);
            assertTrue(err.contains("written: "), err);
            assertTrue(Files.exists(target), format);
        }
        // The router's data folder names its journal, and what was written can be read again.
        assertEquals(0, run("export", "--format", "csv", "-o", folder.resolve("again"), folder.resolve("data")), err);
        assertEquals(Files.readString(folder.resolve("csv")), Files.readString(folder.resolve("again")));
        Path trace = folder.resolve("trace.jsonl");
        Files.move(folder.resolve("dynamo"), trace);
        assertEquals(0, run("export", "--format", "mooncake", "-o", folder.resolve("again"), trace), err);
        assertEquals(Files.readString(folder.resolve("mooncake")), Files.readString(folder.resolve("again")));
    }

    @Test
    void shouldSayInOneLineWhatIsWrong() {
        assertEquals(2, run("export", "--format", "csv", folder.resolve("gone")));
        assertEquals("no such journal or trace: path=" + folder.resolve("gone"), err.strip());
        assertEquals(2, run("export", "--format", "weka", journal));
        assertEquals("this format fills a folder, say which: format=weka --output=", err.strip());
        assertEquals(2, run("export", "--format", "parquet", journal));
        assertEquals(1, err.lines().count(), err);
        assertEquals(2, run("export", "--format", "csv", folder));
        assertEquals("no trace journal lies there: folder=" + folder, err.strip());
        assertEquals(2, run("trace", "atif", folder.resolve("gone"), journal));
        assertEquals("no such trajectory: file=" + folder.resolve("gone"), err.strip());
    }

    @Test
    void shouldJoinTrajectoriesWhenGivenTheirFiles() throws IOException {
        Path atif = folder.resolve("atif.json");
        Files.writeString(atif, """
                {"schema_version":"ATIF-v1.7","session_id":"root","agent":{"name":"x","version":"1"},"final_metrics":{"total_cost_usd":0.10},
                 "steps":[{"step_id":1,"source":"agent","message":"","tool_calls":[{"tool_call_id":"call-1","function_name":"bash","arguments":{}}]}]}
                """);
        assertEquals(0, run("trace", "atif", atif, journal), err);
        assertTrue(out.contains("\"request_ids\" : [ \"r1\" ]"), out);
        assertTrue(out.contains("0.10"), "numbers stay as they are written: " + out);
        assertTrue(err.contains("steps joined: 1"), err);

        Path letta = folder.resolve("letta.json");
        Files.writeString(letta, """
                [{"role":"meta","source":"x"},
                 {"role":"assistant","content":null,"timestamp":"t","tool_calls":[{"id":"call-1","name":"bash","args":"{}"}]}]
                """);
        Path beside = folder.resolve("beside.json");
        assertEquals(0, run("trace", "letta", letta, journal, "-o", beside), err);
        assertTrue(Files.readString(beside).contains("\"session_id\" : \"root\""), Files.readString(beside));
        assertTrue(err.contains("calls joined: 1"), err);
    }
}
