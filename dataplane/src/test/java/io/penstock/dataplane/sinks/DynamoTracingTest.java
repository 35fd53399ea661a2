package io.penstock.dataplane.sinks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.penstock.dataplane.core.CoreConfig;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.metrics.CounterFile;
import io.penstock.dataplane.pipeline.PipelineConfig;
import io.penstock.dataplane.pipeline.RequestPort;
import io.penstock.dataplane.pipeline.RouterPipeline;
import io.penstock.dataplane.routing.RoutingConfig;
import io.penstock.index.reference.ReferenceIndex;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** From what agents send and fronts note to the rows in a file. */
class DynamoTracingTest {
    private static final String TOPIC = "agent-tool-events";

    @TempDir
    Path folder;

    private RouterPipeline pipeline(CounterFile counters) {
        return new RouterPipeline(
                PipelineConfig.defaults(),
                CoreConfig.defaults(),
                RoutingConfig.defaults(),
                (model, blockSize) -> new ReferenceIndex(blockSize, 1 << 16, 64),
                counters,
                failure -> {});
    }

    private static String freeEndpoint() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "tcp://127.0.0.1:" + socket.getLocalPort();
        }
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, "not within 20 s");
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static void push(ZMQ.Socket socket, String topic, byte[] body) {
        assertTrue(socket.sendMore(topic) && socket.sendMore(new byte[8]) && socket.send(body));
    }

    @Test
    void shouldWriteToolEventsAndRequestsInOrderWhenBothCome() throws Exception {
        Path file = folder.resolve("t.jsonl");
        String endpoint = freeEndpoint();
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        try (CounterFile counters = CounterFile.create(folder.resolve("counters.dat"));
                DynamoTracing tracing = new DynamoTracing(Map.of(
                        "DYN_REQUEST_TRACE",
                        "1",
                        "DYN_REQUEST_TRACE_SINKS",
                        "jsonl,nats",
                        "DYN_REQUEST_TRACE_FILE_PATH",
                        file.toString(),
                        "DYN_REQUEST_TRACE_TOOL_EVENTS_ZMQ_ENDPOINT",
                        endpoint));
                RouterPipeline pipeline = pipeline(counters)) {
            tracing.bindTo(registry);
            tracing.follow(pipeline);
            pipeline.start();
            try (AutoCloseable ingress = tracing.takeToolEvents(pipeline.requests(), "auto");
                    ZContext agent = new ZContext()) {
                assertNotNull(ingress);
                ZMQ.Socket socket = agent.createSocket(SocketType.PUSH);
                socket.connect(endpoint);
                push(socket, TOPIC, PackedEvents.pack(PackedEvents.FLAT));
                push(socket, TOPIC, PackedEvents.pack(PackedEvents.NESTED.replace("tool_end", "tool_start")));
                push(socket, TOPIC, new byte[] {1});
                push(socket, "other", PackedEvents.pack(PackedEvents.FLAT));
                await(() -> toolEvents(registry, "topic") == 1);
            }
            TraceRecord last = TraceRecords.request("r1", TraceRecords.agent("s", null));
            assertTrue(pipeline.requests().note(last));
        }
        List<String> told = new ArrayList<>();
        try (DynamoTraceReader reader = new DynamoTraceReader(List.of(file))) {
            for (TraceRecord record = reader.next(); record != null; record = reader.next()) {
                told.add(record.kind + " " + record.agent.session());
            }
        }
        assertEquals(List.of("TOOL_END run-42:researcher", "TOOL_START run-42:researcher", "REQUEST_END s"), told);
        assertEquals(2, toolEvents(registry, "taken"));
        assertEquals(1, toolEvents(registry, "unreadable"));
        assertEquals(
                3,
                registry.get("penstock.trace.sink.rows")
                        .tag("sink", "file")
                        .functionCounter()
                        .count());
    }

    private static double toolEvents(SimpleMeterRegistry registry, String result) {
        return registry.get("penstock.tool.events")
                .tag("result", result)
                .functionCounter()
                .count();
    }

    @Test
    void shouldLoseNothingAtTheEndWhenThePipelineStopsFirst() throws Exception {
        int requests = 500;
        try (CounterFile counters = CounterFile.create(folder.resolve("counters.dat"));
                DynamoTracing tracing = new DynamoTracing(Map.of(
                        "DYN_REQUEST_TRACE", "1",
                        "DYN_REQUEST_TRACE_FILE_FLUSH_INTERVAL_MS", "3600000",
                        "DYN_REQUEST_TRACE_FILE_PATH", folder.resolve("t").toString()));
                RouterPipeline pipeline = pipeline(counters)) {
            tracing.follow(pipeline);
            pipeline.start();
            for (int i = 0; i < requests; i++) {
                TraceRecord record = TraceRecords.request("r" + i, TraceRecords.agent("s", null));
                await(() -> pipeline.requests().note(record));
            }
        }
        try (DynamoTraceReader reader = new DynamoTraceReader(List.of(folder.resolve("t.000000.jsonl.gz")))) {
            assertEquals(
                    IntStream.range(0, requests).mapToObj(i -> "r" + i).toList(),
                    IntStream.range(0, requests)
                            .mapToObj(i -> reader.next().requestId)
                            .toList());
        }
    }

    @Test
    void shouldTouchNothingWhenTheEnvironmentIsSilent() throws Exception {
        try (CounterFile counters = CounterFile.create(folder.resolve("counters.dat"));
                DynamoTracing tracing = new DynamoTracing(Map.of());
                RouterPipeline pipeline = pipeline(counters)) {
            tracing.follow(pipeline);
            pipeline.start();
            try (AutoCloseable none = tracing.takeToolEvents(pipeline.requests(), "no such transport")) {
                assertNotNull(none);
                // Nobody follows the decisions, so a consumer could still be added: the pipeline has none.
                assertTrue(pipeline.requests().note(TraceRecords.tool(TraceRecord.Kind.TOOL_END, "s", "c")));
            }
        }
        try (var files = Files.list(folder)) {
            assertEquals(1, files.count(), "the counters alone");
        }
    }

    @Test
    void shouldServeOnWhenTheEndpointIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ToolEventIngress ingress = new ToolEventIngress(
                        "tcp://127.0.0.1:" + taken.getLocalPort(), TOPIC, "auto", noPort(), new SinkCounts())) {
            await(() -> !ingress.isTaking());
        }
    }

    @Test
    void shouldCountAnEventThatFindsTheRingFull() throws Exception {
        SinkCounts counts = new SinkCounts();
        String endpoint = freeEndpoint();
        try (ToolEventIngress ingress = new ToolEventIngress(endpoint, TOPIC, "jeromq", noPort(), counts);
                ZContext agent = new ZContext()) {
            assertTrue(ingress.isTaking());
            ZMQ.Socket socket = agent.createSocket(SocketType.PUSH);
            socket.connect(endpoint);
            push(socket, TOPIC, PackedEvents.pack(PackedEvents.FLAT));
            await(() -> counts.of(SinkCounts.ToolEvent.RING_FULL).sum() == 1);
            assertEquals(0, counts.of(SinkCounts.ToolEvent.TAKEN).sum());
        }
    }

    /** A port whose ring is full. */
    private static RequestPort noPort() {
        return (RequestPort) java.lang.reflect.Proxy.newProxyInstance(
                RequestPort.class.getClassLoader(), new Class<?>[] {RequestPort.class}, (proxy, method, args) -> false);
    }
}
