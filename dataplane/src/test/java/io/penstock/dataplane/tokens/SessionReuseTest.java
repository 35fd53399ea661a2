package io.penstock.dataplane.tokens;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.bindings.openai.ApiKind;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.tokens.jinja.PyJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is taken from a session's last prompt never changes the result. */
class SessionReuseTest {
    private static final String[] WORDS = {
        "You",
        " are",
        " helpful",
        "\n",
        "<think>",
        "</think>",
        "<tool_call>",
        "<|im_end|>",
        "<|im_start|>",
        "<|im_",
        "日本",
        "😀",
        " ",
        "  ",
        "{\"city\": \"Paris\"}",
        "weather",
        "\t",
        "0123",
        "é",
        "<",
        "|>",
        "assistant\n",
        "[INST]",
        "[/INST]",
        "]",
        "<|end|>",
        "<|eot|>",
        "<mask>",
        "<s>",
        "x<s",
        "Paris!",
        "city",
        " city ",
        "\u2126",
        "\ufb01"
    };

    @Test
    void shouldEqualFullPassWhenConversationsGrowAndAreEdited() {
        long seed = 20_261_130L;
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        try (PromptEncoder kept = TinyModel.encoder(TinyModel.local(), m -> null);
                PromptEncoder fresh = TinyModel.encoder(TinyModel.local(), m -> null)) {
            for (int session = 1; session <= 40; session++) {
                List<Object> messages = new ArrayList<>();
                for (int turn = 0; turn < 12; turn++) {
                    edit(messages, random);
                    String body = PyJson.dumps(Map.of("messages", messages), false);
                    assertSame(kept, fresh, ApiKind.CHAT, body, session);
                }
            }
            assertTrue(kept.counts().reused.sum() > kept.counts().tokenised.sum() / 4, "reuse happened");
            assertEquals(0, kept.counts().internalErrors.sum());
            assertEquals(0, fresh.counts().reused.sum());
        }
    }

    @Test
    void shouldEqualFullPassWhenAddedTokensHaveEveryAwkwardFlag() {
        long seed = 4_711L;
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        ModelTokens awkward = new ModelTokens(TinyModel.folder("awkward"), null, false, 2_000, true, true, 4);
        try (PromptEncoder kept = TinyModel.encoder(awkward, m -> null);
                PromptEncoder fresh = TinyModel.encoder(awkward, m -> null)) {
            for (int session = 1; session <= 20; session++) {
                List<Object> messages = new ArrayList<>();
                StringBuilder text = new StringBuilder("x");
                for (int turn = 0; turn < 12; turn++) {
                    edit(messages, random);
                    assertSame(kept, fresh, ApiKind.CHAT, PyJson.dumps(Map.of("messages", messages), false), session);
                    text.append(words(random));
                    String body = PyJson.dumps(Map.of("prompt", text.toString()), false);
                    assertSame(kept, fresh, ApiKind.COMPLETIONS, body, 1_000 + session);
                }
            }
            assertTrue(
                    kept.counts().reused.sum() > kept.counts().tokenised.sum() / 4,
                    "reused " + kept.counts().reused.sum() + " tokenised "
                            + kept.counts().tokenised.sum());
        }
    }

    @Test
    void shouldEqualFullPassWhenPlainPromptsChange() {
        long seed = 7L;
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        try (PromptEncoder kept = TinyModel.encoder(TinyModel.local(), m -> null);
                PromptEncoder fresh = TinyModel.encoder(TinyModel.local(), m -> null)) {
            StringBuilder text = new StringBuilder("x");
            for (int turn = 0; turn < 300; turn++) {
                if (random.nextInt(4) == 0) {
                    text.setLength(random.nextInt(text.length()) + 1);
                }
                text.append(words(random));
                String body = PyJson.dumps(Map.of("prompt", text.toString()), false);
                assertSame(kept, fresh, ApiKind.COMPLETIONS, body, 9);
            }
        }
    }

    @Test
    void shouldTokeniseOnlyTheTailWhenPromptOf100KiBGrows() {
        try (PromptEncoder kept = TinyModel.encoder(TinyModel.local(), m -> null);
                PromptEncoder fresh = TinyModel.encoder(TinyModel.local(), m -> null)) {
            List<Object> messages = new ArrayList<>();
            messages.add(message("system", "The user asks about the weather in Paris. ".repeat(2_500)));
            messages.add(message("user", "And now?"));
            String first = PyJson.dumps(Map.of("messages", messages), false);
            assertSame(kept, fresh, ApiKind.CHAT, first, 5);
            assertTrue(first.length() > 100 << 10);
            long before = kept.counts().tokenised.sum();
            messages.add(message("assistant", "Rain."));
            messages.add(message("user", "And tomorrow?"));
            assertSame(kept, fresh, ApiKind.CHAT, PyJson.dumps(Map.of("messages", messages), false), 5);
            long again = kept.counts().tokenised.sum() - before;
            assertTrue(again < 64, "tokens tokenised again: " + again);
            assertTrue(kept.counts().reused.sum() > 5_000);
        }
    }

    @Test
    void shouldKeepLongContextWhenSideQuestionsShareTheSession() {
        try (PromptEncoder kept = TinyModel.encoder(TinyModel.local(), m -> null)) {
            List<Object> messages = new ArrayList<>();
            messages.add(message("system", "helpful assistant ".repeat(2_000)));
            messages.add(message("user", "one"));
            encode(kept, messages, 3);
            encode(kept, List.of(message("user", "Name this chat: ".repeat(50))), 3);
            long before = kept.counts().tokenised.sum();
            messages.add(message("assistant", "two"));
            encode(kept, messages, 3);
            assertTrue(kept.counts().tokenised.sum() - before < 64);
        }
    }

    @Test
    void shouldNotShareWhenAdapterOrSaltDiffers() {
        try (PromptEncoder kept = TinyModel.encoder(TinyModel.local(), m -> null)) {
            String body = PyJson.dumps(Map.of("messages", List.of(message("user", "weather ".repeat(100)))), false);
            RouteRequest plain = TinyModel.request();
            RouteRequest salted = TinyModel.request();
            RouteRequest adapted = TinyModel.request();
            kept.encode(TinyModel.input(ApiKind.CHAT, body, 1), plain);
            kept.encode(TinyModel.input(ApiKind.CHAT, body, 1, "", "tenant"), salted);
            kept.encode(TinyModel.input(ApiKind.CHAT, body, 1, "lora", ""), adapted);
            assertEquals(0, kept.counts().reused.sum());
            assertTrue(plain.sequenceHashes[0][0] != salted.sequenceHashes[0][0]);
            assertTrue(plain.sequenceHashes[0][0] != adapted.sequenceHashes[0][0]);
        }
    }

    @Test
    void shouldStayWithinItsBytesWhenManySessionsCome() {
        long limit = 256 << 10;
        try (PromptEncoder kept =
                PromptEncoder.open(TinyModel.config(TinyModel.local(), limit), m -> null, () -> TinyModel.NOW)) {
            for (int session = 1; session < 200; session++) {
                encode(kept, List.of(message("user", "weather in Paris ".repeat(session * 7 % 300 + 1))), session);
                assertTrue(kept.sessionBytes() <= limit);
            }
            assertTrue(kept.sessionBytes() > limit / 2);
        }
    }

    private static void encode(PromptEncoder encoder, List<Object> messages, long session) {
        String body = PyJson.dumps(Map.of("messages", messages), false);
        assertEquals(
                TokenSource.TOKENIZER,
                encoder.encode(TinyModel.input(ApiKind.CHAT, body, session), TinyModel.request()));
    }

    private static void assertSame(PromptEncoder kept, PromptEncoder fresh, ApiKind api, String body, long session) {
        RouteRequest a = TinyModel.request();
        RouteRequest b = TinyModel.request();
        assertEquals(TokenSource.TOKENIZER, kept.encode(TinyModel.input(api, body, session), a), body);
        assertEquals(TokenSource.TOKENIZER, fresh.encode(TinyModel.input(api, body, 0), b));
        assertEquals(b.promptTokens, a.promptTokens, body);
        assertEquals(2, a.hashings);
        for (int i = 0; i < 2; i++) {
            assertEquals(b.blockCounts[i], a.blockCounts[i]);
            assertArrayEquals(b.sequenceHashes[i], a.sequenceHashes[i], body);
        }
    }

    private static void edit(List<Object> messages, Random random) {
        int kind = random.nextInt(10);
        if (kind == 0 && !messages.isEmpty()) {
            messages.remove(random.nextInt(messages.size()));
        } else if (kind == 1 && !messages.isEmpty()) {
            messages.set(random.nextInt(messages.size()), message("user", words(random)));
        } else if (kind == 2 && !messages.isEmpty()) {
            messages.subList(random.nextInt(messages.size()), messages.size()).clear();
        }
        String[] roles = {"system", "user", "assistant", "tool"};
        messages.add(message(roles[random.nextInt(roles.length)], words(random)));
    }

    private static String words(Random random) {
        StringBuilder out = new StringBuilder();
        for (int n = random.nextInt(40); n > 0; n--) {
            out.append(WORDS[random.nextInt(WORDS.length)]);
        }
        return out.toString();
    }

    private static Map<String, Object> message(String role, String content) {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("role", role);
        out.put("content", content);
        return out;
    }
}
