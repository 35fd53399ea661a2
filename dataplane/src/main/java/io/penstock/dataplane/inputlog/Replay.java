package io.penstock.dataplane.inputlog;

import io.penstock.dataplane.pipeline.RouteRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;

/**
 * Goes through a log with the serving core, from a checkpoint or a run's begin on, and decides all requests again.
 *
 * <p>What the log does not hold ends the claim: a gap, an index with a former run's content, a damaged file. After such a point the
 * state is not known until a core begins anew, or at the next checkpoint, which is for another replay to begin from.
 *
 * <p><b>Threading:</b> owned by the caller. <b>Cost:</b> an index as large as the router's in a scratch folder.
 */
final class Replay implements AutoCloseable {
    /** Hears of each decision made again. */
    interface Listener {
        /** The request before it is decided; the core is in the state in which it was then. */
        default void before(InputRecord route, ReplayedCore core) {}

        /**
         * Both decisions.
         *
         * @param logged bytes of the one made then, or null when the log does not have it
         */
        void decided(InputRecord route, RouteRequest request, byte[] logged, long waitNs, ReplayedCore core);
    }

    private final Path scratch;
    private LogReader reader;
    private final String from;
    private ReplayedCore core;
    private int cores;
    private long expected;
    private long inputs;
    private int lastKind;
    private String obstacle;
    private long obstacleEnd;

    private Replay(LogFolder folder, long after, Path checkpoint, String from) throws IOException {
        this.from = from;
        scratch = Files.createTempDirectory("penstock-replay");
        try {
            if (checkpoint != null) {
                CheckpointFile state = CheckpointFile.read(checkpoint);
                core = ReplayedCore.of(checkpoint, state, nextScratch());
            }
            reader = new LogReader(folder, after);
        } catch (IOException | RuntimeException failed) {
            close();
            throw failed;
        }
        expected = after + 1;
    }

    /**
     * Begins at the last point before {@code seq} at which the state is known.
     *
     * @throws IOException in one line, when there is none
     */
    static Replay before(LogFolder folder, long seq) throws IOException {
        long best = -1;
        Path checkpoint = null;
        for (LogFolder.Entry entry : folder.checkpoints()) {
            if (entry.seq() < seq) {
                best = entry.seq();
                checkpoint = entry.path();
            }
        }
        for (LogFolder.Entry entry : folder.segments()) {
            // A run's first record is that of its empty core.
            if (entry.seq() <= seq && entry.seq() - 1 >= best && runBegins(entry.path())) {
                best = entry.seq() - 1;
                checkpoint = null;
            }
        }
        if (best < 0) {
            throw new IOException("no checkpoint before it in the log: seq=" + seq + ", log=" + folder.path());
        }
        String from = checkpoint == null ? "start of the router, seq=" + (best + 1) : "checkpoint, seq=" + best;
        return new Replay(folder, best, checkpoint, from);
    }

    /** Numbers after which the state is known: checkpoints, and begins of runs. */
    static TreeSet<Long> starts(LogFolder folder) throws IOException {
        TreeSet<Long> starts = new TreeSet<>();
        for (LogFolder.Entry entry : folder.checkpoints()) {
            starts.add(entry.seq());
        }
        for (LogFolder.Entry entry : folder.segments()) {
            if (runBegins(entry.path())) {
                starts.add(entry.seq() - 1);
            }
        }
        return starts;
    }

    private static boolean runBegins(Path file) throws IOException {
        try (SegmentReader reader = SegmentReader.open(file)) {
            return reader != null && reader.runBegins();
        }
    }

    private Path nextScratch() throws IOException {
        return Files.createDirectory(scratch.resolve("core-" + cores++));
    }

    /** Where it began, for people. */
    String from() {
        return from;
    }

    /** Why the state is not known where it ended, or null. */
    String obstacle() {
        return obstacle;
    }

    /** The last number that the obstacle concerns. */
    long obstacleEnd() {
        return obstacleEnd;
    }

    /** Inputs applied. */
    long inputs() {
        return inputs;
    }

    /** Wall clock of a router's time, Unix milliseconds. */
    long epochMs(long timeNs) {
        return reader.epochMs(timeNs);
    }

    /** What a kill left at the end of a file, or null. */
    String torn() {
        return reader.torn();
    }

    /** Number of the last record applied. */
    long lastSeq() {
        return expected - 1;
    }

    /** Kind of that record, for people. */
    String lastKind() {
        return RecordLayout.name(lastKind);
    }

    /** Applies all records up to {@code lastSeq}; after an {@link #obstacle} none until a core begins anew. */
    void run(long lastSeq, Listener listener) throws IOException {
        while (true) {
            InputRecord record = reader.peek();
            if (record == null || record.seq() > lastSeq) {
                return;
            }
            reader.next();
            if (record.kind() == RecordLayout.STARTED) {
                obstacle = null;
            }
            if (obstacle == null && follows(record)) {
                step(record, listener);
            }
        }
    }

    private boolean follows(InputRecord record) {
        if (record.kind() == RecordLayout.GAP) {
            stop(
                    "gap in the log: inputs " + record.seq() + " to " + record.gapEnd() + " were not written",
                    record.gapEnd());
            return false;
        }
        if (record.kind() == RecordLayout.STARTED) {
            // The core's state before it is of no consequence, nor what of it may be missing.
            expected = record.seq() + 1;
            lastKind = record.kind();
            return true;
        }
        boolean beside = record.seq() == expected - 1
                && (record.kind() == RecordLayout.DECIDED
                        || record.kind() == RecordLayout.POOL
                        || record.kind() == RecordLayout.CHECKPOINT);
        if (!beside && record.seq() != expected) {
            stop("log is damaged: input " + expected + " is followed by " + record.seq(), record.seq() - 1);
            return false;
        }
        expected += beside ? 0 : 1;
        lastKind = beside ? lastKind : record.kind();
        return true;
    }

    private void stop(String why, long end) {
        obstacle = why;
        obstacleEnd = end;
    }

    private void step(InputRecord record, Listener listener) throws IOException {
        inputs++;
        switch (record.kind()) {
            case RecordLayout.STARTED -> {
                if (core != null) {
                    core.close();
                }
                ReplaySettings settings = ReplaySettings.of(reader.settings());
                core = ReplayedCore.empty(settings, nextScratch(), record.body().getInt(0));
            }
            case RecordLayout.FAILED -> core = end(core);
            case RecordLayout.ROUTE -> route(record, listener);
            case RecordLayout.POOL -> {
                if (record.flags() == RecordLayout.HAS_CONTENT) {
                    stop(
                            "index opened with the content of a former run, input " + record.seq()
                                    + "; a checkpoint follows it",
                            record.seq());
                }
            }
            default -> {
                if (core != null) {
                    core.apply(record, reader.peek());
                }
            }
        }
    }

    private static ReplayedCore end(ReplayedCore failed) {
        if (failed != null) {
            failed.close();
        }
        return null;
    }

    private void route(InputRecord record, Listener listener) throws IOException {
        if (core == null) {
            return;
        }
        listener.before(record, core);
        RouteRequest request = core.apply(record, null);
        InputRecord decided = reader.peek();
        byte[] logged = null;
        long waitNs = 0;
        if (decided != null && decided.kind() == RecordLayout.DECIDED && decided.seq() == record.seq()) {
            logged = new byte[decided.body().capacity() - Long.BYTES];
            decided.body().get(Long.BYTES, logged);
            waitNs = decided.body().getLong(0);
        }
        listener.decided(record, request, logged, waitNs, core);
    }

    @Override
    public void close() throws IOException {
        end(core);
        core = null;
        if (reader != null) {
            reader.close();
        }
        LogFolder.delete(scratch);
    }
}
