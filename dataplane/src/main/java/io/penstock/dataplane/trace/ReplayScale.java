package io.penstock.dataplane.trace;

/**
 * How a replay shrinks what was recorded.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param contextDivisor prompts and outputs have this many times fewer tokens
 * @param gapDivisor tool and think times are this many times shorter
 * @param gapCapMs longest tool or think time, before it is divided; a person at lunch is no load
 */
public record ReplayScale(int contextDivisor, double gapDivisor, double gapCapMs) {
    /** Everything by eight, pauses of ten seconds at most. */
    public static ReplayScale defaults() {
        return new ReplayScale(8, 8, 10_000);
    }

    /** Refuses divisors below one. */
    public ReplayScale {
        if (contextDivisor < 1) {
            throw new IllegalArgumentException("contexts cannot grow: scale=" + contextDivisor);
        }
        if (!(gapDivisor >= 1)) {
            throw new IllegalArgumentException("pauses cannot grow: speedup=" + gapDivisor);
        }
    }

    /** A pause as it is replayed. */
    public double gapMs(double recordedMs) {
        return Math.min(recordedMs, gapCapMs) / gapDivisor;
    }

    /** The session as it is replayed. */
    public AgentSession apply(AgentSession session) {
        return new AgentSession(
                session.id(),
                session.parentId(),
                gapMs(session.startMs()),
                session.turns().stream().map(this::apply).toList(),
                session.type());
    }

    private Turn apply(Turn turn) {
        return new Turn(
                gapMs(turn.gapMs()),
                turn.prompt().dividedBy(contextDivisor),
                Math.max(1, turn.outputTokens() / contextDivisor),
                turn.children().stream().map(this::apply).toList(),
                turn.tool());
    }
}
