package io.penstock.dataplane.tokens;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.penstock.bindings.openai.ApiKind;
import io.penstock.dataplane.pipeline.RouteRequest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hashes that traces carry, against the answers of Dynamo's own binding. */
class TraceHashesTest {

    private static RouteRequest hashed(int[] tokens, int blockSize, String adapter, String salt) {
        RouteRequest out = TinyModel.request();
        PromptInput in = new PromptInput(
                ApiKind.COMPLETIONS, new byte[0], 0, 0, "m", adapter, salt, 0, new int[] {blockSize}, tokens, false);
        TokenCounts counts = new TokenCounts();
        PageKeys pages = new PageKeys(new SessionPages(0), counts);
        new TokenisedPrompt(new SessionPrompts(0), pages, counts).ids(tokens, tokens.length, in, out);
        return out;
    }

    /** Trace hashes of all blocks, the partial one last, as unsigned decimals. */
    static String traces(RouteRequest request, int hashing) {
        int full = request.blockCounts[hashing];
        long[] from = request.traceHashes[hashing];
        long[] all = Arrays.copyOf(from == null ? request.sequenceHashes[hashing] : from, full);
        if (request.promptTokens % request.blockSizes[hashing] != 0) {
            all = Arrays.copyOf(all, full + 1);
            all[full] = request.partialHashes[hashing];
        }
        return String.join(
                " ", Arrays.stream(all).mapToObj(Long::toUnsignedString).toList());
    }

    @ParameterizedTest
    @CsvSource({
        "1..3, 2, 10773075109927122010 17466410656762125515",
        "1..4, 2, 10773075109927122010 5890102321129957602",
        "1..6, 2, 10773075109927122010 5890102321129957602 3801924459721183657",
        "0..63, 64, 3480597578098033343",
        "0..127, 64, 3480597578098033343 2575318956255022795",
        "0..129, 64, 3480597578098033343 2575318956255022795 6999238864313042084",
        "7..7, 16, 11011797887259449313"
    })
    void shouldEqualTheKnownAnswersAlsoUnderAdapterAndSalt(String range, int blockSize, String expected) {
        String[] ends = range.split("\\.\\.");
        int[] tokens = IntStream.rangeClosed(Integer.parseInt(ends[0]), Integer.parseInt(ends[1]))
                .toArray();
        RouteRequest plain = hashed(tokens, blockSize, null, null);
        assertNull(plain.traceHashes[0], "the sequence hashes serve");
        assertEquals(expected, traces(plain, 0));
        assertEquals(expected, traces(hashed(tokens, blockSize, "lora", null), 0));
        RouteRequest salted = hashed(tokens, blockSize, null, "tenant");
        assertEquals(expected, traces(salted, 0));
        if (salted.blockCounts[0] > 0) {
            assertNotEquals(salted.traceHashes[0][0], salted.sequenceHashes[0][0]);
        }
    }

    @Test
    void shouldEqualTheKnownAnswerWhenBlocksRepeat() {
        assertEquals(
                "10773075109927122010 8239003849983528482", traces(hashed(new int[] {1, 2, 1, 2}, 2, null, null), 0));
        assertEquals("", traces(hashed(new int[0], 2, null, null), 0));
    }

    @Test
    void shouldEqualFullPassWhenASaltedSessionGrows() {
        PromptEncoder encoder = TinyModel.encoder(TinyModel.local(), model -> null);
        try (encoder) {
            StringBuilder text = new StringBuilder("You are helpful. ");
            for (int turn = 0; turn < 6; turn++) {
                text.append("<|im_start|>user\nWhat is the weather in Paris? ")
                        .append(turn)
                        .append("<|im_end|>");
                String body = "{\"prompt\":\"" + text.toString().replace("\n", "\\n") + "\"}";
                RouteRequest kept = TinyModel.request();
                RouteRequest fresh = TinyModel.request();
                encoder.encode(TinyModel.input(ApiKind.COMPLETIONS, body, 77, "", "tenant"), kept);
                encoder.encode(TinyModel.input(ApiKind.COMPLETIONS, body, 0, "", ""), fresh);
                for (int i = 0; i < 2; i++) {
                    assertEquals(traces(fresh, i), traces(kept, i), "turn " + turn);
                }
            }
        }
    }

    @Test
    void shouldHashTheLastChunksWhenOnlyTextIsKnown() {
        byte[] body = "{\"prompt\":\"abcdefghijklmnopqrstuvwxyz\"}".getBytes(StandardCharsets.UTF_8);
        RouteRequest plain = TinyModel.request();
        RouteRequest salted = TinyModel.request();
        try (PromptEncoder encoder = PromptEncoder.open(TokensConfig.defaults(), model -> null)) {
            for (RouteRequest each : new RouteRequest[] {plain, salted}) {
                String salt = each == plain ? null : "tenant";
                encoder.encode(
                        new PromptInput(
                                ApiKind.COMPLETIONS, body, 0, body.length, "m", null, salt, 0, new int[] {2, 4}),
                        each);
            }
        }
        assertEquals(false, plain.exact);
        for (int i = 0; i < 2; i++) {
            assertEquals(traces(plain, i), traces(salted, i));
            int blocks = (plain.promptTokens + plain.blockSizes[i] - 1) / plain.blockSizes[i];
            assertEquals(blocks, traces(plain, i).split(" ").length);
        }
        assertArrayEquals(new int[] {2, 4}, Arrays.copyOf(plain.blockSizes, 2));
    }
}
