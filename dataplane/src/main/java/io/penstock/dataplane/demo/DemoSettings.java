package io.penstock.dataplane.demo;

import io.penstock.dataplane.routing.PolicyKind;
import io.penstock.dataplane.trace.ReplayScale;
import java.nio.file.Path;
import java.util.List;

/**
 * What the demo is asked to do.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param traces recorded traces; empty for generated sessions
 * @param seconds how long everything may take; 0 for the whole trace, however long
 * @param engines number of simulated engines
 * @param sessions sessions (request rows for a Mooncake trace); 0 for a number that loads the engines
 * @param scale how contexts and pauses shrink
 * @param engineSpeedup how much faster than real time the engines compute
 * @param pool KV blocks of all engines together, in unique working sets
 * @param blockSize tokens of a KV block
 * @param policies one after the other
 * @param seed of choice and generation
 * @param keep whether engines and router stay up at the end
 * @param json whether the last line is a JSON object
 * @param killEngineAtSeconds SIGKILL of one engine so long after each policy's start; negative for never
 * @param killRouterAtSeconds SIGKILL of the router so long after each policy's start; negative for never
 * @param runFolder where configuration, logs and results go
 * @param engineJava command and JVM flags that start an engine process, up to its arguments
 * @param routerJava the same for the router
 */
public record DemoSettings(
        List<Path> traces,
        int seconds,
        int engines,
        int sessions,
        ReplayScale scale,
        double engineSpeedup,
        double pool,
        int blockSize,
        List<String> policies,
        long seed,
        boolean keep,
        boolean json,
        double killEngineAtSeconds,
        double killRouterAtSeconds,
        Path runFolder,
        List<String> engineJava,
        List<String> routerJava) {
    private static final int LEAST_SECONDS = 30;
    private static final int MOST_SECONDS = 120;
    private static final int START_SECONDS_PER_POLICY = 10;
    private static final int LEAST_WINDOW_SECONDS = 3;
    private static final int END_SECONDS = 4;

    /** Refuses what cannot be run. */
    public DemoSettings {
        traces = List.copyOf(traces);
        policies = List.copyOf(policies);
        require(
                seconds == 0 || (seconds >= LEAST_SECONDS && seconds <= MOST_SECONDS),
                "a demo takes " + LEAST_SECONDS + " to " + MOST_SECONDS + " seconds: seconds=" + seconds);
        require(engines >= 1 && engines <= 64, "1 to 64 engines are expected: engines=" + engines);
        require(sessions >= 0, "a number of sessions is expected: sessions=" + sessions);
        require(engineSpeedup > 0, "engines compute at a speed above 0: engineSpeedup=" + engineSpeedup);
        require(pool > 0, "a pool larger than 0 is expected: pool=" + pool);
        require(blockSize >= 1, "a block has at least one token: blockSize=" + blockSize);
        require(!policies.isEmpty(), "at least one policy is expected: policies=" + policies);
        for (String policy : policies) {
            require(PolicyKind.of(policy) != null, "no such policy: policies=" + policy);
        }
        require(
                policies.stream().distinct().count() == policies.size(),
                "a policy is replayed once: policies=" + policies);
        require(
                seconds == 0 || seconds >= (START_SECONDS_PER_POLICY + LEAST_WINDOW_SECONDS) * policies.size(),
                "too short for " + policies.size() + " policies: seconds=" + seconds);
        require(seconds > 0 || !traces.isEmpty(), "only a recorded trace can be replayed whole: trace=");
    }

    private static void require(boolean good, String complaint) {
        if (!good) {
            throw new IllegalArgumentException(complaint);
        }
    }

    /** How long each policy is replayed when starting takes as long as usual, in milliseconds. */
    public long windowMs() {
        return windowMs(START_SECONDS_PER_POLICY);
    }

    /** How long each policy can be replayed where starting takes so long: less than planned on a busy machine. */
    public long windowMs(double startSeconds) {
        if (seconds == 0) {
            return Long.MAX_VALUE / 2_000_000;
        }
        double start = Math.max(START_SECONDS_PER_POLICY, startSeconds + END_SECONDS);
        return (long) (1_000 * Math.max(LEAST_WINDOW_SECONDS, (double) seconds / policies.size() - start));
    }

    /** Whether the whole trace is replayed. */
    public boolean whole() {
        return seconds == 0;
    }

    /** Whether anything is to be killed. */
    public boolean chaos() {
        return killEngineAtSeconds >= 0 || killRouterAtSeconds >= 0;
    }
}
