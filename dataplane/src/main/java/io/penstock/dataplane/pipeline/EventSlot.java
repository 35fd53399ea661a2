package io.penstock.dataplane.pipeline;

import io.penstock.dataplane.routing.BusyThresholds;

/**
 * Slot of the event ring.
 *
 * <p><b>Threading:</b> handed over by the ring.
 */
final class EventSlot {
    static final int STORED = 1;
    static final int REMOVED = 2;
    static final int CLEARED = 3;
    static final int BATCH_END = 4;
    static final int PROVEN = 5;
    static final int COLD = 6;
    static final int DOUBTED = 7;
    static final int ADD_WORKER = 8;
    static final int DRAIN = 9;
    static final int REMOVE = 10;
    static final int HEALTH = 11;
    static final int THRESHOLDS = 12;
    static final int POOL_LAYOUT = 13;
    static final int POOL_STORED = 14;
    static final int POOL_SEEN = 15;
    static final int POOL_REMOVED = 16;
    static final int POOL_CLEARED = 17;
    static final int POOL_DOUBTED = 18;
    static final int POOL_LISTING = 19;
    static final int POOL_LISTED = 20;

    int kind;
    long timeNs;
    /** Slot of KV events; worker or model number of membership; pool of what is learnt of one. */
    int number;

    int tier;
    /** Root of a stored event; health of a worker. */
    boolean flag;

    /** Parent's engine hash, the batch's sequence, or a pool's page size. */
    long first;

    /** Of a batch, or a pool's objects per page. */
    long second;

    long third;
    BlockBuffer blocks;
    WorkerAddition worker;
    BusyThresholds thresholds;

    boolean isMembership() {
        return kind >= ADD_WORKER && kind <= THRESHOLDS;
    }

    boolean isPool() {
        return kind >= POOL_LAYOUT;
    }

    void stamp(int ofKind, int ofNumber) {
        kind = ofKind;
        number = ofNumber;
        timeNs = System.nanoTime();
    }

    /** Lets go of what the slot refers to, so that it does not live until the ring comes round. */
    void clear() {
        blocks = null;
        worker = null;
        thresholds = null;
    }
}
