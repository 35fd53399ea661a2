package io.penstock.dataplane.demo;

import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/**
 * When a request of which no byte was answered is sent again: exponential back-off with jitter, or what the server asks
 * for, until a budget of time is used up.
 *
 * <p><b>Threading:</b> immutable; the generator is the caller's.
 *
 * @param firstDelayMs before the second try
 * @param mostDelayMs longest pause between two tries, also where the server asks for more
 * @param budgetMs from the first try on; after it the request has failed
 */
record RetryPolicy(long firstDelayMs, long mostDelayMs, long budgetMs) {
    static RetryPolicy defaults() {
        return new RetryPolicy(50, 2_000, 30_000);
    }

    /** Refuses pauses that shrink. */
    RetryPolicy {
        if (firstDelayMs < 1 || mostDelayMs < firstDelayMs || budgetMs < 0) {
            throw new IllegalArgumentException("retry pauses must grow: firstDelayMs=" + firstDelayMs);
        }
    }

    /** Whether the status says that another try may be answered. */
    static boolean retriable(int status) {
        return status == 429 || status == 502 || status == 503 || status == 504 || status == 529;
    }

    /**
     * Pause before try {@code attempt + 1}, or empty when the budget does not hold it.
     *
     * @param attempt tries made, from 1
     * @param elapsedMs since the first try began
     * @param askedSeconds {@code Retry-After} of the answer, or a negative number
     */
    OptionalLong delayMs(int attempt, long elapsedMs, double askedSeconds, RandomGenerator random) {
        double exponential = firstDelayMs * Math.pow(2, Math.min(attempt - 1, 20));
        double asked = askedSeconds < 0 ? 0 : askedSeconds * 1_000;
        double pause = Math.min(mostDelayMs, Math.max(asked, exponential));
        long jittered = Math.max(1, Math.round(pause * (0.75 + 0.5 * random.nextDouble())));
        return elapsedMs + jittered > budgetMs ? OptionalLong.empty() : OptionalLong.of(jittered);
    }
}
