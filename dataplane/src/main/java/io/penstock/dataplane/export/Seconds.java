package io.penstock.dataplane.export;

import java.math.BigDecimal;

/**
 * Milliseconds as decimal seconds, exact.
 *
 * <p><b>Threading:</b> immutable.
 */
final class Seconds {
    private Seconds() {}

    /** For instance 1.25 of 1250. */
    static BigDecimal of(long ms) {
        return BigDecimal.valueOf(ms, 3);
    }
}
