package io.penstock.dataplane.http;

import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.penstock.bindings.openai.ApiKind;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Something that the router answers by itself.
 *
 * <p><b>Threading:</b> immutable; the answer is made on the event loop, or on {@code executor} where there is one.
 *
 * @param maker makes the answer
 * @param executor for what takes longer than some microseconds, or null
 */
record OwnResource(Maker maker, Executor executor) implements Resource {
    /** Makes an answer. */
    @FunctionalInterface
    interface Maker {
        /** The answer; a failure becomes a 500. */
        DefaultFullHttpResponse make(HttpRequest head, RequestBody body);
    }

    @Override
    public ApiKind kind() {
        return null;
    }

    @Override
    public InFlight answer(ClientConnection client, HttpRequest head, RequestBody body) {
        return new OwnAnswer(client, head, body);
    }

    private final class OwnAnswer implements InFlight {
        private final ClientConnection client;
        private final HttpRequest head;
        private final RequestBody body;
        private boolean gone;

        OwnAnswer(ClientConnection client, HttpRequest head, RequestBody body) {
            this.client = client;
            this.head = head;
            this.body = body;
        }

        @Override
        public void start() {
            if (executor == null) {
                write(make());
                return;
            }
            try {
                executor.execute(() -> {
                    DefaultFullHttpResponse answer = make();
                    client.context().executor().execute(() -> write(answer));
                });
            } catch (RejectedExecutionException full) {
                write(Answers.json(503, "{\"error\":\"too busy\"}"));
            }
        }

        private DefaultFullHttpResponse make() {
            try {
                return maker.make(head, body);
            } catch (RuntimeException failed) {
                client.site().failed(failed);
                return Answers.json(500, "{\"error\":\"the router failed on this request\"}");
            }
        }

        private void write(DefaultFullHttpResponse answer) {
            if (gone) {
                answer.release();
                return;
            }
            Answers.write(client, answer);
            client.answered(true);
        }

        @Override
        public void writable(boolean writable) {}

        @Override
        public void clientGone() {
            gone = true;
        }
    }
}
