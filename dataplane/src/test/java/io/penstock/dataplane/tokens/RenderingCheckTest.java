package io.penstock.dataplane.tokens;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.bindings.openai.ApiKind;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.tokens.TokenStatus.State;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** An engine's rendering decides: equal, this process tokenises; different, the engine is asked. */
class RenderingCheckTest {
    private static final String CHAT =
            "{\"model\": \"tiny\", \"messages\": [{\"role\": \"user\", \"content\": \"What is the weather in Paris, and why? Tell me more about it.\"}]}";
    private static final String TOOLS = "\"tools\": [{\"name\": \"f\", \"input_schema\": {\"type\": \"object\"}}]";
    private static final String MESSAGES = "{\"model\": \"tiny\", \"max_tokens\": 9, " + TOOLS
            + ", \"messages\": [{\"role\": \"user\", \"content\": \"What is the weather?\"}]}";

    private static ModelTokens checked() {
        return ModelTokens.of(TinyModel.folder());
    }

    @Test
    void shouldTokeniseInProcessWhenTheEngineAgrees() throws IOException {
        try (FakeEngine engine = new FakeEngine();
                PromptEncoder encoder = TinyModel.encoder(checked(), m -> engine.url())) {
            assertEquals(State.PENDING, encoder.status(TinyModel.NAME).state());
            assertEquals(
                    TokenSource.ENGINE, encoder.encode(TinyModel.input(ApiKind.CHAT, CHAT, 1), TinyModel.request()));
            encoder.workerReady(TinyModel.NAME);
            awaitChecked(encoder);
            assertEquals(
                    State.AGREES,
                    encoder.status(TinyModel.NAME).state(),
                    encoder.status(TinyModel.NAME).detail());
            int asked = engine.asked.get();
            assertEquals(
                    TokenSource.TOKENIZER, encoder.encode(TinyModel.input(ApiKind.CHAT, CHAT, 1), TinyModel.request()));
            assertEquals(asked, engine.asked.get());
        }
    }

    @Test
    void shouldFindTheDialectWhenTheEngineDropsNulls() throws IOException {
        for (Dialect dialect : Dialect.all()) {
            try (FakeEngine engine = new FakeEngine();
                    PromptEncoder encoder = TinyModel.encoder(checked(), m -> engine.url())) {
                engine.dialect = dialect.with(Dialect.Deferral.FALSE);
                encoder.workerReady(TinyModel.NAME);
                awaitChecked(encoder);
                assertEquals(State.AGREES, encoder.status(TinyModel.NAME).state(), dialect.toString());
                assertEquals(
                        TokenSource.TOKENIZER,
                        encoder.encode(TinyModel.input(ApiKind.MESSAGES, MESSAGES, 1), TinyModel.request()));
            }
        }
    }

    @Test
    void shouldNotClaimAnthropicToolsWhenTheEngineCountsOtherwise() throws IOException {
        try (FakeEngine engine = new FakeEngine();
                PromptEncoder encoder = TinyModel.encoder(checked(), m -> engine.url())) {
            engine.rendering = text -> text.contains("weather?")
                            && text.contains("# Tools")
                            && !text.contains("bare")
                            && !text.contains("thanks")
                    ? text + "!!"
                    : text;
            encoder.workerReady(TinyModel.NAME);
            awaitChecked(encoder);
            assertEquals(State.AGREES, encoder.status(TinyModel.NAME).state());
            assertEquals(
                    TokenSource.TEXT_CHUNKS,
                    encoder.encode(TinyModel.input(ApiKind.MESSAGES, MESSAGES, 1), TinyModel.request()));
        }
    }

    @Test
    void shouldAskTheEngineWhenItRendersOtherwise() throws IOException {
        try (FakeEngine engine = new FakeEngine();
                PromptEncoder encoder = TinyModel.encoder(checked(), m -> engine.url())) {
            engine.rendering = text -> text.replace("system", "System");
            encoder.workerReady(TinyModel.NAME);
            awaitChecked(encoder);
            TokenStatus status = encoder.status(TinyModel.NAME);
            assertEquals(State.DIFFERS, status.state());
            assertEquals(TokenSource.ENGINE, status.source());
            assertTrue(status.detail().contains("first difference"), status.detail());
            assertEquals(
                    TokenSource.ENGINE, encoder.encode(TinyModel.input(ApiKind.CHAT, CHAT, 1), TinyModel.request()));
        }
    }

    @Test
    void shouldGiveTheSameHashesWhenRenderTokenizeOrThisProcessAnswers() throws IOException {
        ModelTokens engineOnly = new ModelTokens(null, null, true, 2_000, false, true, 4);
        try (FakeEngine engine = new FakeEngine();
                PromptEncoder asks = TinyModel.encoder(engineOnly, m -> engine.url());
                PromptEncoder local = TinyModel.encoder(TinyModel.local(), m -> null)) {
            RouteRequest rendered = TinyModel.request();
            assertEquals(TokenSource.ENGINE, asks.encode(TinyModel.input(ApiKind.CHAT, CHAT, 0), rendered));
            engine.renders = false;
            RouteRequest tokenized = TinyModel.request();
            assertEquals(TokenSource.ENGINE, asks.encode(TinyModel.input(ApiKind.CHAT, CHAT, 0), tokenized));
            RouteRequest own = TinyModel.request();
            assertEquals(TokenSource.TOKENIZER, local.encode(TinyModel.input(ApiKind.CHAT, CHAT, 0), own));
            assertArrayEquals(own.sequenceHashes[0], rendered.sequenceHashes[0]);
            assertArrayEquals(own.sequenceHashes[0], tokenized.sequenceHashes[0]);
            assertEquals(own.promptTokens, tokenized.promptTokens);
        }
    }

    @Test
    void shouldFallToTextChunksWhenTheEngineDoesNotAnswerInTime() throws IOException {
        ModelTokens hasty = new ModelTokens(null, null, true, 50, false, true, 4);
        try (FakeEngine engine = new FakeEngine();
                PromptEncoder encoder = TinyModel.encoder(hasty, m -> engine.url())) {
            engine.held = new CountDownLatch(1);
            RouteRequest out = TinyModel.request();
            assertEquals(TokenSource.TEXT_CHUNKS, encoder.encode(TinyModel.input(ApiKind.CHAT, CHAT, 0), out));
            assertTrue(encoder.counts().endpointErrors.sum() > 0);
            assertFalse(out.hashings == 0);
        }
    }

    private static void awaitChecked(PromptEncoder encoder) {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (encoder.status(TinyModel.NAME).state() == State.PENDING) {
            assertTrue(System.nanoTime() < deadline, "no result of the check");
            Thread.onSpinWait();
        }
    }
}
