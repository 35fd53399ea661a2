package io.penstock.dataplane.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.dataplane.pool.EventSequence.Verdict;
import org.junit.jupiter.api.Test;

class EventSequenceTest {
    private final EventSequence sequence = new EventSequence();

    @Test
    void shouldFindTheGapWhenAMessageIsMissing() {
        assertEquals(Verdict.NEXT, sequence.take(5));
        assertEquals(Verdict.NEXT, sequence.take(6));
        assertEquals(Verdict.GAP, sequence.take(8));
        assertEquals(Verdict.NEXT, sequence.take(9));
    }

    @Test
    void shouldTellTheSameFromAnOlderOneWhenNumbersDoNotGoUp() {
        sequence.take(7);
        assertEquals(Verdict.DUPLICATE, sequence.take(7));
        assertEquals(Verdict.BACK, sequence.take(1));
        assertEquals(Verdict.NEXT, sequence.take(2));
    }

    @Test
    void shouldFindTheGapWhenTheFirstMessageIsNotTheOneAfterTheBase() {
        sequence.base(10);
        assertEquals(10, sequence.known());
        assertEquals(Verdict.GAP, sequence.take(12));
    }

    @Test
    void shouldTakeOldNewsWhenTheFirstMessagesAreOnTheWayAlready() {
        sequence.base(10);
        assertEquals(Verdict.NEXT, sequence.take(9));
        assertEquals(10, sequence.known());
        assertEquals(Verdict.NEXT, sequence.take(10));
        assertEquals(Verdict.NEXT, sequence.take(11));
        assertEquals(11, sequence.known());
    }

    @Test
    void shouldTakeAnyFirstMessageWhenNoBaseIsKnown() {
        assertEquals(-1, sequence.known());
        assertEquals(Verdict.NEXT, sequence.take(1_000));
        sequence.forget();
        assertEquals(Verdict.NEXT, sequence.take(1));
    }
}
