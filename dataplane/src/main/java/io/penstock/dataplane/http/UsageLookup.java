package io.penstock.dataplane.http;

import io.penstock.bindings.anthropic.AnthropicStreamEvents;
import io.penstock.bindings.openai.ApiKind;
import io.penstock.bindings.openai.OpenAiStreamEvents;
import io.penstock.bindings.openai.StreamEvents;
import io.penstock.dataplane.pipeline.Outcome;
import java.nio.ByteBuffer;
import java.util.concurrent.RejectedExecutionException;

/**
 * Finds the usage in an answer that is not a stream, after the client has it: a long one off the event loop.
 *
 * <p><b>Threading:</b> called on the event loop.
 */
final class UsageLookup {
    private UsageLookup() {}

    /** A reader of the API's answers. */
    static StreamEvents reader(ApiKind kind) {
        return kind.isAnthropic() ? new AnthropicStreamEvents() : new OpenAiStreamEvents(kind);
    }

    /** Reports the end of the request with what the engine says that it took. */
    static void settle(Front front, ApiKind kind, ByteRelay answer, LifeCycle life) {
        byte[] body = answer.kept();
        int length = answer.keptLength();
        if (body == null) {
            front.counters().usageUnread();
        }
        if (body == null || length == 0) {
            life.finished(Outcome.COMPLETED, -1, -1);
        } else if (length <= front.config().loopBodyBytes()) {
            report(kind, body, length, life, life.leave());
        } else {
            long ticket = life.leave();
            try {
                front.preparation().execute(() -> report(kind, body, length, life, ticket));
            } catch (RejectedExecutionException full) {
                front.counters().usageUnread();
                report(kind, body, 0, life, ticket);
            }
        }
    }

    private static void report(ApiKind kind, byte[] body, int length, LifeCycle life, long ticket) {
        StreamEvents reader = reader(kind);
        if (length > 0) {
            reader.body(ByteBuffer.wrap(body), 0, length);
        }
        if (ticket >= 0) {
            life.tell(ticket, Outcome.COMPLETED, reader.completionTokens(), reader.cachedTokens());
        }
    }
}
