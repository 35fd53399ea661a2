package io.penstock.dataplane.pool;

/**
 * Whether a master's messages are all there. Its sequence goes up by one from 1; nothing can be sent again, so a missing
 * number means that everything has to be listed anew.
 *
 * <p>A fresh connection hears the stream from some message on. Which of them a listing contains already is known from the
 * {@link #base}: how far the stream had come before the listing was asked for. What comes up to there is old news and may be
 * taken or not; the first message beyond it must be the next.
 *
 * <p><b>Threading:</b> owned by the feed.
 */
final class EventSequence {
    /** What a message is. */
    enum Verdict {
        /** The next one. */
        NEXT,
        /** The one before, again. */
        DUPLICATE,
        /** One or more are missing before it. */
        GAP,
        /** An older one: of another life of the master. */
        BACK
    }

    private static final long NONE = -1;

    private long last = NONE;
    private long base = NONE;
    private long expected = NONE;
    private long expectedSinceMs;

    /** Nothing is known: another connection, or another life of the master. */
    void forget() {
        last = NONE;
        base = NONE;
        expected = NONE;
    }

    /** The stream had come up to here before the listing was asked for. */
    void base(long published) {
        base = published;
    }

    /** Takes a message. After {@link Verdict#GAP} and {@link Verdict#BACK} the stream goes on from this one. */
    Verdict take(long sequence) {
        Verdict verdict = judge(sequence);
        last = sequence;
        return verdict;
    }

    private Verdict judge(long sequence) {
        if (last == NONE) {
            return base == NONE || sequence <= base + 1 ? Verdict.NEXT : Verdict.GAP;
        }
        if (sequence == last + 1) {
            return Verdict.NEXT;
        }
        return sequence == last ? Verdict.DUPLICATE : sequence > last ? Verdict.GAP : Verdict.BACK;
    }

    /** Up to which message everything is known; -1 if nothing is. */
    long known() {
        return Math.max(last, base);
    }

    /** So many messages were published: those that have not come must come soon. */
    void expect(long published, long nowMs) {
        if (published > known() && expected <= known()) {
            expected = published;
            expectedSinceMs = nowMs;
        }
    }

    /** Whether an expected message has not come in that time. */
    boolean overdue(long nowMs, long graceMs) {
        return expected > known() && nowMs - expectedSinceMs >= graceMs;
    }
}
