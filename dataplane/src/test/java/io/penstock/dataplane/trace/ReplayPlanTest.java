package io.penstock.dataplane.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ReplayPlanTest {
    private static final double WINDOW_MS = 40_000;

    @Test
    void shouldCountSharedPrefixesOnce() {
        long[] a = {1, 2, 3, 4};
        long[] b = {1, 2, 9, 8};
        List<AgentSession> sessions = List.of(session("a", 0, a, 100), session("b", 0, b, 128));
        WorkingSet set = WorkingSet.of(sessions, 16);
        // a: 6 full blocks of 16; b: 8, of which the first 4 are those of ids 1 and 2.
        assertEquals(6 + 4, set.promptBlocks());
        assertEquals(2, set.outputBlocks());
        assertEquals(228, set.promptTokens());
        assertEquals(64, set.reusableTokens());
    }

    @Test
    void shouldChooseTheSameSessionsFromTheSameSeed() {
        TraceSet trace = new SessionGenerator(GeneratorProfile.defaults(), 3).sessions(30);
        ReplayPlan one = ReplayPlan.of(trace, ReplayScale.defaults(), 20, WINDOW_MS, 16, 5);
        ReplayPlan two = ReplayPlan.of(trace, ReplayScale.defaults(), 20, WINDOW_MS, 16, 5);
        assertEquals(one.workingSet(), two.workingSet());
        assertEquals(one.description(), two.description());
        assertEquals(20, one.sessions().size());
    }

    @Test
    void shouldTakeTurnsThatFillTheWindowWithGrownContexts() {
        TraceSet trace = new SessionGenerator(GeneratorProfile.defaults(), 3).sessions(48);
        ReplayPlan plan = ReplayPlan.of(trace, ReplayScale.defaults(), 48, WINDOW_MS, 16, 5);
        double first = plan.sessions().stream()
                .mapToInt(s -> s.turns().getFirst().prompt().tokens())
                .average()
                .orElse(0);
        assertTrue(first > 4_000, "mean context of the first turn, divided by eight: " + first);
        assertTrue(
                plan.workingSet().idealHitRate() > 0.8,
                "ideal " + plan.workingSet().idealHitRate());
    }

    @Test
    void shouldPressArrivalsIntoTheWindow() {
        List<AgentSession> rows = List.of(
                session("r0", 0, new long[] {1, 2, 3, 4}, 100),
                session("r1", 500_000, new long[] {1, 2, 3, 5}, 100),
                session("r2", 3_600_000, new long[] {7, 8}, 50));
        ReplayPlan plan = ReplayPlan.of(new TraceSet("rows", true, rows), ReplayScale.defaults(), 3, WINDOW_MS, 16, 1);
        assertEquals(3, plan.sessions().size());
        assertEquals(WINDOW_MS * 0.9, plan.sessions().getLast().startMs(), 1);
    }

    @Test
    void shouldKeepEveryRequestWhenTheTraceIsReplayedWhole() {
        TraceSet trace = new SessionGenerator(GeneratorProfile.defaults(), 3).sessions(10);
        ReplayPlan plan = ReplayPlan.of(trace, new ReplayScale(1, 8, 10_000), 4, Double.POSITIVE_INFINITY, 16, 1);
        assertEquals(trace.promptTokens(), plan.workingSet().promptTokens());
        assertEquals(4, plan.lanes());
    }

    private static AgentSession session(String id, double startMs, long[] ids, int tokens) {
        int perId = 32;
        return new AgentSession(id, null, startMs, List.of(new Turn(0, new Prompt(ids, tokens, perId), 5, List.of())));
    }
}
