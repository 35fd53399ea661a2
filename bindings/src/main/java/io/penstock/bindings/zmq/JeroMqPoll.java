package io.penstock.bindings.zmq;

import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/**
 * JeroMQ's poller, made anew when the set of sockets changes.
 *
 * <p><b>Threading:</b> owned by the thread that owns the sockets.
 */
final class JeroMqPoll implements ZmqPoll {
    private final ZContext context;
    private ZMQ.Poller poller;

    JeroMqPoll(ZContext context) {
        this.context = context;
        this.poller = context.createPoller(64);
    }

    @Override
    public void clear() {
        poller.close();
        poller = context.createPoller(64);
    }

    @Override
    public void add(ZmqSocket socket) {
        poller.register(((JeroMqSocket) socket).handle(), ZMQ.Poller.POLLIN);
    }

    @Override
    public boolean await(int timeoutMs) {
        return poller.poll(timeoutMs) > 0;
    }

    @Override
    public boolean ready(int index) {
        return poller.pollin(index);
    }

    @Override
    public void close() {
        poller.close();
    }
}
