package io.penstock.dataplane.workers;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A real HTTP server that answers what it was told, path by path; others get 404. */
final class TestEngine implements AutoCloseable {
    /** Body by path. */
    final Map<String, String> answers = new ConcurrentHashMap<>();

    /** Status by path, where it is not 200. */
    final Map<String, Integer> statuses = new ConcurrentHashMap<>();

    private final HttpServer server;

    TestEngine() throws IOException {
        this(0);
    }

    TestEngine(int port) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        answers.put("/health", "");
        server.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            String answer = answers.get(path);
            int status = statuses.getOrDefault(path, answer == null ? 404 : 200);
            byte[] body = (answer == null ? "not found" : answer).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    String url() {
        return "http://127.0.0.1:" + port();
    }

    /** {@code /v1/models} with a base model and adapters on it. */
    TestEngine serving(String base, String... adapters) {
        StringBuilder models =
                new StringBuilder("{\"object\":\"list\",\"data\":[{\"id\":\"" + base + "\",\"parent\":null}");
        for (String adapter : adapters) {
            models.append(",{\"id\":\"")
                    .append(adapter)
                    .append("\",\"root\":\"/lora\",\"parent\":\"")
                    .append(base)
                    .append("\"}");
        }
        answers.put("/v1/models", models + "]}");
        return this;
    }

    /** vLLM's metrics and event sources. */
    TestEngine vllm(int blockSize, int kvPort) {
        answers.put(
                "/metrics",
                "vllm:cache_config_info{a_block_size=\"9\",block_size=\"" + blockSize
                        + "\",num_gpu_blocks=\"65\"} 1.0\n");
        answers.put(
                "/kv_event_sources",
                "{\"0\":{\"enable_kv_cache_events\":true,\"publisher\":\"zmq\",\"endpoint\":\"tcp://*:" + kvPort
                        + "\",\"replay_endpoint\":\"tcp://*:" + (kvPort + 100) + "\",\"topic\":\"kv\"}}");
        return this;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
