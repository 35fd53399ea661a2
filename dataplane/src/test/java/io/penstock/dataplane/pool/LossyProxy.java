package io.penstock.dataplane.pool;

import java.util.concurrent.atomic.AtomicLong;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import org.zeromq.ZMsg;

/** Passes a master's messages on, or loses them: real sockets on both sides. */
final class LossyProxy implements AutoCloseable {
    private final ZContext context = new ZContext();
    private final ZMQ.Socket in = context.createSocket(SocketType.SUB);
    private final ZMQ.Socket out = context.createSocket(SocketType.PUB);
    private final AtomicLong passed = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final Thread thread;
    private volatile boolean losing;
    private volatile boolean closed;

    final String endpoint;

    LossyProxy(String master) {
        in.setRcvHWM(0);
        out.setSndHWM(0);
        out.setLinger(0);
        in.subscribe(new byte[0]);
        in.setReceiveTimeOut(5);
        in.connect(master);
        out.bind("tcp://127.0.0.1:*");
        endpoint = out.getLastEndpoint();
        thread = Thread.ofPlatform().daemon().name("lossy-proxy").start(this::run);
    }

    void lose(boolean all) {
        losing = all;
    }

    long passed() {
        return passed.get();
    }

    long lost() {
        return lost.get();
    }

    private void run() {
        while (!closed) {
            ZMsg message = ZMsg.recvMsg(in);
            if (message == null) {
                continue;
            }
            if (losing) {
                message.destroy();
                lost.incrementAndGet();
            } else {
                message.send(out);
                passed.incrementAndGet();
            }
        }
        context.close();
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
