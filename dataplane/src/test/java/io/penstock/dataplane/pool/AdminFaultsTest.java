package io.penstock.dataplane.pool;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Answers that a real master cannot be told to give: cut, stopped midway, wrong. */
class AdminFaultsTest {
    private static final int PATIENCE_MS = 30_000;
    private static final int SHORT_PATIENCE_MS = 3_000;
    private static final String SERVING = "{\"service_ready\":true,\"role\":\"leader\"}";

    /** Path without its question to the whole answer. */
    private final Map<String, String> answers = new ConcurrentHashMap<>();

    private final List<Socket> open = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private ServerSocket server;
    private MooncakeAdmin admin;

    @BeforeEach
    void start() throws IOException {
        server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().start(this::serve);
        admin = admin(PATIENCE_MS);
        answers.put("/health", whole(SERVING));
    }

    private MooncakeAdmin admin(int patienceMs) {
        return new MooncakeAdmin("http://127.0.0.1:" + server.getLocalPort(), patienceMs);
    }

    @AfterEach
    void stop() throws IOException {
        admin.close();
        server.close();
        synchronized (open) {
            for (Socket socket : open) {
                socket.close();
            }
        }
    }

    private static String whole(String body) {
        return head(200, body.length()) + body;
    }

    private static String head(int status, int length) {
        return "HTTP/1.1 " + status + " x\r\nContent-Length: " + length + "\r\nConnection: close\r\n\r\n";
    }

    /** One answer a connection; an answer that ends in {@code ...} leaves it open. */
    private void serve() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                synchronized (open) {
                    open.add(socket);
                }
                StringBuilder request = new StringBuilder();
                for (int c = 0; c >= 0 && request.indexOf("\r\n\r\n") < 0; ) {
                    c = socket.getInputStream().read();
                    request.append((char) c);
                }
                String path = request.toString().split("[ ?]")[1];
                String answer = answers.getOrDefault(path, head(404, 0));
                boolean hang = answer.endsWith("...");
                socket.getOutputStream()
                        .write((hang ? answer.substring(0, answer.length() - 3) : answer)
                                .getBytes(StandardCharsets.US_ASCII));
                socket.getOutputStream().flush();
                if (!hang) {
                    socket.close();
                }
            } catch (IOException closed) {
                // The test is over, or its client went away: the next one, if any.
            }
        }
    }

    private long list() throws IOException {
        return admin.list(
                (bytes, from, length) -> told.add(new String(bytes, from, length, StandardCharsets.US_ASCII)));
    }

    private IOException listFails() {
        return assertThrows(IOException.class, this::list);
    }

    @Test
    void shouldTellEveryLineWhenTheLastLacksItsLineFeed() throws IOException {
        answers.put("/get_all_keys", whole("a\n\nbb\nccc"));
        assertEquals(3, list());
        assertEquals(List.of("a", "bb", "ccc"), told);
        assertEquals(StoreState.READY, admin.state());
    }

    @Test
    void shouldFailWhenTheListIsCut() {
        answers.put("/get_all_keys", head(200, 100) + "a\nbb\n");
        assertTrue(listFails().getMessage().contains("ended early"));
        assertEquals(StoreState.DOWN, admin.state());
    }

    @Test
    void shouldFailWhenTheListStopsMidway() {
        admin.close();
        admin = admin(SHORT_PATIENCE_MS);
        answers.put("/get_all_keys", head(200, 100) + "a\nbb\n...");
        assertEquals("the list stopped after 2 names", listFails().getMessage());
        assertEquals(StoreState.SLOW, admin.state());
    }

    @Test
    void shouldFailWhenTheListHasAnotherStatus() {
        answers.put("/get_all_keys", head(503, 4) + "busy");
        assertTrue(listFails().getMessage().startsWith("status 503 from http://"));
    }

    @Test
    void shouldNotBelieveTheListWhenTheMasterDoesNotServe() {
        answers.put("/health", whole("{\"service_ready\":false,\"role\":\"standby\",\"ha_state\":\"catching_up\"}"));
        answers.put("/get_all_keys", whole(""));
        assertEquals(
                "the master does not serve: role=standby, ha_state=catching_up",
                listFails().getMessage());
        assertEquals(StoreState.DOWN, admin.state());
    }

    @Test
    void shouldKnowOnlyWhatIsCertainWhenAnswersAreOdd() {
        answers.put(
                "/batch_query_keys",
                whole(
                        "{\"success\":true,\"data\":{\"a\":{\"ok\":true},\"b\":{\"ok\":false,\"error\":\"OBJECT_NOT_FOUND\"},"
                                + "\"c\":{\"ok\":false,\"error\":\"REPLICA_IS_NOT_READY\"},\"d\":{}}}"));
        byte[] out = new byte[5];
        assertEquals(2, admin.probe(List.of("a", "b", "c", "d", "e"), out));
        assertArrayEquals(
                new byte[] {
                    SharedPool.PRESENT, SharedPool.ABSENT, SharedPool.UNKNOWN, SharedPool.UNKNOWN, SharedPool.UNKNOWN
                },
                out);
        assertEquals(3, admin.counts().unknown());
    }

    @Test
    void shouldKnowNothingWhenTheAnswerIsNotJson() {
        answers.put("/batch_query_keys", whole("<html>"));
        byte[] out = new byte[1];
        assertEquals(0, admin.probe(List.of("a"), out));
        assertEquals(SharedPool.UNKNOWN, out[0]);
        assertEquals(1, admin.counts().failed());
        assertTrue(admin.cause().startsWith("not JSON: http://"), admin.cause());
    }

    @Test
    void shouldNotTellFiguresWhenTheMasterHasNone() throws IOException {
        answers.put("/metrics", whole("# TYPE master_key_count gauge\nmaster_key_count 12\nother 3\n"));
        assertEquals(new MasterFigures(12, -1, -1, -1), admin.figures());
        answers.put("/kv_events/status", whole("{}"));
        assertNull(admin.published());
    }
}
