package io.penstock.dataplane.ingest;

import io.penstock.bindings.events.KvEventCursor;
import io.penstock.bindings.events.SkipReason;
import io.penstock.bindings.zmq.ZmqMessage;
import io.penstock.dataplane.pipeline.BlockBuffer;
import io.penstock.dataplane.pipeline.BlockBuffers;
import io.penstock.dataplane.pipeline.EventPort;

/**
 * Hands one slot's marks and batches to the pipeline, in order, and picks up where it was refused.
 *
 * <p>What is waiting goes out as: doubted, cold, proven, the batch's events, the batch's position. A batch that was refused half
 * way is decoded again and its first events are passed over; nothing is offered twice.
 *
 * <p><b>Threading:</b> owned by a reader. <b>Cost:</b> no allocation, except a copy of the batch when the pipeline first
 * refuses one.
 */
final class Delivery {
    private final EventPort port;
    private final EventDecoder decoder;
    private final KvEventCursor cursor;
    private final FeedCounters counters;
    private final int slot;
    private final int blockSize;
    private final int rank;
    private final boolean oneRank;

    private boolean doubted;
    private boolean cold;
    private boolean proven;
    private boolean position;
    private boolean batch;
    private boolean replayed;
    private byte[] bytes;
    private int offset;
    private int length;
    private ZmqMessage kept;
    private long nonMainGroups;

    private long sequence;
    private long timestampBits;
    private long batchHash;
    private int eventsDone;
    private int blocksDone;

    Delivery(
            EventPort port,
            EventDecoder decoder,
            KvEventCursor cursor,
            FeedCounters counters,
            int slot,
            int blockSize,
            int rank,
            boolean oneRank) {
        this.port = port;
        this.decoder = decoder;
        this.cursor = cursor;
        this.counters = counters;
        this.slot = slot;
        this.blockSize = blockSize;
        this.rank = rank;
        this.oneRank = oneRank;
    }

    /** The slot's blocks are not to be counted on until further word. */
    void doubted() {
        doubted = true;
        counters.add(FeedCounter.DOUBTED);
    }

    /**
     * The slot's past is void, as soon as the pipeline takes the word.
     *
     * @param past whether there was any: an engine met for the first time loses nothing
     */
    void cold(boolean past) {
        cold = true;
        nonMainGroups = 0;
        counters.add(past ? FeedCounter.COLD : FeedCounter.NEW);
    }

    /** The engine is the one we knew. */
    void proven() {
        proven = true;
    }

    /** Takes a batch; its bytes must stay until {@link #flush} has been called. */
    void batch(long batchSequence, byte[] payload, int from, int bytesOfPayload, boolean outOfReplay) {
        assert !pending() || cold || proven : "a batch is still waiting";
        bytes = payload;
        offset = from;
        length = bytesOfPayload;
        sequence = batchSequence;
        replayed = outOfReplay;
        batchHash = EventDecoder.batchHash(payload, from, bytesOfPayload);
        eventsDone = 0;
        blocksDone = 0;
        batch = true;
    }

    /** Learns salts and groups from a batch that the index has already. */
    void prime(byte[] payload, int from, int bytesOfPayload) {
        bytes = payload;
        int kind = cursor.wrap(payload, from, bytesOfPayload) ? cursor.next() : KvEventCursor.END;
        for (; kind > KvEventCursor.END; kind = cursor.next()) {
            if (kind == KvEventCursor.STORED) {
                learnGroup(false);
                keepSalt(saltTerm());
            } else if (kind == KvEventCursor.SKIPPED) {
                learnGroup(true);
            }
        }
    }

    /** Drops what waits; the slot becomes cold. */
    void abandon(boolean past) {
        batch = false;
        position = false;
        proven = false;
        doubted = false;
        cold(past);
    }

    /** Whether something waits for the pipeline. */
    boolean pending() {
        return doubted || cold || proven || position || batch;
    }

    long sequence() {
        return sequence;
    }

    long timestampBits() {
        return timestampBits;
    }

    long batchHash() {
        return batchHash;
    }

    /** Offers what waits; false if something is left. */
    boolean flush() {
        boolean done = offer();
        if (!done) {
            counters.add(FeedCounter.REFUSED_OFFERS);
            keep();
        }
        return done;
    }

    private boolean offer() {
        if (doubted && !port.doubted(slot)) {
            return false;
        }
        doubted = false;
        if (cold && !port.cold(slot)) {
            return false;
        }
        cold = false;
        if (proven && !port.proven(slot)) {
            return false;
        }
        proven = false;
        if (batch && !offerBatch()) {
            return false;
        }
        batch = false;
        if (cold && !port.cold(slot)) {
            return false;
        }
        cold = false;
        if (position && !port.batchEnd(slot, sequence, timestampBits, batchHash)) {
            return false;
        }
        position = false;
        return true;
    }

    /** The batch's bytes may lie in the reader's buffer: once refused, they need a place of their own. */
    private void keep() {
        if (!batch || (kept != null && bytes == kept.bytes())) {
            return;
        }
        if (kept == null) {
            kept = new ZmqMessage(Integer.MAX_VALUE);
        }
        kept.clear();
        int at = kept.append(length);
        System.arraycopy(bytes, offset, kept.bytes(), at, length);
        bytes = kept.bytes();
        offset = at;
    }

    private boolean offerBatch() {
        boolean intact = cursor.wrap(bytes, offset, length);
        timestampBits = cursor.timestampBits();
        boolean foreign = intact && !oneRank && cursor.dpRank() >= 0 && cursor.dpRank() != rank;
        int kind = !intact ? KvEventCursor.MALFORMED : foreign ? KvEventCursor.END : cursor.next();
        for (int i = 0; kind > KvEventCursor.END; i++) {
            if (i >= eventsDone) {
                if (!offerEvent(kind)) {
                    return false;
                }
                eventsDone = i + 1;
                blocksDone = 0;
            }
            kind = cursor.next();
        }
        if (kind == KvEventCursor.MALFORMED) {
            // Removals may be lost with the rest of the batch: what the index holds can no longer be trusted.
            counters.add(FeedCounter.MALFORMED_BATCHES);
            cold(true);
        }
        if (foreign) {
            counters.add(FeedCounter.WRONG_RANK_BATCHES);
        }
        counters.add(FeedCounter.BATCHES);
        if (replayed) {
            counters.add(FeedCounter.REPLAYED_BATCHES);
        }
        position = true;
        return true;
    }

    private boolean offerEvent(int kind) {
        switch (kind) {
            case KvEventCursor.STORED:
                return offerStored();
            case KvEventCursor.REMOVED:
                return offerRemoved();
            case KvEventCursor.CLEARED:
                if (!port.cleared(slot)) {
                    return false;
                }
                counters.add(FeedCounter.CLEARED_EVENTS);
                return true;
            default:
                learnGroup(true);
                counters.add(cursor.skipReason());
                return true;
        }
    }

    /** Removals name the group but not its kind; that is learnt from stored events. */
    private void learnGroup(boolean skipped) {
        int group = cursor.group();
        if (group < 0 || group >= Long.SIZE) {
            return;
        }
        if (!skipped) {
            nonMainGroups &= ~(1L << group);
        } else if (cursor.skipReason() == SkipReason.NON_MAIN_GROUP) {
            nonMainGroups |= 1L << group;
        }
    }

    private boolean offerStored() {
        learnGroup(false);
        if (cursor.bigram()) {
            counters.add(FeedCounter.DROPPED_BIGRAM);
            return true;
        }
        if (cursor.blockSize() != blockSize) {
            counters.add(FeedCounter.DROPPED_BLOCK_SIZE);
            return true;
        }
        long saltTerm = saltTerm();
        long seedTerms = saltTerm + BlockHasher.adapterTerm(bytes, cursor.adapterOffset(), cursor.adapterLength());
        while (blocksDone < cursor.count()) {
            int count = Math.min(cursor.count() - blocksDone, BlockBuffers.maxBlocks());
            BlockBuffer blocks = port.acquire(count);
            if (blocks == null) {
                return false;
            }
            decoder.hasher.hash(cursor, blocksDone, count, seedTerms, blocks.localHashes);
            fill(blocks, count);
            boolean root = cursor.root() && blocksDone == 0;
            long parent = blocksDone == 0 ? cursor.parent() : cursor.hash(blocksDone - 1);
            if (!port.stored(slot, cursor.tier(), root, parent, blocks)) {
                port.release(blocks);
                return false;
            }
            blocksDone += count;
        }
        keepSalt(saltTerm);
        counters.add(FeedCounter.STORED_EVENTS);
        counters.add(FeedCounter.STORED_BLOCKS, cursor.count());
        return true;
    }

    private void keepSalt(long saltTerm) {
        for (int i = 0; saltTerm != 0 && i < cursor.count(); i++) {
            decoder.salts.keep(cursor.hash(i), saltTerm);
        }
    }

    private long saltTerm() {
        if (cursor.saltLength() > 0) {
            return BlockHasher.saltTerm(bytes, cursor.saltOffset(), cursor.saltLength());
        }
        return cursor.root() ? 0 : decoder.salts.of(cursor.parent());
    }

    private boolean offerRemoved() {
        int group = cursor.group();
        if (group >= 0 && group < Long.SIZE && (nonMainGroups & 1L << group) != 0) {
            counters.add(FeedCounter.DROPPED_NON_MAIN_GROUP);
            return true;
        }
        while (blocksDone < cursor.count()) {
            int count = Math.min(cursor.count() - blocksDone, BlockBuffers.maxBlocks());
            BlockBuffer blocks = port.acquire(count);
            if (blocks == null) {
                return false;
            }
            fill(blocks, count);
            if (!port.removed(slot, cursor.tier(), blocks)) {
                port.release(blocks);
                return false;
            }
            blocksDone += count;
        }
        counters.add(FeedCounter.REMOVED_EVENTS);
        counters.add(FeedCounter.REMOVED_BLOCKS, cursor.count());
        return true;
    }

    private void fill(BlockBuffer blocks, int count) {
        for (int i = 0; i < count; i++) {
            blocks.engineHashes[i] = cursor.hash(blocksDone + i);
        }
        blocks.count = count;
    }
}
