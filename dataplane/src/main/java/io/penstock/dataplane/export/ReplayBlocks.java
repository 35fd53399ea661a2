package io.penstock.dataplane.export;

import io.penstock.dataplane.journal.TraceRecord;

/**
 * How many hashes of a record a replay row holds: those of {@code ceil(input / block)} blocks at most, since readers refuse
 * a row with more. A row with fewer (a very long prompt, of which only the first blocks were hashed) is good.
 *
 * <p><b>Threading:</b> immutable.
 */
final class ReplayBlocks {
    private ReplayBlocks() {}

    /** Hashes to write, a last partial block included. */
    static int count(TraceRecord record, Notices notices) {
        int most = Math.ceilDiv(record.inputTokens, record.blockSize);
        int have = record.traceHashCount();
        if (have > most) {
            notices.add("cut: requests with more hashes than their counted prompt has blocks");
        }
        return Math.min(have, most);
    }

    /** Hashes of full blocks to write. */
    static int full(TraceRecord record) {
        return Math.min(record.hashCount, record.inputTokens / record.blockSize);
    }
}
