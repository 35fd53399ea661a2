package io.penstock.bindings.zmq;

import org.zeromq.ZEvent;
import org.zeromq.ZMQ;
import org.zeromq.ZMonitor;

/**
 * A socket of JeroMQ with the monitor of its connections.
 *
 * <p><b>Threading:</b> owned by the thread that made it.
 */
final class JeroMqSocket implements ZmqSocket {
    private final ZMQ.Socket socket;
    private final ZMQ.Socket monitor;
    private long connections;
    private boolean connected;
    private boolean closed;

    JeroMqSocket(ZMQ.Socket socket, ZMQ.Socket monitor) {
        this.socket = socket;
        this.monitor = monitor;
    }

    ZMQ.Socket handle() {
        return socket;
    }

    @Override
    public boolean receive(ZmqMessage message) {
        message.clear();
        byte[] part = socket.recv(ZMQ.DONTWAIT);
        if (part == null) {
            return false;
        }
        take(message, part);
        while (socket.hasReceiveMore()) {
            part = socket.recv(0);
            if (part == null) {
                message.append(Long.MAX_VALUE);
                return true;
            }
            take(message, part);
        }
        return true;
    }

    private static void take(ZmqMessage message, byte[] part) {
        int at = message.append(part.length);
        if (at >= 0) {
            System.arraycopy(part, 0, message.bytes(), at, part.length);
        }
    }

    @Override
    public boolean send(byte[] first, byte[] second) {
        return socket.send(first, ZMQ.SNDMORE | ZMQ.DONTWAIT) && socket.send(second, ZMQ.DONTWAIT);
    }

    @Override
    public long connections() {
        while (monitor != null) {
            ZEvent event = ZEvent.recv(monitor, ZMQ.DONTWAIT);
            if (event == null) {
                break;
            }
            connected = event.getEvent() == ZMonitor.Event.CONNECTED;
            connections += connected ? 1 : 0;
        }
        return connections;
    }

    @Override
    public boolean connected() {
        return connected;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (monitor != null) {
            socket.monitor(null, 0);
            monitor.close();
        }
        socket.close();
    }
}
