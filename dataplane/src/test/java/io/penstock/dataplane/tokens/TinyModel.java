package io.penstock.dataplane.tokens;

import io.penstock.bindings.openai.ApiKind;
import io.penstock.dataplane.pipeline.RouteRequest;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Map;

/** The tiny ChatML model of the tests: a byte-level BPE of 365 tokens. */
final class TinyModel {
    static final String NAME = "tiny";
    static final LocalDateTime NOW = LocalDateTime.of(2026, 3, 7, 9, 5, 2);

    private TinyModel() {}

    static String folder() {
        return folder("tiny");
    }

    static String folder(String model) {
        try {
            return Path.of(TinyModel.class
                            .getResource("/tokens/" + model + "/tokenizer.json")
                            .toURI())
                    .getParent()
                    .toString();
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    /** Tokenizer in process, no engine. */
    static ModelTokens local() {
        return new ModelTokens(folder(), null, false, 2_000, true, true, 4);
    }

    static TokensConfig config(ModelTokens model, long sessionCacheBytes) {
        return new TokensConfig(2, 64, sessionCacheBytes, null, ModelTokens.defaults(), Map.of(NAME, model));
    }

    static PromptEncoder encoder(ModelTokens model, EngineUrls engines) {
        return PromptEncoder.open(config(model, 64 << 20), engines, () -> NOW);
    }

    static PromptInput input(ApiKind api, String body, long session) {
        return input(api, body, session, "", "");
    }

    static PromptInput input(ApiKind api, String body, long session, String adapter, String salt) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return new PromptInput(api, bytes, 0, bytes.length, NAME, adapter, salt, session, new int[] {16, 32});
    }

    static RouteRequest request() {
        return new RouteRequest(r -> {});
    }
}
