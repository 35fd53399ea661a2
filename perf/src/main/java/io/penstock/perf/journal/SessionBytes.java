package io.penstock.perf.journal;

import io.penstock.dataplane.journal.JournalConfig;
import io.penstock.dataplane.journal.JournalWriter;
import io.penstock.dataplane.pipeline.DecisionRecord;
import java.nio.file.Path;
import java.util.SplittableRandom;

/**
 * Bytes that one agent's session costs in the journal while its prompt grows to 150,000 tokens, with a title asked for now
 * and then.
 *
 * <p><b>Threading:</b> one thread.
 */
final class SessionBytes {
    private static final int TOKENS = 150_000;
    private static final int FIRST_TOKENS = 20_000;
    private static final int TURNS = 130;
    private static final int TITLE_EVERY = 40;

    private SessionBytes() {}

    /**
     * What it costs.
     *
     * @param perTurn bytes a turn, on average over the session
     * @param lastTurn bytes of a turn that tells its new blocks only, at 150,000 tokens
     * @param fullList bytes of a record with all blocks, at 150,000 tokens
     */
    record Bytes(double perTurn, long lastTurn, long fullList) {}

    static Bytes measure(Path folder) {
        JournalWriter writer = new JournalWriter(JournalConfig.defaults(), folder, (counter, amount) -> {}, failed -> {
            throw new IllegalStateException("journal failed", failed);
        });
        writer.onStart();
        SplittableRandom random = new SplittableRandom(1);
        int tokens = FIRST_TOKENS;
        int turns = 0;
        while (tokens < TOKENS) {
            append(writer, "agent", 1, tokens);
            turns++;
            if (turns % TITLE_EVERY == 0) {
                append(writer, "agent", 2, 600);
                turns++;
            }
            tokens += random.nextInt(2 * (TOKENS - FIRST_TOKENS) / TURNS);
        }
        double perTurn = bytes(writer) / (double) turns;
        long before = bytes(writer);
        append(writer, "another", 3, TOKENS);
        long full = bytes(writer) - before;
        before = bytes(writer);
        append(writer, "another", 3, TOKENS + (TOKENS - FIRST_TOKENS) / TURNS);
        long last = bytes(writer) - before;
        writer.onShutdown();
        writer.close();
        return new Bytes(perTurn, last, full);
    }

    private static void append(JournalWriter writer, String session, long seed, int tokens) {
        DecisionRecord slot = new DecisionRecord();
        slot.trace = Turns.record(session, seed, tokens / Turns.BLOCK);
        writer.onEvent(slot, 0, true);
    }

    private static long bytes(JournalWriter writer) {
        return (long) writer.details().get("bytes");
    }
}
