package io.penstock.dataplane.hints;

import org.agrona.concurrent.OneToOneConcurrentArrayQueue;

/**
 * Orders on their way from the consumer of decisions to the thread that sends, and back when they are used up.
 *
 * <p><b>Threading:</b> {@link #claim} and {@link #publish} by one thread, {@link #poll} and {@link #release} by another.
 * <b>Cost:</b> nothing allocated after it was made.
 */
final class HintQueue {
    private final OneToOneConcurrentArrayQueue<HintOrder> waiting;
    private final OneToOneConcurrentArrayQueue<HintOrder> free;

    HintQueue(int capacity) {
        waiting = new OneToOneConcurrentArrayQueue<>(capacity);
        free = new OneToOneConcurrentArrayQueue<>(capacity);
        for (int i = 0; i < capacity; i++) {
            free.offer(new HintOrder());
        }
    }

    /** An order to fill, or null: as many as allowed wait. */
    HintOrder claim() {
        return free.poll();
    }

    void publish(HintOrder order) {
        waiting.offer(order);
    }

    /** The next order, or null. */
    HintOrder poll() {
        return waiting.poll();
    }

    void release(HintOrder order) {
        order.clear();
        free.offer(order);
    }
}
