package io.penstock.dataplane.hints;

/**
 * Whether engines are told to fetch cache from each other; which ones says each worker's {@code hints}.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param enabled whether hints are sent, and hints in clients' bodies taken out
 * @param queue hints that may wait; what comes beyond is dropped and counted
 * @param maxBlocks blocks that one hint names at most; the prefix is cut there
 * @param answerTimeoutMs how long an answer counts, milliseconds
 * @param agent name of the router's own NIXL agent
 * @param listenPort port at which that agent gives and takes metadata; 0 = a free one. NIXL listens on all addresses
 */
public record HintsConfig(
        boolean enabled, int queue, int maxBlocks, int answerTimeoutMs, String agent, int listenPort) {
    private static final int MAX_QUEUE = 1 << 16;
    private static final int MAX_BLOCKS = 1 << 15;
    private static final int MAX_PORT = 65_535;

    /** Refuses what cannot work. */
    public HintsConfig {
        within("queue", queue, 1, MAX_QUEUE);
        within("maxBlocks", maxBlocks, 1, MAX_BLOCKS);
        within("answerTimeoutMs", answerTimeoutMs, 1, Integer.MAX_VALUE);
        within("listenPort", listenPort, 0, MAX_PORT);
        if (agent == null || agent.isBlank() || agent.indexOf('@') >= 0 || agent.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("not a name: hints.agent=" + agent);
        }
    }

    /** Off. */
    public static HintsConfig defaults() {
        return new HintsConfig(false, 1_024, 4_096, 5_000, "penstock", 0);
    }

    private static void within(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException("out of " + least + ".." + most + ": hints." + name + "=" + value);
        }
    }
}
