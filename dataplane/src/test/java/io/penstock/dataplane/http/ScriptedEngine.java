package io.penstock.dataplane.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** An engine that answers over plain sockets, byte for byte as a test says. */
final class ScriptedEngine implements Closeable {
    /** A request as it came in. */
    record Request(String line, String head, byte[] body, int connection) {
        String header(String name) {
            for (String line : head.split("\r\n")) {
                int colon = line.indexOf(':');
                if (colon > 0 && line.substring(0, colon).equalsIgnoreCase(name)) {
                    return line.substring(colon + 1).trim();
                }
            }
            return null;
        }

        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /** What a test says. */
    interface Script {
        /** Answers a request; closing the socket ends the connection. */
        void answer(Request request, Socket socket, OutputStream out) throws IOException, InterruptedException;
    }

    final List<Request> requests = new CopyOnWriteArrayList<>();
    final AtomicInteger connections = new AtomicInteger();
    private final ServerSocket server;
    private final Socket reserved = new Socket();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile Script script;
    private String kind = "none";

    ScriptedEngine(Script script) throws IOException {
        this.script = script;
        server = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    /** Answers every request with these bytes. */
    static ScriptedEngine answering(byte[] bytes) throws IOException {
        return new ScriptedEngine((request, socket, out) -> out.write(bytes));
    }

    /** Says which engine it is. */
    ScriptedEngine as(String engine) {
        kind = engine;
        return this;
    }

    String kind() {
        return kind;
    }

    int port() {
        return server.getLocalPort();
    }

    void script(Script other) {
        script = other;
    }

    /** Refuses connections from now on; the port stays ours, so that nobody else's server answers there. */
    void refuse() throws IOException {
        int port = port();
        server.close();
        reserved.setReuseAddress(true);
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        long end = System.nanoTime() + 10_000_000_000L;
        while (!reserved.isBound()) {
            try {
                reserved.bind(address);
            } catch (BindException held) {
                // The thread that accepts has not let go yet.
                if (System.nanoTime() > end) {
                    throw held;
                }
                Thread.yield();
            }
        }
    }

    int openConnections() {
        return open.size();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                int number = connections.incrementAndGet();
                Thread.ofVirtual().start(() -> serve(socket, number));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket, int number) {
        open.add(socket);
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream(), 64 << 10);
            for (Request request = read(in, number); request != null; request = read(in, number)) {
                requests.add(request);
                script.answer(request, socket, socket.getOutputStream());
                if (socket.isClosed()) {
                    return;
                }
                socket.getOutputStream().flush();
            }
        } catch (IOException | InterruptedException gone) {
            // The router closed, or the test ended.
        } finally {
            open.remove(socket);
        }
    }

    static Request read(InputStream in, int number) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        int tail = 0;
        while (tail != 0x0d0a0d0a) {
            int b = in.read();
            if (b < 0) {
                return null;
            }
            head.write(b);
            tail = tail << 8 | b;
        }
        String text = head.toString(StandardCharsets.ISO_8859_1);
        Request bare = new Request(text.substring(0, text.indexOf("\r\n")), text, new byte[0], number);
        String length = bare.header("content-length");
        byte[] body = length == null ? new byte[0] : in.readNBytes(Integer.parseInt(length));
        return new Request(bare.line, text, body, number);
    }

    @Override
    public void close() throws IOException {
        server.close();
        reserved.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
