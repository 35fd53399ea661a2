package io.penstock.dataplane.trace;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * The sessions that a replay will send, chosen and scaled so that the same list can be replayed under each policy.
 *
 * <p>Agents' sessions are long: of each chosen session a contiguous stretch of turns is taken that is expected to fill the
 * window, from a random place, so that contexts are as large as they are in the middle of real work. Request rows are
 * taken by conversation (rows with the same leading blocks), and their arrival times are pressed into the window.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param sessions scaled, ready to be sent
 * @param openLoop whether sessions arrive at their times or all at once
 * @param lanes sessions at work at once; 0 = all
 * @param workingSet what they leave in an endless cache
 * @param blockTokens tokens of an engine block
 * @param description lines that say what was chosen and how
 */
public record ReplayPlan(
        List<AgentSession> sessions,
        boolean openLoop,
        int lanes,
        WorkingSet workingSet,
        int blockTokens,
        List<String> description) {

    /** Rows whose first blocks agree are taken to be of one conversation; the first block is the system prompt. */
    private static final int CONVERSATION_IDS = 3;

    private static final double STAGGER = 0.2;
    private static final double EXPECTED_TURN_MS = 250;
    private static final double EXPECTED_TOKEN_MS = 12;

    /**
     * A plan of {@code count} sessions for a window.
     *
     * @param windowMs how long each policy has; infinite for everything the trace holds
     */
    public static ReplayPlan of(
            TraceSet trace, ReplayScale scale, int count, double windowMs, int blockTokens, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        boolean whole = Double.isInfinite(windowMs);
        List<AgentSession> chosen;
        if (whole) {
            chosen = trace.sessions();
        } else {
            chosen = trace.openLoop() ? conversations(trace, count, random) : sessions(trace, count, random);
        }
        List<AgentSession> scaled = new ArrayList<>(chosen.size());
        if (trace.openLoop()) {
            double divisor = whole ? scale.gapDivisor() : Math.max(1, span(chosen) / (windowMs * 0.9));
            ReplayScale arrivals = new ReplayScale(scale.contextDivisor(), divisor, Double.MAX_VALUE);
            chosen.forEach(s -> scaled.add(arrivals.apply(s)));
            scaled.sort(Comparator.comparingDouble(AgentSession::startMs));
        } else {
            for (AgentSession session : chosen) {
                AgentSession small = scale.apply(session);
                scaled.add(whole ? small : stretch(small, windowMs, random));
            }
        }
        WorkingSet set = WorkingSet.of(scaled, blockTokens);
        int lanes = whole && !trace.openLoop() ? count : 0;
        return new ReplayPlan(
                List.copyOf(scaled),
                trace.openLoop(),
                lanes,
                set,
                blockTokens,
                describe(trace, scaled, set, scale, blockTokens));
    }

    private static List<AgentSession> sessions(TraceSet trace, int count, SplittableRandom random) {
        List<AgentSession> shuffled = new ArrayList<>(trace.sessions());
        shuffle(shuffled, random);
        return shuffled.subList(0, Math.min(count, shuffled.size()));
    }

    private static List<AgentSession> conversations(TraceSet trace, int count, SplittableRandom random) {
        Map<List<Long>, List<AgentSession>> families = new LinkedHashMap<>();
        for (AgentSession row : trace.sessions()) {
            long[] ids = row.turns().getFirst().prompt().ids();
            List<Long> key = new ArrayList<>(CONVERSATION_IDS);
            for (int i = 0; i < Math.min(CONVERSATION_IDS, ids.length); i++) {
                key.add(ids[i]);
            }
            families.computeIfAbsent(key, k -> new ArrayList<>()).add(row);
        }
        List<List<AgentSession>> shuffled = new ArrayList<>(families.values());
        shuffle(shuffled, random);
        List<AgentSession> chosen = new ArrayList<>();
        for (List<AgentSession> family : shuffled) {
            if (chosen.size() >= count) {
                break;
            }
            chosen.addAll(family);
        }
        return chosen;
    }

    private static void shuffle(List<?> list, SplittableRandom random) {
        Collections.shuffle(list, new Random(random.nextLong()));
    }

    private static double span(List<AgentSession> rows) {
        return rows.stream().mapToDouble(AgentSession::startMs).max().orElse(0);
    }

    /** As many turns as are expected to fill the window, from a random place; agents do not start in step. */
    private static AgentSession stretch(AgentSession session, double windowMs, SplittableRandom random) {
        List<Turn> turns = session.turns();
        double start = random.nextDouble() * STAGGER * windowMs;
        int from = random.nextInt(turns.size());
        int to = from;
        double expected = start;
        while (to < turns.size() && expected < windowMs) {
            expected += expectedMs(turns.get(to++));
        }
        while (from > 0 && expected < windowMs) {
            expected += expectedMs(turns.get(--from));
        }
        List<Turn> taken = new ArrayList<>(turns.subList(from, to));
        Turn first = taken.getFirst();
        taken.set(0, new Turn(0, first.prompt(), first.outputTokens(), first.children(), first.tool()));
        return new AgentSession(session.id(), session.parentId(), start, taken, session.type());
    }

    private static double expectedMs(AgentSession session) {
        return session.startMs()
                + session.turns().stream().mapToDouble(ReplayPlan::expectedMs).sum();
    }

    private static double expectedMs(Turn turn) {
        double children = turn.children().stream()
                .mapToDouble(ReplayPlan::expectedMs)
                .max()
                .orElse(0);
        return turn.gapMs() + EXPECTED_TURN_MS + turn.outputTokens() * EXPECTED_TOKEN_MS + children;
    }

    private static List<String> describe(
            TraceSet trace, List<AgentSession> sessions, WorkingSet set, ReplayScale scale, int blockTokens) {
        TraceSet taken = new TraceSet("", trace.openLoop(), sessions);
        List<String> lines = new ArrayList<>();
        lines.add("trace      " + trace.source());
        lines.add(String.format(
                Locale.ROOT,
                "           %,d sessions, %,d sub-agents, %,d requests, %,d prompt tokens",
                trace.sessions().size(),
                trace.subAgents(),
                trace.requests(),
                trace.promptTokens()));
        lines.add(String.format(
                Locale.ROOT,
                "replayed   %,d sessions, %,d sub-agents, %,d requests, %,d prompt tokens (contexts / %d)",
                sessions.size(),
                taken.subAgents(),
                taken.requests(),
                set.promptTokens(),
                scale.contextDivisor()));
        lines.add(
                trace.openLoop()
                        ? String.format(
                                Locale.ROOT,
                                "pace       arrivals as recorded, %.1f times faster",
                                span(trace.sessions()) / Math.max(1, span(sessions)))
                        : String.format(
                                Locale.ROOT,
                                "pace       pauses / %.1f, at most %.1f s before that",
                                scale.gapDivisor(),
                                scale.gapCapMs() / 1_000));
        lines.add(String.format(
                Locale.ROOT,
                "unique     %,d tokens in %,d blocks of %d (prompts %,d, outputs %,d blocks); one endless cache would hit %.1f %%",
                set.blocks() * blockTokens,
                set.blocks(),
                blockTokens,
                set.promptBlocks(),
                set.outputBlocks(),
                100 * set.idealHitRate()));
        return List.copyOf(lines);
    }
}
