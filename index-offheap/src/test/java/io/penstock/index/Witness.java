package io.penstock.index;

import io.penstock.index.read.LiveReader;
import java.util.Random;

/** Looks queries up beside a writer until it stops, and judges every answer. */
final class Witness implements Runnable {
    private final TruthLog log;
    private final Progress progress;
    private final LiveReader reader;
    private final Random random;
    private final Overlaps found = new Overlaps(4096);
    private long judged;
    private long incomplete;
    private long tooWide;
    private long moving;
    private volatile String wrong;

    Witness(TruthLog log, Progress progress, LiveReader reader, long seed) {
        this.log = log;
        this.progress = progress;
        this.reader = reader;
        random = new Random(seed);
    }

    @Override
    public void run() {
        while (!progress.stopped() && wrong == null) {
            int query = random.nextInt(log.queries());
            long[] sequences = log.query(query);
            long from = progress.done();
            int size = reader.match(sequences, sequences.length, found);
            long to = progress.started();
            if (size == LiveReader.UNREADABLE) {
                wrong = "unreadable";
            } else if (log.judges(from, to)) {
                judged++;
                moving += from < to ? 1 : 0;
                incomplete += reader.complete() ? 0 : 1;
                wrong = log.judge(query, from, to, found, reader.complete());
            } else {
                tooWide++;
            }
        }
    }

    /** Null, or the first answer that was never true. */
    String wrong() {
        return wrong;
    }

    /** Answers judged. */
    long judged() {
        return judged;
    }

    @Override
    public String toString() {
        return "judged=" + judged + ", while the writer moved=" + moving + ", incomplete=" + incomplete + ", retries="
                + reader.retries() + ", not judged=" + tooWide + ", wrong=" + wrong;
    }
}
