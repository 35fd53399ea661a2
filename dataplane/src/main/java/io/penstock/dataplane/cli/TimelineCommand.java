package io.penstock.dataplane.cli;

import io.penstock.dataplane.journal.JournalFolder;
import io.penstock.dataplane.journal.TraceReader;
import io.penstock.dataplane.timeline.TimelineFiles;
import io.penstock.dataplane.timeline.TimelineRange;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code penstock timeline}: what every agent did when, as a Perfetto trace and as a page.
 *
 * <p><b>Threading:</b> main thread.
 */
@Command(
        name = "timeline",
        description = {
            "Draws a router's trace journal: agents with their subagents, requests by stage, tools, pauses, KV hit rate.",
            "As a trace for ui.perfetto.dev, as one page that any browser opens without a network, or as both."
        },
        mixinStandardHelpOptions = true)
final class TimelineCommand implements Callable<Integer> {
    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Parameters(
            paramLabel = "JOURNAL",
            arity = "0..1",
            defaultValue = "data/journal",
            description = "Folder of the journal: journal in the router's data folder; default: ${DEFAULT-VALUE}.")
    private Path journal;

    @Option(names = "--html", paramLabel = "FILE", description = "Writes the page.")
    private Path html;

    @Option(names = "--perfetto", paramLabel = "FILE", description = "Writes the trace, JSON.")
    private Path perfetto;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "What ended from then on: 2026-11-30T08:00:00Z, or 15m, 2h, 1d before now.")
    private String since;

    @Option(names = "--until", paramLabel = "TIME", description = "What ended before.")
    private String until;

    @Option(
            names = "--session",
            paramLabel = "ID",
            description = "Only this session and its subagents; ID* for a beginning.")
    private List<String> sessions = new ArrayList<>();

    @Override
    public Integer call() throws IOException {
        if (html == null && perfetto == null) {
            throw new IllegalArgumentException("nothing to write: --html FILE or --perfetto FILE is needed");
        }
        long now = System.currentTimeMillis();
        TimelineRange range = new TimelineRange(
                since == null ? 0 : TimeArgument.ms(since, "since", now),
                until == null ? Long.MAX_VALUE : TimeArgument.ms(until, "until", now),
                sessions);
        TimelineFiles files;
        try (TraceReader reader = JournalFolder.reader(journal, range.sinceMs())) {
            files = TimelineFiles.read(reader, range, journal.toString());
        }
        PrintWriter out = spec.commandLine().getOut();
        if (html != null) {
            say(out, files, html, files.writePage(html));
        }
        if (perfetto != null) {
            say(out, files, perfetto, files.writeTrace(perfetto));
        }
        out.flush();
        return CommandLine.ExitCode.OK;
    }

    private static void say(PrintWriter out, TimelineFiles files, Path file, long bytes) {
        out.println(String.format(Locale.ROOT, "%s: %s, %,d KiB", file, files.counts(), (bytes + 1023) / 1024));
    }
}
