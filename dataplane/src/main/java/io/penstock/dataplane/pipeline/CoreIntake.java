package io.penstock.dataplane.pipeline;

import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.RingBuffer;

/**
 * The core's ends of its two rings. Made with the rings, before anybody can offer: a reader that comes later begins behind
 * what was offered by then, and that would be lost without a word.
 *
 * <p><b>Threading:</b> polled by the core's thread.
 */
record CoreIntake(
        RingBuffer<RequestSlot> requests,
        EventPoller<RequestSlot> requestPoller,
        RingBuffer<EventSlot> events,
        EventPoller<EventSlot> eventPoller) {
    static CoreIntake of(RingBuffer<RequestSlot> requests, RingBuffer<EventSlot> events) {
        CoreIntake intake = new CoreIntake(requests, requests.newPoller(), events, events.newPoller());
        requests.addGatingSequences(intake.requestPoller.getSequence());
        events.addGatingSequences(intake.eventPoller.getSequence());
        return intake;
    }

    /** Whether something waits. */
    boolean waits() {
        return requests.isAvailable(requestPoller.getSequence().get() + 1)
                || events.isAvailable(eventPoller.getSequence().get() + 1);
    }
}
