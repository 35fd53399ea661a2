package io.penstock.dataplane.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Holds the generated sessions against what was measured on recorded ones. */
final class SessionGeneratorTest {
    private static final long SEED = 7;

    private final TraceSet set = new SessionGenerator(GeneratorProfile.defaults(), SEED).sessions(400);

    @Test
    void shouldMeetTheRecordedQuantiles() {
        List<Integer> peaks = new ArrayList<>();
        List<Integer> added = new ArrayList<>();
        List<Integer> outputs = new ArrayList<>();
        List<Integer> gaps = new ArrayList<>();
        for (AgentSession session : set.sessions()) {
            Turn last = session.turns().getLast();
            peaks.add(last.prompt().tokens() + last.outputTokens());
            Turn before = null;
            for (Turn turn : session.turns()) {
                outputs.add(turn.outputTokens());
                if (before != null) {
                    added.add(turn.prompt().tokens() - before.prompt().tokens() - before.outputTokens());
                    gaps.add((int) turn.gapMs());
                }
                before = turn;
            }
        }
        assertNear("peak context p50", 148_000, quantile(peaks, 0.5));
        assertNear("peak context p90", 339_000, quantile(peaks, 0.9));
        assertNear("new tokens p50", 646, quantile(added, 0.5));
        assertNear("new tokens p90", 3_500, quantile(added, 0.9));
        assertNear("output p50", 216, quantile(outputs, 0.5));
        assertNear("output p90", 899, quantile(outputs, 0.9));
        assertNear(
                "output mean", 439, outputs.stream().mapToInt(i -> i).average().orElse(0));
        assertNear("think p50", 10_000, quantile(gaps, 0.5));
        assertNear("think p90", 166_000, quantile(gaps, 0.9));
        double perTurn = (double) set.subAgents() / added.size();
        assertTrue(perTurn > 0.01 && perTurn < 0.03, "sub-agents per turn, 45 in 3,011 recorded: " + perTurn);
    }

    @Test
    void shouldMakeTheSameSessionsFromTheSameSeed() {
        TraceSet fewer = new SessionGenerator(GeneratorProfile.defaults(), SEED).sessions(5);
        for (int i = 0; i < 5; i++) {
            AgentSession a = set.sessions().get(i);
            AgentSession b = fewer.sessions().get(i);
            assertEquals(a.requests(), b.requests());
            assertEquals(a.promptTokens(), b.promptTokens());
            assertTrue(Arrays.equals(
                    a.turns().getLast().prompt().ids(),
                    b.turns().getLast().prompt().ids()));
        }
    }

    @Test
    void shouldGrowContextsFromTurnToTurnAndShareThePrefixOfAProject() {
        Prompt prompt = set.sessions().getFirst().turns().getFirst().prompt();
        for (Turn turn : set.sessions().getFirst().turns()) {
            assertTrue(turn.prompt().tokens() >= prompt.tokens());
            assertEquals(prompt.token(prompt.tokens() - 1), turn.prompt().token(prompt.tokens() - 1));
            prompt = turn.prompt();
        }
        int tools = GeneratorProfile.defaults().toolTokens();
        int system = tools + GeneratorProfile.defaults().systemTokens();
        int sameProject = 0;
        long[] first = prompt.ids();
        for (AgentSession session : set.sessions()) {
            long[] ids = session.turns().getFirst().prompt().ids();
            assertEquals(first[tools / 64 - 1], ids[tools / 64 - 1], "tools are common to all");
            sameProject += first[system / 64 - 1] == ids[system / 64 - 1] ? 1 : 0;
        }
        assertTrue(sameProject > 400 / 6 / 2 && sameProject < 400 / 2, "sessions of one project: " + sameProject);
    }

    private static void assertNear(String what, double recorded, double generated) {
        assertTrue(
                Math.abs(generated / recorded - 1) < 0.15,
                what + ": recorded " + recorded + ", generated " + generated + ", seed " + SEED);
    }

    private static double quantile(List<Integer> values, double q) {
        int[] sorted = values.stream().mapToInt(i -> i).sorted().toArray();
        return sorted[(int) (q * (sorted.length - 1))];
    }
}
