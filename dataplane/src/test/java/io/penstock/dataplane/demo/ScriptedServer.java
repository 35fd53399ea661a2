package io.penstock.dataplane.demo;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/**
 * A server on loopback that answers the n-th request with the n-th script, one connection a request; after the last
 * script it repeats it.
 *
 * <p><b>Threading:</b> one thread of its own; {@link #requests} may be read from any.
 */
final class ScriptedServer implements AutoCloseable {
    /** Closes the connection with a reset instead of an answer. */
    static final String RESET = "RESET";

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Deque<String> scripts;
    private final List<String> requests = Collections.synchronizedList(new ArrayList<>());

    ScriptedServer(String... scripts) throws IOException {
        this.scripts = new ArrayDeque<>(List.of(scripts));
        Thread.ofVirtual().start(this::serve);
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    /** Head and body of each request so far. */
    List<String> requests() {
        return requests;
    }

    static String refusal(int status, String headers, String body) {
        return "HTTP/1.1 " + status + " Refused\r\n" + headers + "Connection: close\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body;
    }

    static String stream(String... events) {
        StringBuilder text =
                new StringBuilder("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n");
        for (String event : events) {
            text.append("data: ").append(event).append("\n\n");
        }
        return text.toString();
    }

    private void serve() {
        while (!listener.isClosed()) {
            try (Socket socket = listener.accept()) {
                requests.add(read(new BufferedInputStream(socket.getInputStream())));
                String script = scripts.size() > 1 ? scripts.poll() : scripts.peek();
                if (script.equals(RESET)) {
                    socket.setSoLinger(true, 0);
                    continue;
                }
                OutputStream out = socket.getOutputStream();
                out.write(script.getBytes(StandardCharsets.UTF_8));
                out.flush();
            } catch (SocketException e) {
                // The client or the test closed.
                continue;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static String read(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                return head.toString();
            }
            head.append((char) next);
        }
        int length = head.toString()
                .lines()
                .filter(l -> l.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:"))
                .mapToInt(l -> Integer.parseInt(l.substring(15).trim()))
                .findFirst()
                .orElse(0);
        return head + new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
