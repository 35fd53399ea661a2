package io.penstock.dataplane.cli;

import io.penstock.dataplane.journal.JournalFolder;
import io.penstock.dataplane.tail.JournalSource;
import io.penstock.dataplane.tail.Tail;
import io.penstock.dataplane.tail.TailFilter;
import io.penstock.dataplane.tail.TailOptions;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code penstock tail}: requests and tools as they end, from another process than the router's.
 *
 * <p><b>Threading:</b> main thread; the JVM's shutdown ends it.
 */
@Command(
        name = "tail",
        description = {
            "Prints the requests and tools of a router's trace journal as they end, a line each. The router is not disturbed;"
                    + " it may stop, start again, or start later.",
            "Subagents are indented; a hit rate with ~ is the router's expectation."
        },
        mixinStandardHelpOptions = true)
final class TailCommand implements Callable<Integer> {
    private static final Duration ON_TERMINAL = Duration.ofSeconds(1);
    private static final Duration ELSEWHERE = Duration.ofSeconds(10);
    private static final long LAST_WORDS_MS = 2_000;

    @Spec
    private CommandLine.Model.CommandSpec spec;

    @Parameters(
            paramLabel = "JOURNAL",
            arity = "0..1",
            defaultValue = "data/journal",
            description = "Folder of the journal: journal in the router's data folder; default: ${DEFAULT-VALUE}.")
    private Path journal;

    @Option(
            names = {"-f", "--follow"},
            description = "Goes on until Ctrl-C; waits for a journal that is not there yet.")
    private boolean follow;

    @Option(
            names = {"-n", "--lines"},
            paramLabel = "N",
            description = "How many of those written before; default: 10.")
    private int lines = 10;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "All from then on: 2026-11-30T08:00:00Z, or 15m, 2h, 1d before now.")
    private String since;

    @Option(
            names = "--session",
            paramLabel = "ID",
            description = "Only this session and its subagents; ID* for a beginning.")
    private List<String> sessions = new ArrayList<>();

    @Option(names = "--worker", paramLabel = "NAME", description = "Only what this worker answered.")
    private List<String> workers = new ArrayList<>();

    @Option(names = "--slow", paramLabel = "MS", description = "Only what took at least so long.")
    private double slowMs = Double.NaN;

    @Option(
            names = "--finish",
            paramLabel = "REASON",
            description = "Only what ended so: a finish reason, or cancelled, broken, refused.")
    private List<String> finish = new ArrayList<>();

    @Option(names = "--json", description = "A JSON object a line; rates go to standard error.")
    private boolean json;

    @Option(
            names = "--header",
            negatable = true,
            fallbackValue = "true",
            description = "Titles and, while following, rates; default: on a terminal.")
    private Boolean header;

    @Option(names = "--latency", description = "Says at the end how late the lines were.")
    private boolean latency;

    @Override
    public Integer call() {
        if (!follow && !JournalFolder.isJournal(journal)) {
            throw new IllegalArgumentException("no trace journal lies there: folder=" + journal);
        }
        CommandLine line = spec.commandLine();
        boolean terminal = System.console() != null && System.console().isTerminal();
        boolean titles = header == null ? terminal : header;
        TailOptions options = new TailOptions(
                since == null ? -1 : TimeArgument.ms(since, "since", System.currentTimeMillis()),
                lines,
                follow,
                titles && follow ? (terminal ? ON_TERMINAL : ELSEWHERE) : null);
        PrintWriter out = line.getOut();
        PrintWriter notes = json ? line.getErr() : out;
        Tail tail = Tail.of(
                new JournalSource(journal),
                new TailFilter(sessions, workers, slowMs, finish),
                options,
                json,
                terminal,
                ZoneId.systemDefault(),
                out,
                notes);
        if (titles && !json) {
            out.println(Tail.titles());
        }
        follow(tail, line.getErr());
        return CommandLine.ExitCode.OK;
    }

    /** Runs until it ends by itself or the process is told to; in both cases the last words are said. */
    private void follow(Tail tail, PrintWriter err) {
        CountDownLatch ended = new CountDownLatch(1);
        Thread onExit = Thread.ofPlatform().unstarted(() -> {
            tail.stop();
            try {
                ended.await(LAST_WORDS_MS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Runtime.getRuntime().addShutdownHook(onExit);
        try {
            tail.run();
            if (latency) {
                err.println(tail.latency());
                err.flush();
            }
        } finally {
            ended.countDown();
            forget(onExit);
        }
    }

    private static void forget(Thread onExit) {
        try {
            Runtime.getRuntime().removeShutdownHook(onExit);
        } catch (IllegalStateException exiting) {
            // It is what ends us.
            return;
        }
    }
}
