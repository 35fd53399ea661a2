package io.penstock.dataplane.tokens;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.penstock.dataplane.tokens.jinja.JinjaException;
import io.penstock.dataplane.tokens.jinja.PyJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** An engine's token endpoints over a real socket: the tiny model's own tokens, or what a test makes of them. */
final class FakeEngine implements AutoCloseable {
    private final HttpServer server;
    private final ModelPrompts model = ModelPrompts.load(TinyModel.local(), () -> TinyModel.NOW);
    volatile Dialect dialect = Dialect.VLLM;
    volatile UnaryOperator<String> rendering = UnaryOperator.identity();
    volatile boolean renders = true;
    volatile boolean counts = true;
    volatile CountDownLatch held;
    final AtomicInteger asked = new AtomicInteger();

    FakeEngine() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(java.util.concurrent.Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/tokenize", x -> answer(x, "tokens"));
        server.createContext("/v1/chat/completions/render", x -> answer(x, "token_ids"));
        server.createContext("/v1/messages/count_tokens", x -> answer(x, "input_tokens"));
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange x, String field) throws IOException {
        asked.incrementAndGet();
        int status = 200;
        Map<String, Object> out = new LinkedHashMap<>();
        try (x) {
            Map<String, Object> body = ChatBody.JSON.readValue(
                    x.getRequestBody(),
                    ChatBody.JSON.getTypeFactory().constructMapType(LinkedHashMap.class, String.class, Object.class));
            if (held != null) {
                held.await();
            }
            if ((field.equals("token_ids") && !renders) || (field.equals("input_tokens") && !counts)) {
                status = 404;
            } else if (body.get("prompt") instanceof String text) {
                out.put(
                        field,
                        list(model.tokenizer().encode(text, !Boolean.FALSE.equals(body.get("add_special_tokens")))));
            } else {
                Map<String, Object> chat =
                        field.equals("input_tokens") ? MessagesBody.toChat(body, dialect.deferral()) : body;
                int[] ids = model.tokenizer()
                        .encode(
                                rendering.apply(
                                        model.render(model.chatBody(dialect).chat(chat))),
                                false);
                out.put(field, field.equals("input_tokens") ? (Object) (long) ids.length : list(ids));
            }
            byte[] text = PyJson.dumps(out, false).getBytes(StandardCharsets.UTF_8);
            x.sendResponseHeaders(status, text.length);
            x.getResponseBody().write(text);
        } catch (JinjaException | UnsupportedPrompt e) {
            x.sendResponseHeaders(400, -1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<Object> list(int[] ids) {
        List<Object> out = new ArrayList<>(ids.length);
        for (int id : ids) {
            out.add((long) id);
        }
        return out;
    }

    @Override
    public void close() {
        if (held != null) {
            held.countDown();
        }
        server.stop(0);
        model.close();
    }
}
