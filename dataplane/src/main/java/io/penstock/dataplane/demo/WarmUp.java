package io.penstock.dataplane.demo;

import io.penstock.dataplane.demo.ReplayStats.Snapshot;
import io.penstock.dataplane.trace.AgentSession;
import io.penstock.dataplane.trace.Prompt;
import io.penstock.dataplane.trace.ReplayPlan;
import io.penstock.dataplane.trace.ReplayScale;
import io.penstock.dataplane.trace.TraceSet;
import io.penstock.dataplane.trace.Turn;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;

/**
 * A few short requests before the measured ones, so that class loading in fresh processes is not taken for a policy's
 * slow tail. Their prompts are no one else's, and too short to matter in the pools.
 *
 * <p><b>Threading:</b> stateless.
 */
final class WarmUp {
    private static final int SESSIONS = 16;
    private static final int TURNS = 3;
    private static final int PROMPT_TOKENS = 256;
    private static final int OUTPUT_TOKENS = 8;
    private static final long MOST_MS = 15_000;

    private WarmUp() {}

    /** Sends them; a failure is an error, since nothing else can go well then. */
    static void run(URI server, int blockTokens) throws InterruptedException {
        List<AgentSession> sessions = new ArrayList<>();
        for (int i = 0; i < SESSIONS; i++) {
            long first = -1L - (long) i * PROMPT_TOKENS;
            Prompt prompt =
                    new Prompt(LongStream.range(first - PROMPT_TOKENS, first).toArray(), PROMPT_TOKENS, 1);
            Turn turn = new Turn(0, prompt, OUTPUT_TOKENS, List.of());
            sessions.add(new AgentSession("warm-up-" + i, null, 0, Collections.nCopies(TURNS, turn)));
        }
        ReplayPlan plan = ReplayPlan.of(
                new TraceSet("warm-up", false, sessions),
                new ReplayScale(1, 1, 0),
                SESSIONS,
                Double.POSITIVE_INFINITY,
                blockTokens,
                0);
        Replay replay = new Replay(plan, server, LocalFleet.MODEL, RetryPolicy.defaults(), null);
        replay.run(MOST_MS);
        Snapshot seen = replay.stats().snapshot();
        if (seen.failed() > 0) {
            throw new IllegalStateException("the first requests failed: " + seen.firstFailure());
        }
    }
}
