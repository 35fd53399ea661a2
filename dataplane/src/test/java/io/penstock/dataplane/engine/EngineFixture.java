package io.penstock.dataplane.engine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** Clients of a running engine: HTTP, event subscriber, replay. */
final class EngineFixture {
    static final ObjectMapper JSON = new ObjectMapper();
    static final Duration DEADLINE = Duration.ofSeconds(20);
    /** JeroMQ's handshake sometimes hangs: see {@link KvPublisher}. */
    private static final int HANDSHAKE_MS = 500;

    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(DEADLINE)
            .build();

    private EngineFixture() {}

    static EngineConfig config() {
        return EngineConfig.defaults()
                .withModel("tiny", List.of())
                .withBlocks(32, 64)
                .withSpeedup(50);
    }

    static HttpResponse<String> post(SimulatedEngine engine, String path, String body, String... headers)
            throws Exception {
        return CLIENT.send(request(engine, path, body, headers), HttpResponse.BodyHandlers.ofString());
    }

    static HttpRequest request(SimulatedEngine engine, String path, String body, String... headers) {
        HttpRequest.Builder builder =
                HttpRequest.newBuilder(URI.create(engine.url() + path)).timeout(DEADLINE);
        if (headers.length > 0) {
            builder.headers(headers);
        }
        return body == null
                ? builder.GET().build()
                : builder.POST(HttpRequest.BodyPublishers.ofString(body)).build();
    }

    static HttpClient client() {
        return CLIENT;
    }

    static String get(SimulatedEngine engine, String path) throws Exception {
        return CLIENT.send(request(engine, path, null), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    static JsonNode json(SimulatedEngine engine, String path, String body, String... headers) throws Exception {
        HttpResponse<String> response = post(engine, path, body, headers);
        assertTrue(response.statusCode() == 200, response.body());
        return JSON.readTree(response.body());
    }

    /** A completion of consecutive token ids. */
    static JsonNode complete(SimulatedEngine engine, int from, int count, int maxTokens, String... headers)
            throws Exception {
        return json(engine, "/v1/completions", completion(from, count, maxTokens, false), headers);
    }

    static String completion(int from, int count, int maxTokens, boolean stream) {
        StringBuilder body = new StringBuilder(
                "{\"model\":\"tiny\",\"max_tokens\":" + maxTokens + ",\"stream\":" + stream + ",\"prompt\":");
        JsonText.ints(body, VirtualEngine.range(from, count), 0, count);
        return body.append('}').toString();
    }

    static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + DEADLINE.toNanos();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadline, "never came: " + what);
            Thread.onSpinWait();
            Thread.yield();
        }
    }

    /** One message of the event or the replay socket. */
    record Frame(String topic, long seq, byte[] payload) {}

    /** A subscriber that has proven that it hears the engine. */
    static final class Subscriber implements AutoCloseable {
        private final ZContext context = new ZContext();
        private final ZMQ.Socket socket = context.createSocket(SocketType.SUB);

        Subscriber(String endpoint) {
            socket.setRcvHWM(0);
            socket.setHandshakeIvl(HANDSHAKE_MS);
            socket.setReceiveTimeOut((int) DEADLINE.toMillis());
            socket.connect(endpoint);
            socket.subscribe("");
        }

        Frame next() {
            byte[] topic = socket.recv(0);
            assertTrue(topic != null, "no event in time");
            return new Frame(
                    new String(topic, java.nio.charset.StandardCharsets.UTF_8),
                    ByteBuffer.wrap(socket.recv(0)).getLong(),
                    socket.recv(0));
        }

        /** Makes events until one arrives: a subscription takes its time. */
        Frame first(SimulatedEngine engine) throws Exception {
            socket.setReceiveTimeOut(200);
            for (int i = 0; i < 50; i++) {
                complete(engine, 1_000_000 + 100 * i, 33, 1);
                byte[] topic = socket.recv(0);
                if (topic != null) {
                    socket.setReceiveTimeOut((int) DEADLINE.toMillis());
                    return new Frame("", ByteBuffer.wrap(socket.recv(0)).getLong(), socket.recv(0));
                }
            }
            throw new AssertionError("the subscription never came through");
        }

        @Override
        public void close() {
            context.close();
        }
    }

    /** Asks for a replay and reads to its end marker. */
    static List<Frame> replay(String endpoint, long from) {
        try (ZContext context = new ZContext()) {
            ZMQ.Socket socket = context.createSocket(SocketType.DEALER);
            socket.setRcvHWM(0);
            socket.setHandshakeIvl(HANDSHAKE_MS);
            socket.setReceiveTimeOut((int) DEADLINE.toMillis());
            socket.connect(endpoint);
            socket.send(new byte[0], ZMQ.SNDMORE);
            socket.send(KvPublisher.bigEndian(from), 0);
            List<Frame> frames = new ArrayList<>();
            while (true) {
                byte[] delimiter = socket.recv(0);
                assertTrue(delimiter != null && delimiter.length == 0, "replay did not end");
                byte[] topic = socket.recv(0);
                long seq = ByteBuffer.wrap(socket.recv(0)).getLong();
                byte[] payload = socket.recv(0);
                assertTrue(!socket.hasReceiveMore(), "a reply has four frames");
                if (seq == -1 && payload.length == 0) {
                    assertTrue(topic.length == 0, "the end marker has no topic");
                    return frames;
                }
                frames.add(new Frame(new String(topic, java.nio.charset.StandardCharsets.UTF_8), seq, payload));
            }
        }
    }
}
