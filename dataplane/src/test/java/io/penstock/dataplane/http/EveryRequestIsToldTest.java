package io.penstock.dataplane.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.pipeline.Outcome;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Clients that leave at any time before engines that fail in every way: one record each, with one end each. */
class EveryRequestIsToldTest {
    private static final int CLIENTS = 4;
    private static final int REQUESTS = 60;
    private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Type: ";
    private static final byte[] STREAM = PassThroughTest.join(
            HEAD + "text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n",
            PassThroughTest.chunked(
                    ("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\n".repeat(40)
                                    + "data: {\"choices\":[],\"usage\":{\"completion_tokens\":40}}\n\ndata: [DONE]\n\n")
                            .getBytes(UTF_8),
                    200));
    private static final byte[] BODY = PassThroughTest.join(
            HEAD + "application/json\r\nContent-Length: 33\r\n\r\n",
            "{\"usage\":{\"completion_tokens\":3}}".getBytes(UTF_8));
    private static final byte[] BUSY = "HTTP/1.1 503 Busy\r\nContent-Length: 2\r\n\r\n{}".getBytes(UTF_8);

    /** An engine whose answers depend on the seed only, not on who asks. */
    private static ScriptedEngine engine(long seed) throws IOException {
        Random random = new Random(seed);
        return new ScriptedEngine((request, socket, out) -> {
            int kind;
            double share;
            synchronized (random) {
                kind = random.nextInt(8);
                share = random.nextDouble();
            }
            answer(kind, share, socket, out);
        });
    }

    private static void answer(int kind, double share, Socket socket, OutputStream out) throws IOException {
        switch (kind) {
            case 0 -> socket.close();
            case 1 -> out.write(BUSY);
            case 2 -> {
                out.write(Arrays.copyOf(STREAM, (int) (share * STREAM.length)));
                out.flush();
                socket.close();
            }
            case 3 -> {
                out.write(Arrays.copyOf(BODY, (int) (share * BODY.length)));
                out.flush();
                socket.close();
            }
            case 4 -> out.write(BODY);
            default -> out.write(STREAM);
        }
    }

    private static void ask(FrontFixture fixture, Random random) throws IOException {
        String body = "{\"model\":\"" + (random.nextInt(10) == 0 ? "unknown" : "tiny")
                + "\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\""
                + "x".repeat(random.nextInt(3) == 0 ? 40_000 : 10) + "\"}]" + (random.nextInt(10) == 0 ? "" : "}");
        try (RawClient client = fixture.client()) {
            client.post("/v1/chat/completions", body, "x-dynamo-session-id: s");
            switch (random.nextInt(4)) {
                case 0 -> {} // leaves at once
                case 1 -> client.head();
                default -> client.answer();
            }
        } catch (IOException cut) {
            // A connection that the router closed in the middle of an answer.
        }
    }

    private static int started(FrontFixture fixture) {
        return (int) fixture.registry
                .get("penstock.http.requests")
                .tag("api", "/v1/chat/completions")
                .counter()
                .count();
    }

    @Test
    void shouldTellEachOnceWhateverHappens() throws Exception {
        long seed = 20_261_130L;
        System.out.println("seed=" + seed);
        try (FrontFixture fixture = FrontFixture.before(engine(seed), engine(seed + 1), engine(seed + 2));
                ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<?>> runs = IntStream.range(0, CLIENTS)
                    .<Future<?>>mapToObj(number -> clients.submit(() -> {
                        Random random = new Random(seed * 31 + number);
                        for (int i = 0; i < REQUESTS; i++) {
                            ask(fixture, random);
                        }
                        return null;
                    }))
                    .toList();
            for (Future<?> run : runs) {
                run.get();
            }
            // A request whose client left at once may come in after all clients have gone.
            FrontFixture.until(
                    "a record for each that came in",
                    () -> fixture.front.inFlight() == 0 && started(fixture) == fixture.placement.traces.size());
            List<TraceRecord> told = List.copyOf(fixture.placement.traces);
            int started = told.size();
            Map<Outcome, Integer> ends = new EnumMap<>(Outcome.class);
            Set<String> names = new HashSet<>();
            for (TraceRecord record : told) {
                names.add(record.requestId);
                ends.merge(record.outcome, 1, Integer::sum);
                assertEquals("s", record.agent.session());
                assertNotNull(record.api);
            }
            System.out.println("started " + started + ", ends " + ends);
            assertEquals(started, names.size());
            assertEquals(Set.of(Outcome.values()), ends.keySet(), "every way to end was seen");
        }
    }
}
