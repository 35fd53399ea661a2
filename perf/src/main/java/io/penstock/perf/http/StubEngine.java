package io.penstock.perf.http;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.LockSupport;

/**
 * An engine that costs next to nothing: answers at once, or streams an event every five milliseconds, each with the time
 * at which it was due.
 *
 * <p><b>Threading:</b> a thread per connection, all named {@code bench-engine}, so that their CPU can be told apart.
 */
final class StubEngine implements AutoCloseable {
    static final long EVENT_NS = 5_000_000;
    private static final byte[] WHOLE = answer("{\"id\":\"c\",\"object\":\"chat.completion\",\"choices\":[{\"index\":0,"
            + "\"message\":{\"role\":\"assistant\",\"content\":\"ok\"},\"finish_reason\":\"stop\"}],\"usage\":"
            + "{\"prompt_tokens\":100,\"completion_tokens\":1,\"total_tokens\":101}}");
    private static final byte[] HEAD =
            ascii("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");

    private final ServerSocket server;

    StubEngine() throws IOException {
        server = new ServerSocket(0, 1_024, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().name("bench-engine").start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                Thread.ofPlatform().daemon().name("bench-engine").start(() -> serve(socket));
            }
        } catch (IOException closed) {
            // The benchmark is over.
        }
    }

    private static void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
            OutputStream out = socket.getOutputStream();
            for (Heads.Head head = Heads.read(in); head != null; head = Heads.read(in)) {
                byte[] body = in.readNBytes(head.contentLength());
                if (new String(body, 0, Math.min(200, body.length), StandardCharsets.UTF_8)
                        .contains("\"stream\":true")) {
                    stream(out);
                } else {
                    out.write(WHOLE);
                }
            }
        } catch (IOException gone) {
            // The router has closed.
        }
    }

    private static void stream(OutputStream out) throws IOException {
        out.write(HEAD);
        long next = System.nanoTime();
        while (true) {
            next += EVENT_NS;
            for (long left = next - System.nanoTime(); left > 0; left = next - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            String event =
                    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" + System.nanoTime() + "\"}}]}\n\n";
            out.write(ascii(Integer.toHexString(event.length()) + "\r\n" + event + "\r\n"));
        }
    }

    private static byte[] answer(String json) {
        return ascii("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + json.length()
                + "\r\n\r\n" + json);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
