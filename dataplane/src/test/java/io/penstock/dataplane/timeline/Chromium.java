package io.penstock.dataplane.timeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A headless Chromium with one page, driven over its DevTools protocol.
 *
 * <p><b>Threading:</b> one thread.
 */
final class Chromium implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long DEADLINE_S = 60;
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome", "chrome");

    private final Process process;
    private final HttpClient client = HttpClient.newHttpClient();
    private final Map<Integer, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
    private final List<JsonNode> events = new CopyOnWriteArrayList<>();
    private final WebSocket socket;
    private int lastId;

    Chromium(String program, Path profile, int width, int height) throws Exception {
        process = new ProcessBuilder(
                        program,
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--hide-scrollbars",
                        "--no-first-run",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "--window-size=" + width + "," + height,
                        "about:blank")
                .redirectErrorStream(true)
                .redirectOutput(profile.resolve("chromium.log").toFile())
                .start();
        int port = port(profile.resolve("DevToolsActivePort"));
        socket = client.newWebSocketBuilder()
                .buildAsync(URI.create(page(port)), new Answers())
                .get(DEADLINE_S, TimeUnit.SECONDS);
        send("Page.enable", Map.of());
        send("Runtime.enable", Map.of());
        send("Network.enable", Map.of());
        send(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    /** The program of this machine, if it has one. */
    static Optional<String> installed() {
        String chosen = System.getenv("PENSTOCK_CHROMIUM");
        if (chosen != null) {
            return Optional.of(chosen);
        }
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }

    private int port(Path file) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_S);
        while (System.nanoTime() < end && process.isAlive()) {
            if (Files.exists(file) && !Files.readString(file).isBlank()) {
                return Integer.parseInt(Files.readAllLines(file).getFirst());
            }
            process.waitFor(20, TimeUnit.MILLISECONDS);
        }
        throw new IllegalStateException(
                "Chromium does not start: " + Files.readString(file.resolveSibling("chromium.log")));
    }

    private String page(int port) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/list"))
                .build();
        for (JsonNode target : JSON.readTree(
                client.send(request, HttpResponse.BodyHandlers.ofString()).body())) {
            if (target.path("type").asText().equals("page")) {
                return target.path("webSocketDebuggerUrl").asText();
            }
        }
        throw new IllegalStateException("Chromium has no page");
    }

    /** A command of the protocol; its result. */
    JsonNode send(String method, Object params) throws Exception {
        ObjectNode message = JSON.createObjectNode().put("id", ++lastId).put("method", method);
        message.set("params", JSON.valueToTree(params));
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        asked.put(lastId, answer);
        socket.sendText(message.toString(), true).get(DEADLINE_S, TimeUnit.SECONDS);
        JsonNode answered = answer.get(DEADLINE_S, TimeUnit.SECONDS);
        if (answered.has("error")) {
            throw new IllegalStateException(method + ": " + answered.path("error"));
        }
        return answered.path("result");
    }

    /** Value of an expression, promises awaited. */
    JsonNode evaluate(String expression) throws Exception {
        JsonNode result =
                send("Runtime.evaluate", Map.of("expression", expression, "awaitPromise", true, "returnByValue", true));
        if (result.has("exceptionDetails")) {
            throw new AssertionError(expression + ": " + result.path("exceptionDetails"));
        }
        return result.path("result").path("value");
    }

    /** Waits until an expression is true. */
    void await(String expression) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_S);
        while (!evaluate("Boolean(" + expression + ")").asBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("never true: " + expression + "; " + complaints());
            }
            evaluate("new Promise(requestAnimationFrame)");
        }
    }

    void open(Path file) throws Exception {
        send("Page.navigate", Map.of("url", file.toUri().toString()));
        await("window.penstock && penstock.frames.painted > 0");
    }

    void mouse(String type, double x, double y, Map<String, ?> more) throws Exception {
        ObjectNode params =
                JSON.createObjectNode().put("type", type).put("x", x).put("y", y);
        params.setAll((ObjectNode) JSON.valueToTree(more));
        send("Input.dispatchMouseEvent", params);
    }

    void click(double x, double y) throws Exception {
        Map<String, ?> left = Map.of("button", "left", "clickCount", 1);
        mouse("mousePressed", x, y, left);
        mouse("mouseReleased", x, y, left);
    }

    void drag(double x, double y, double toX, double toY, boolean shift) throws Exception {
        Map<String, ?> left = Map.of("button", "left", "buttons", 1, "clickCount", 1, "modifiers", shift ? 8 : 0);
        mouse("mousePressed", x, y, left);
        for (int i = 1; i <= 8; i++) {
            mouse("mouseMoved", x + (toX - x) * i / 8, y + (toY - y) * i / 8, left);
        }
        mouse("mouseReleased", toX, toY, left);
    }

    void wheel(double x, double y, double deltaY) throws Exception {
        mouse("mouseWheel", x, y, Map.of("deltaX", 0, "deltaY", deltaY));
    }

    void key(String key) throws Exception {
        boolean prints = key.length() == 1;
        Map<String, ?> down =
                prints ? Map.of("type", "keyDown", "key", key, "text", key) : Map.of("type", "keyDown", "key", key);
        send("Input.dispatchKeyEvent", down);
        send("Input.dispatchKeyEvent", Map.of("type", "keyUp", "key", key));
    }

    void type(String text) throws Exception {
        send("Input.insertText", Map.of("text", text));
    }

    void screenshot(Path file) throws Exception {
        String image = send("Page.captureScreenshot", Map.of("format", "png"))
                .path("data")
                .asText();
        Files.createDirectories(file.getParent());
        Files.write(file, Base64.getDecoder().decode(image));
    }

    /** Addresses that the page asked for. */
    List<String> requests() {
        return events.stream()
                .filter(event -> event.path("method").asText().equals("Network.requestWillBeSent"))
                .map(event -> event.path("params").path("request").path("url").asText())
                .toList();
    }

    /** Exceptions and errors of the page. */
    List<String> complaints() {
        return events.stream()
                .filter(event -> event.path("method").asText().equals("Runtime.exceptionThrown")
                        || event.path("params").path("type").asText().equals("error")
                        || event.path("params")
                                .path("entry")
                                .path("level")
                                .asText()
                                .equals("error"))
                .map(JsonNode::toString)
                .toList();
    }

    @Override
    public void close() {
        socket.abort();
        client.shutdownNow();
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        // Its profile is deleted next, so it must be gone.
        process.onExit().orTimeout(DEADLINE_S, TimeUnit.SECONDS).join();
    }

    private final class Answers implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                take(text.toString());
                text.setLength(0);
            }
            from.request(1);
            return null;
        }

        private void take(String message) {
            try {
                JsonNode json = JSON.readTree(message);
                CompletableFuture<JsonNode> waiting =
                        json.has("id") ? asked.remove(json.path("id").asInt()) : null;
                if (waiting == null) {
                    events.add(json);
                } else {
                    waiting.complete(json);
                }
            } catch (IOException e) {
                asked.values().forEach(waiting -> waiting.completeExceptionally(e));
            }
        }
    }
}
