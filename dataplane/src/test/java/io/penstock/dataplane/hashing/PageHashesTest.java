package io.penstock.dataplane.hashing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Holds the page hashes against what the engines' own code answers ({@code page-hashes.json}). */
class PageHashesTest {
    private static final JsonNode VECTORS = vectors();

    private static JsonNode vectors() {
        try (InputStream in = PageHashesTest.class.getResourceAsStream("/pool/page-hashes.json")) {
            return new ObjectMapper().readTree(in);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @TestFactory
    Stream<DynamicTest> shouldHashPagesAsSglangDoes() {
        return cases("sglang", c -> {
            PageHasher hasher = ShaPages.of(
                            c.get("pageSize").asInt(), c.get("bigram").asBoolean())
                    .salted(c.get("salt").textValue());
            // An extra key is not among what the front hands down.
            return c.get("extra").isNull() ? hasher : null;
        });
    }

    @TestFactory
    Stream<DynamicTest> shouldHashChunksAsVllmDoes() {
        return cases("vllm", c -> {
            String seed = c.get("seed").isNull()
                    ? ChunkPages.DEFAULT_SEED
                    : c.get("seed").asText();
            return ChunkPages.of(
                            ChunkPages.Algorithm.valueOf(
                                    c.get("algorithm").asText().toUpperCase(Locale.ROOT)),
                            c.get("blockSize").asInt(),
                            c.get("pageSize").asInt(),
                            seed)
                    .salted(c.get("salt").textValue());
        });
    }

    private static Stream<DynamicTest> cases(
            String engine, java.util.function.Function<JsonNode, PageHasher> hasherOf) {
        assertFalse(VECTORS.get(engine).isEmpty());
        List<DynamicTest> tests = new ArrayList<>();
        for (JsonNode c : VECTORS.get(engine)) {
            PageHasher hasher = hasherOf.apply(c);
            if (hasher != null) {
                tests.add(DynamicTest.dynamicTest(c.get("title").asText(), () -> check(hasher, c)));
            }
        }
        return tests.stream();
    }

    private static void check(PageHasher hasher, JsonNode c) {
        int[] tokens = new int[c.get("tokens").size()];
        for (int i = 0; i < tokens.length; i++) {
            tokens[i] = c.get("tokens").get(i).asInt();
        }
        long[] expected = words(c.get("keys"));
        int pages = c.get("keys").size();
        assertEquals(pages, hasher.pages(tokens.length));
        long[] keys = new long[expected.length];
        assertEquals(pages, hasher.chain(tokens, tokens.length, 0, keys));
        assertArrayEquals(expected, keys);
        for (int from = 1; from <= pages; from++) {
            long[] resumed = java.util.Arrays.copyOf(expected, from * 4);
            resumed = java.util.Arrays.copyOf(resumed, expected.length);
            hasher.chain(tokens, tokens.length, from, resumed);
            assertArrayEquals(expected, resumed, "from page " + from);
        }
    }

    private static long[] words(JsonNode keys) {
        long[] all = new long[keys.size() * 4];
        for (int i = 0; i < keys.size(); i++) {
            byte[] bytes = HexFormat.of().parseHex(keys.get(i).asText());
            for (int b = 0; b < bytes.length; b++) {
                all[i * 4 + b / 8] |= (bytes[b] & 0xffL) << (56 - 8 * (b % 8));
            }
        }
        return all;
    }

    @Test
    void shouldHaveNoPageWhenThePromptIsShorter() {
        assertEquals(0, ShaPages.of(64, false).pages(63));
        assertEquals(0, ShaPages.of(64, true).pages(64));
        assertEquals(0, ShaPages.of(1, true).pages(0));
        assertEquals(0, ShaPages.of(64, false).chain(new int[63], 63, 0, new long[0]));
    }

    @Test
    void shouldKeepSaltsApart() {
        int[] tokens = {1, 2, 3, 4};
        long[] plain = new long[8];
        long[] salted = new long[8];
        ShaPages.of(2, false).chain(tokens, 4, 0, plain);
        ShaPages.of(2, false).salted("a").chain(tokens, 4, 0, salted);
        assertFalse(plain[0] == salted[0] || plain[4] == salted[4]);
        ShaPages.of(2, false).salted("a").salted("").chain(tokens, 4, 0, salted);
        assertArrayEquals(plain, salted);
    }

    @Test
    void shouldRefuseWhenSizesCannotBe() {
        assertThrows(IllegalArgumentException.class, () -> ShaPages.of(0, false));
        assertThrows(
                IllegalArgumentException.class,
                () -> ChunkPages.of(ChunkPages.Algorithm.SHA256, 16, 40, ChunkPages.DEFAULT_SEED));
        assertThrows(
                IllegalArgumentException.class,
                () -> ChunkPages.of(ChunkPages.Algorithm.SHA256, 16_384, 16_384, ChunkPages.DEFAULT_SEED));
    }
}
