package io.penstock.dataplane.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Makes agent sessions of a profile: contexts that grow from turn to turn, pauses for tools, sub-agents that the session
 * waits for, and a tools and system prefix that sessions have in common.
 *
 * <p>Session {@code n} of a seed is the same whatever number is asked for.
 *
 * <p><b>Threading:</b> immutable.
 */
public final class SessionGenerator {
    /** Tokens of a content id. */
    static final int BLOCK_TOKENS = 64;

    private static final long TOOLS_CHAIN = 0x746f6f6c73L;
    private static final long PROJECT_CHAIN = 0x70726f6aL;
    private static final long SUB_AGENT_CHAIN = 0x737562L;
    private static final long TOOL_CHAIN = 0x746f6f6cL;
    private static final int MOST_TURNS = 1_000;
    private static final String SUB_AGENT_TYPE = "general-purpose";
    private static final List<String> TOOLS = List.of("Bash", "Read", "Edit", "Grep");

    /** Of ten answers that are not a session's last; 89 % in the recorded sessions. */
    private static final int TOOL_CALLS_OF_TEN = 9;

    private final GeneratorProfile profile;
    private final long seed;

    /** A generator; equal profile and seed make equal sessions. */
    public SessionGenerator(GeneratorProfile profile, long seed) {
        this.profile = profile;
        this.seed = seed;
    }

    /** {@code count} sessions. */
    public TraceSet sessions(int count) {
        List<AgentSession> sessions = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            sessions.add(session(i));
        }
        return new TraceSet("generated, seed " + seed, false, sessions);
    }

    private AgentSession session(int number) {
        SplittableRandom random = new SplittableRandom(Mix.of(seed, number));
        long project = Mix.of(PROJECT_CHAIN, random.nextInt(profile.projects()));
        Growth growth = new Growth(Mix.of(seed, ~(long) number));
        growth.share(Mix.of(seed, TOOLS_CHAIN), profile.toolTokens());
        growth.share(Mix.of(seed, project), profile.systemTokens());
        int peak = profile.peakTokens().draw(random, 24_000, GeneratorProfile.MOST_CONTEXT_TOKENS);
        String id = "agent-" + number;
        return new AgentSession(id, null, 0, turns(id, growth, peak, MOST_TURNS, true, random));
    }

    private AgentSession subAgent(String parent, int number, SplittableRandom random) {
        Growth growth = new Growth(Mix.of(seed, random.nextLong()));
        growth.share(Mix.of(seed, SUB_AGENT_CHAIN), profile.subAgentPrefixTokens());
        int most = profile.subAgentTurns().draw(random, 2, 40);
        String id = parent + "/sub-" + number;
        return new AgentSession(
                id,
                parent,
                0,
                turns(id, growth, GeneratorProfile.MOST_CONTEXT_TOKENS, most, false, random),
                SUB_AGENT_TYPE);
    }

    private List<Turn> turns(String id, Growth growth, int peak, int mostTurns, boolean root, SplittableRandom random) {
        List<Draft> drafts = new ArrayList<>();
        int children = 0;
        growth.add(profile.taskTokens().draw(random, 32, 60_000));
        while (true) {
            int output = profile.outputTokens().draw(random, 8, 16_000);
            double gap = drafts.isEmpty() ? 0 : profile.gapMs().draw(random);
            List<AgentSession> started = new ArrayList<>();
            if (root && random.nextDouble() < profile.subAgentChance()) {
                int count = 1 + random.nextInt(profile.subAgentMost());
                for (int i = 0; i < count; i++) {
                    started.add(subAgent(id, children++, random));
                }
            }
            drafts.add(new Draft(gap, growth.tokens, output, started));
            int added = profile.newTokens().draw(random, 16, 100_000);
            if (drafts.size() >= mostTurns || growth.tokens + output + added > peak) {
                break;
            }
            growth.add(output + added);
        }
        long[] ids = growth.ids();
        List<Turn> turns = new ArrayList<>(drafts.size());
        for (int i = 0; i < drafts.size(); i++) {
            Draft d = drafts.get(i);
            String tool = tool(growth.own, i, i == drafts.size() - 1, d.children);
            turns.add(new Turn(d.gapMs, new Prompt(ids, d.tokens, BLOCK_TOKENS), d.output, d.children, tool));
        }
        return turns;
    }

    /** Drawn beside the other figures, so that sessions of a seed stay what they were before tools were told. */
    private static String tool(long session, int turn, boolean last, List<AgentSession> children) {
        if (!children.isEmpty()) {
            return Turn.AGENT_TOOL;
        }
        long drawn = Mix.of(Mix.of(TOOL_CHAIN, session), turn) >>> 1;
        boolean text = last || drawn % 10 >= TOOL_CALLS_OF_TEN;
        return text ? null : TOOLS.get((int) (drawn / 10 % TOOLS.size()));
    }

    /** A turn before the session's content is laid out. */
    private record Draft(double gapMs, int tokens, int output, List<AgentSession> children) {}

    /** The content of a session as it grows: shared chains first, then its own. */
    private static final class Growth {
        private final long own;
        private final List<Long> shared = new ArrayList<>();
        private int tokens;

        Growth(long own) {
            this.own = own;
        }

        void share(long chain, int count) {
            for (int i = 0; i < count / BLOCK_TOKENS; i++) {
                shared.add(Mix.of(shared.isEmpty() ? chain : Mix.of(chain, shared.getLast()), i));
            }
            tokens = shared.size() * BLOCK_TOKENS;
        }

        void add(int count) {
            tokens += count;
        }

        long[] ids() {
            long[] ids = new long[(tokens + BLOCK_TOKENS - 1) / BLOCK_TOKENS];
            for (int i = 0; i < ids.length; i++) {
                ids[i] = i < shared.size() ? shared.get(i) : Mix.of(own, i);
            }
            return ids;
        }
    }
}
