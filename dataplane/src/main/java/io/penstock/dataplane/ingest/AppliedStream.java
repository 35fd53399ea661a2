package io.penstock.dataplane.ingest;

import io.penstock.bindings.events.KvEventCursor;
import io.penstock.bindings.zmq.ZmqMessage;
import io.penstock.dataplane.pipeline.EventPort;

/**
 * How far an engine's stream has gone to the pipeline, and what the pipeline was told of the engine.
 *
 * <p><b>Threading:</b> owned by a reader; the figures for metrics by any thread.
 */
final class AppliedStream {
    private final KvEventCursor cursor;
    private final Delivery delivery;

    private long sequence;
    private long timestampBits;
    private long hash;
    private boolean applying;

    /** Nothing of the slot counts that was not applied since it became cold. */
    private boolean clean;

    /** The pipeline was told what the slot is: proven, or cold. */
    private boolean told;

    /** There is something to lose: batches were applied, now or before a start. */
    private boolean past;

    /** Up to here the live socket may repeat what a replay brought. */
    private long overlapEnd = -1;

    private long stalledSinceMs;
    private volatile long publishedSequence;
    private volatile long lagMs = -1;
    private volatile long stalledMs;

    AppliedStream(FeedTarget target, EventPort port, EventDecoder decoder, FeedCounters counters) {
        cursor = decoder.cursor(target.engine());
        delivery = new Delivery(
                port, decoder, cursor, counters, target.slot(), target.blockSize(), target.rank(), target.ranks() <= 1);
        sequence = target.position().sequence();
        timestampBits = target.position().timestampBits();
        hash = target.position().batchHash();
        publishedSequence = sequence;
        past = target.position().known();
    }

    /** Last batch applied, -1 if none. */
    long sequence() {
        return sequence;
    }

    /** Whether the pipeline has still to take something. */
    boolean pending() {
        return delivery.pending();
    }

    /** Whether this is the last batch applied, to the bit. */
    boolean isLast(long ofSequence, ZmqMessage message) {
        int payload = message.parts() - 1;
        return ofSequence == sequence
                && hash == EventDecoder.batchHash(message.bytes(), message.start(payload), message.length(payload))
                && timestampBits == timestampBits(message);
    }

    /** A batch at or before the last: the replay brought it before the event socket did, or it came twice. */
    boolean isKnown(long ofSequence, ZmqMessage message) {
        return ofSequence <= overlapEnd
                        && Double.longBitsToDouble(timestampBits(message)) <= Double.longBitsToDouble(timestampBits)
                || isLast(ofSequence, message);
    }

    private long timestampBits(ZmqMessage message) {
        int payload = message.parts() - 1;
        cursor.wrap(message.bytes(), message.start(payload), message.length(payload));
        return cursor.timestampBits();
    }

    /** From here on the live socket may repeat what was applied before. */
    void beginOverlap() {
        overlapEnd = sequence;
    }

    /** The engine's life, or the wholeness of its events, is in doubt: until it is told again what the slot is, the
     * pipeline must not count on its blocks. Where there are none, nothing is in doubt. */
    void doubt() {
        overlapEnd = -1;
        if (told && !clean) {
            delivery.doubted();
            told = false;
        }
    }

    /** The past is void; answers whether that is news to the pipeline. */
    boolean becomeCold() {
        sequence = -1;
        publishedSequence = -1;
        overlapEnd = -1;
        boolean news = !clean || !told;
        if (news) {
            delivery.cold(past);
        }
        past = false;
        clean = true;
        told = true;
        return news;
    }

    /** The engine is the one known. */
    void proven() {
        if (!told) {
            delivery.proven();
            told = true;
        }
    }

    /** Learns from a batch that the index has. */
    void prime(ZmqMessage message) {
        int payload = message.parts() - 1;
        delivery.prime(message.bytes(), message.start(payload), message.length(payload));
    }

    /** Takes a batch as the next one. */
    void apply(long ofSequence, ZmqMessage message, boolean replayed, long nowMs) {
        int payload = message.parts() - 1;
        delivery.batch(ofSequence, message.bytes(), message.start(payload), message.length(payload), replayed);
        applying = true;
        clean = false;
        past = true;
        flush(nowMs);
    }

    /** Has the pipeline take what waits; false if it does not. */
    boolean flush(long nowMs) {
        if (!delivery.pending()) {
            return true;
        }
        if (!delivery.flush()) {
            stalledSinceMs = stalledSinceMs == 0 ? nowMs : stalledSinceMs;
            stalledMs = Math.max(1, nowMs - stalledSinceMs);
            return false;
        }
        stalledSinceMs = 0;
        stalledMs = 0;
        if (applying) {
            applying = false;
            sequence = delivery.sequence();
            timestampBits = delivery.timestampBits();
            hash = delivery.batchHash();
            publishedSequence = sequence;
            lagMs = nowMs - (long) (1000 * Double.longBitsToDouble(timestampBits));
        }
        return true;
    }

    /** Drops what waits, and the past. */
    void abandon() {
        delivery.abandon(past);
        past = false;
        applying = false;
        told = false;
        clean = false;
        sequence = -1;
        publishedSequence = -1;
    }

    long publishedSequence() {
        return publishedSequence;
    }

    long lagMs() {
        return lagMs;
    }

    long stalledMs() {
        return stalledMs;
    }
}
