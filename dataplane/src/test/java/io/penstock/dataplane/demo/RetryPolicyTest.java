package io.penstock.dataplane.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class RetryPolicyTest {
    private final RetryPolicy policy = new RetryPolicy(100, 1_000, 10_000);
    private final SplittableRandom random = new SplittableRandom(5);

    @Test
    void shouldGrowToTheLongestPauseWithinItsJitter() {
        long[] centre = {100, 200, 400, 800, 1_000, 1_000};
        for (int attempt = 1; attempt <= centre.length; attempt++) {
            assertAround(centre[attempt - 1], policy.delayMs(attempt, 0, -1, random));
        }
    }

    @Test
    void shouldWaitAsLongAsAskedButNotLongerThanTheLimit() {
        assertAround(500, policy.delayMs(1, 0, 0.5, random));
        assertAround(1_000, policy.delayMs(1, 0, 60, random));
    }

    @Test
    void shouldEndWithTheBudget() {
        assertEquals(OptionalLong.empty(), policy.delayMs(9, 9_990, -1, random));
    }

    private static void assertAround(long centre, OptionalLong delay) {
        assertTrue(
                delay.isPresent() && delay.getAsLong() >= centre * 0.75 - 1 && delay.getAsLong() <= centre * 1.25 + 1,
                centre + " expected, got " + delay);
    }
}
