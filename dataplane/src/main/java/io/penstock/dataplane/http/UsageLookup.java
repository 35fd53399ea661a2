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
    static void settle(Front front, ApiKind kind, ByteRelay answer, LifeCycle life, RequestTrace trace) {
        byte[] body = answer.kept();
        int length = answer.keptLength();
        if (body == null) {
            front.counters().usageUnread();
        }
        long ticket = life.leave();
        if (body == null || length <= front.config().loopBodyBytes()) {
            report(kind, body, body == null ? 0 : length, life, ticket, trace);
            return;
        }
        try {
            front.preparation().execute(() -> report(kind, body, length, life, ticket, trace));
        } catch (RejectedExecutionException full) {
            front.counters().usageUnread();
            report(kind, body, 0, life, ticket, trace);
        }
    }

    private static void report(ApiKind kind, byte[] body, int length, LifeCycle life, long ticket, RequestTrace trace) {
        StreamEvents reader = reader(kind);
        if (length > 0) {
            reader.body(ByteBuffer.wrap(body), 0, length);
        }
        int tokens = reader.completionTokens();
        life.tell(
                ticket, Outcome.COMPLETED, tokens, reader.cachedTokens(), trace.end(Outcome.COMPLETED, tokens, reader));
    }
}
