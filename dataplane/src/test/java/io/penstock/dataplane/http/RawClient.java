package io.penstock.dataplane.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client over a plain socket, which sees every byte. */
final class RawClient implements Closeable {
    /** An answer: head as it came, body with its chunks put together. */
    record Answer(int status, String head, byte[] body, boolean whole) {
        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }

        String header(String name) {
            return new ScriptedEngine.Request("", head, body, 0).header(name);
        }
    }

    final Socket socket;
    private final InputStream in;

    RawClient(int port) throws IOException {
        this(port, 0);
    }

    /** A client whose socket takes few bytes before it is read. */
    RawClient(int port, int receiveBytes) throws IOException {
        socket = new Socket();
        if (receiveBytes > 0) {
            socket.setReceiveBufferSize(receiveBytes);
        }
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(20_000);
        in = new BufferedInputStream(socket.getInputStream(), 64 << 10);
    }

    RawClient send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.UTF_8));
    }

    RawClient send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return this;
    }

    RawClient post(String target, String body, String... headers) throws IOException {
        return send(request(target, body, headers));
    }

    static String request(String target, String body, String... headers) {
        StringBuilder text = new StringBuilder("POST " + target + " HTTP/1.1\r\nHost: test\r\n");
        for (String header : headers) {
            text.append(header).append("\r\n");
        }
        int length = body.getBytes(StandardCharsets.UTF_8).length;
        return text.append("Content-Type: application/json\r\nContent-Length: " + length + "\r\n\r\n" + body)
                .toString();
    }

    RawClient get(String target) throws IOException {
        return send("GET " + target + " HTTP/1.1\r\nHost: test\r\n\r\n");
    }

    /** Reads one answer; a body cut off is given as far as it came, with {@code whole} false. */
    Answer answer() throws IOException {
        String head = head();
        int status = Integer.parseInt(head.substring(9, 12));
        Answer bare = new Answer(status, head, new byte[0], true);
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        boolean whole = true;
        try {
            if ("chunked".equalsIgnoreCase(bare.header("transfer-encoding"))) {
                chunks(body);
            } else if (bare.header("content-length") != null) {
                int length = Integer.parseInt(bare.header("content-length"));
                body.write(in.readNBytes(length));
                whole = body.size() == length;
            } else if (status != 100 && status != 204) {
                in.transferTo(body);
            }
        } catch (EOFException cut) {
            whole = false;
        }
        return new Answer(status, head, body.toByteArray(), whole);
    }

    String head() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int tail = 0;
        while (tail != 0x0d0a0d0a) {
            int b = next();
            out.write(b);
            tail = tail << 8 | b;
        }
        return out.toString(StandardCharsets.ISO_8859_1);
    }

    private void chunks(ByteArrayOutputStream body) throws IOException {
        while (true) {
            int size = Integer.parseInt(line(), 16);
            byte[] chunk = in.readNBytes(size);
            body.write(chunk);
            if (chunk.length < size) {
                throw new EOFException();
            }
            line();
            if (size == 0) {
                return;
            }
        }
    }

    String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = next(); b != '\n'; b = next()) {
            if (b != '\r') {
                line.append((char) b);
            }
        }
        return line.toString();
    }

    int next() throws IOException {
        int b = in.read();
        if (b < 0) {
            throw new EOFException();
        }
        return b;
    }

    /** What has come and was not read yet. */
    byte[] available() throws IOException {
        return in.readNBytes(in.available());
    }

    /** Waits, as long as the socket allows, until there is something to read; false when the router has closed. */
    boolean awaitByte() throws IOException {
        in.mark(1);
        boolean there = in.read() >= 0;
        in.reset();
        return there;
    }

    /** Whether the router has closed the connection. */
    boolean closed() throws IOException {
        return in.read() < 0;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
