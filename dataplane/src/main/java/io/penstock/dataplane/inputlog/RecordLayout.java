package io.penstock.dataplane.inputlog;

/**
 * A record of the log: one input of the core, one decision, or what became of the log. Little-endian, unaligned.
 *
 * <pre>
 *   0 length u32, all of it   4 kind u8   5 flags u8   6 zero u16   8 seq i64   16 time i64, router's nanoseconds   24 body
 * </pre>
 *
 * Bodies are told in {@code docs/formats/input-log.md}.
 *
 * <p><b>Threading:</b> immutable.
 */
final class RecordLayout {
    static final int LENGTH = 0;
    static final int KIND = LENGTH + Integer.BYTES;
    static final int FLAGS = KIND + 1;
    static final int SEQ = KIND + Integer.BYTES;
    static final int TIME = SEQ + Long.BYTES;
    static final int BODY = TIME + Long.BYTES;

    static final int STARTED = 1;
    static final int ROUTE = 2;
    static final int DECIDED = 3;
    static final int FIRST_TOKEN = 4;
    static final int PROGRESS = 5;
    static final int FINISHED = 6;
    static final int TICK = 7;
    static final int TIME_TOLD = 8;
    static final int STORED = 9;
    static final int REMOVED = 10;
    static final int ADVANCED = 11;
    static final int CLEARED = 12;
    static final int BATCH_END = 13;
    static final int PROVEN = 14;
    static final int COLD = 15;
    static final int DOUBTED = 16;
    static final int ADD_WORKER = 17;
    static final int DRAIN = 18;
    static final int REMOVE = 19;
    static final int HEALTH = 20;
    static final int THRESHOLDS = 21;
    static final int SWEPT = 22;
    static final int POOL = 23;
    static final int FAILED = 24;
    static final int GAP = 25;
    static final int CHECKPOINT = 26;

    /** Flag of {@link #STORED}: root. Of {@link #HEALTH}: healthy. Of {@link #ROUTE}: exact. */
    static final int YES = 1;

    /** Flag of {@link #POOL}: it holds what a former run left. */
    static final int HAS_CONTENT = 1;

    /** Flag of {@link #POOL}: the index could not be opened. */
    static final int REFUSED = 2;

    private static final String[] NAMES = {
        "?",
        "started",
        "route",
        "decided",
        "first token",
        "progress",
        "finished",
        "tick",
        "time",
        "stored",
        "removed",
        "advanced",
        "cleared",
        "batch end",
        "proven",
        "cold",
        "doubted",
        "worker added",
        "worker drained",
        "worker removed",
        "health",
        "thresholds",
        "swept",
        "pool",
        "core failed",
        "gap",
        "checkpoint"
    };

    private RecordLayout() {}

    /** Name of a kind, for people. */
    static String name(int kind) {
        return kind > 0 && kind < NAMES.length ? NAMES[kind] : "kind " + kind;
    }
}
