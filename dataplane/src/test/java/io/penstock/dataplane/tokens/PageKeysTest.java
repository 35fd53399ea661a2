package io.penstock.dataplane.tokens;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.bindings.openai.ApiKind;
import io.penstock.dataplane.hashing.ChunkPages;
import io.penstock.dataplane.hashing.PageHasher;
import io.penstock.dataplane.hashing.PoolPages;
import io.penstock.dataplane.hashing.ShaPages;
import io.penstock.dataplane.pipeline.RouteRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is taken from a session's earlier pages never changes the keys. */
class PageKeysTest {
    private static final String MODEL = "m";

    private final TokenCounts counts = new TokenCounts();

    private PageKeys keys(long limitBytes) {
        return new PageKeys(new SessionPages(limitBytes), counts);
    }

    private RouteRequest add(PageKeys pages, int[] tokens, long session, String salt, int... blockSizes) {
        RouteRequest out = TinyModel.request();
        PromptInput in = input(tokens, session, "", salt, blockSizes);
        new TokenisedPrompt(new SessionPrompts(0), pages, counts).ids(tokens, tokens.length, in, out);
        return out;
    }

    private static PromptInput input(int[] tokens, long session, String adapter, String salt, int... blockSizes) {
        return new PromptInput(
                ApiKind.COMPLETIONS, new byte[0], 0, 0, MODEL, adapter, salt, session, blockSizes, tokens, false);
    }

    private static int[] tokens(Random random, int count) {
        return random.ints(count, 0, 150_000).toArray();
    }

    private static long[] fresh(PageHasher hasher, int[] tokens, String salt) {
        long[] out = new long[hasher.pages(tokens.length) * 4];
        hasher.salted(salt).chain(tokens, tokens.length, 0, out);
        return out;
    }

    @Test
    void shouldEqualFreshKeysWhenPromptsGrowShrinkAndFork() {
        long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        Random random = new Random(seed);
        for (PageHasher hasher : List.of(
                ShaPages.of(24, false),
                ShaPages.of(24, true),
                ShaPages.of(1, true),
                ChunkPages.of(ChunkPages.Algorithm.SHA256_CBOR, 8, 24, ChunkPages.DEFAULT_SEED),
                ChunkPages.of(ChunkPages.Algorithm.XXHASH, 16, 16, "0"))) {
            PageKeys pages = keys(200_000);
            pages.follow(model -> new PoolPages(3, hasher));
            int[][] prompts = new int[5][];
            Arrays.setAll(prompts, i -> tokens(random, 300));
            for (int step = 0; step < 300; step++) {
                int who = random.nextInt(prompts.length);
                int kept = random.nextInt(prompts[who].length + 1);
                int[] more = tokens(random, random.nextInt(200));
                int[] next = Arrays.copyOf(prompts[who], Math.min(2_000, kept + more.length));
                System.arraycopy(more, 0, next, kept, next.length - kept);
                prompts[who] = next;
                String salt = random.nextInt(4) == 0 ? "salt" : "";
                RouteRequest out = add(pages, next, 1 + who % 3, salt, 16, 8);
                long[] expected = fresh(hasher, next, salt);
                assertEquals(expected.length == 0 ? 0 : 1, out.poolings, "seed=" + seed);
                if (expected.length > 0) {
                    assertArrayEquals(expected, out.pageKeys[0], "seed=" + seed + " step=" + step);
                    assertEquals(3, out.pools[0]);
                    assertEquals(hasher.pageSize(), out.pageSizes[0]);
                    assertEquals(expected.length / 4, out.pageCounts[0]);
                }
            }
        }
        assertTrue(counts.pagesReused.sum() > 1_000, "reused=" + counts.pagesReused.sum());
    }

    @Test
    void shouldHashOnlyNewPagesWhenASessionsPromptGrows() {
        PageKeys pages = keys(1 << 20);
        PoolPages pool = new PoolPages(0, ShaPages.of(64, false));
        pages.follow(model -> pool);
        int[] prompt = tokens(new Random(1), 6_400);
        add(pages, Arrays.copyOf(prompt, 3_200), 7, "", 16);
        assertEquals(50, counts.pagesHashed.sum());
        RouteRequest grown = add(pages, prompt, 7, "", 16);
        assertEquals(100, counts.pagesHashed.sum());
        assertEquals(50, counts.pagesReused.sum());
        RouteRequest again = add(pages, prompt, 7, "", 16);
        assertSame(grown.pageKeys[0], again.pageKeys[0]);
        assertEquals(100, counts.pagesHashed.sum());
        add(pages, prompt, 8, "", 16);
        assertEquals(200, counts.pagesHashed.sum(), "another session");
        add(pages, prompt, 7, "salt", 16);
        assertEquals(300, counts.pagesHashed.sum(), "another salt");
    }

    @Test
    void shouldKeepTheLongContextWhenASideQuestionComesBetween() {
        PageKeys pages = keys(1 << 20);
        PoolPages pool = new PoolPages(0, ShaPages.of(64, false));
        pages.follow(model -> pool);
        Random random = new Random(2);
        int[] context = tokens(random, 6_400);
        add(pages, context, 7, "", 16);
        for (int i = 0; i < 10; i++) {
            int[] side = Arrays.copyOf(context, 640);
            System.arraycopy(tokens(random, 320), 0, side, 320, 320);
            add(pages, side, 7, "", 16);
            long before = counts.pagesHashed.sum();
            add(pages, context, 7, "", 16);
            assertEquals(before, counts.pagesHashed.sum());
        }
    }

    @Test
    void shouldForgetWhenTheLayoutIsAnother() {
        PageKeys pages = keys(1 << 20);
        int[] prompt = tokens(new Random(3), 640);
        for (PageHasher hasher : List.of(ShaPages.of(64, false), ShaPages.of(64, true), ShaPages.of(32, false))) {
            pages.follow(model -> new PoolPages(0, hasher));
            assertArrayEquals(fresh(hasher, prompt, ""), add(pages, prompt, 1, "", 16).pageKeys[0]);
        }
        assertEquals(0, counts.pagesReused.sum());
    }

    @Test
    void shouldHashNothingWhenTheModelHasNoPool() {
        PageKeys pages = keys(1 << 20);
        int[] prompt = tokens(new Random(4), 100_000);
        assertEquals(0, add(pages, prompt, 1, "", 16).poolings);
        pages.follow(model -> model.equals("other") ? new PoolPages(0, ShaPages.of(64, false)) : null);
        assertEquals(0, add(pages, prompt, 1, "", 16).poolings);
        assertFalse(pages.areCostly(input(prompt, 1, "", "", 16)));
        assertEquals(0, counts.pagesHashed.sum());
    }

    @Test
    void shouldGiveNoKeysWhenAnAdapterIsNamed() {
        PageKeys pages = keys(1 << 20);
        pages.follow(model -> new PoolPages(0, ShaPages.of(64, false)));
        RouteRequest out = TinyModel.request();
        int[] prompt = tokens(new Random(5), 640);
        new TokenisedPrompt(new SessionPrompts(0), pages, counts)
                .ids(prompt, prompt.length, input(prompt, 1, "tuned", "", 16), out);
        assertEquals(0, out.poolings);
        assertEquals(1, counts.pagesUnkeyed.sum());
    }

    @Test
    void shouldGiveNoKeysWhenMoreThanTokensTellCachesApart() {
        PageKeys pages = keys(1 << 20);
        pages.follow(model -> new PoolPages(0, ShaPages.of(64, false)));
        RouteRequest out = TinyModel.request();
        int[] prompt = tokens(new Random(8), 640);
        PromptInput in =
                new PromptInput(ApiKind.COMPLETIONS, new byte[0], 0, 0, MODEL, "", "", 1, new int[] {16}, prompt, true);
        new TokenisedPrompt(new SessionPrompts(0), pages, counts).ids(prompt, prompt.length, in, out);
        assertEquals(0, out.poolings);
        assertEquals(1, counts.pagesUnkeyed.sum());
    }

    @Test
    void shouldStayWithinItsBytesWhenSessionsAreMany() {
        SessionPages kept = new SessionPages(20_000);
        PageKeys pages = new PageKeys(kept, counts);
        PoolPages pool = new PoolPages(0, ShaPages.of(64, false));
        pages.follow(model -> pool);
        Random random = new Random(6);
        for (int session = 1; session < 200; session++) {
            add(pages, tokens(random, 64 * random.nextInt(1, 30)), session, "", 16);
            assertTrue(kept.bytes() <= 20_000);
        }
        assertTrue(kept.bytes() > 5_000);
    }

    @Test
    void shouldLeaveLongPromptsToAWorkerWhenPagesAreKeyed() {
        try (PromptEncoder encoder = PromptEncoder.open(TokensConfig.defaults(), model -> null)) {
            int[] prompt = tokens(new Random(7), PageKeys.MOST_AT_ONCE + 1);
            assertTrue(encoder.encodeAtOnce(input(prompt, 0, "", "", 16), TinyModel.request()));
            encoder.keyPages(model -> new PoolPages(0, ShaPages.of(64, false)));
            RouteRequest out = TinyModel.request();
            assertFalse(encoder.encodeAtOnce(input(prompt, 0, "", "", 16), out));
            assertEquals(0, out.hashings);
            encoder.encode(input(prompt, 0, "", "", 16), out);
            assertEquals(PageKeys.MOST_AT_ONCE / 64, out.pageCounts[0]);
            int[] shorter = Arrays.copyOf(prompt, 640);
            RouteRequest quick = TinyModel.request();
            assertTrue(encoder.encodeAtOnce(input(shorter, 0, "", "", 16), quick));
            assertEquals(10, quick.pageCounts[0]);
        }
    }

    @Test
    void shouldGiveNoKeysWhenTheTokensAreNotTheEngines() {
        try (PromptEncoder encoder = PromptEncoder.open(TokensConfig.defaults(), model -> null)) {
            encoder.keyPages(model -> new PoolPages(0, ShaPages.of(1, false)));
            RouteRequest out = TinyModel.request();
            String body = "{\"messages\":[{\"role\":\"user\",\"content\":\"" + "word ".repeat(400) + "\"}]}";
            assertEquals(TokenSource.TEXT_CHUNKS, encoder.encode(TinyModel.input(ApiKind.CHAT, body, 1), out));
            assertEquals(0, out.poolings);
            assertNull(out.pageKeys[0]);
        }
    }

    @Test
    void shouldKeyRenderedPromptsWhenTheirTextGrows() {
        PageHasher hasher = ShaPages.of(16, false);
        PoolPages pool = new PoolPages(0, hasher);
        try (PromptEncoder kept = TinyModel.encoder(TinyModel.local(), m -> null);
                PromptEncoder fresh = TinyModel.encoder(TinyModel.local(), m -> null)) {
            kept.keyPages(model -> pool);
            fresh.keyPages(model -> pool);
            StringBuilder messages = new StringBuilder();
            for (int turn = 0; turn < 12; turn++) {
                messages.append(turn == 0 ? "" : ",")
                        .append("{\"role\":\"")
                        .append(turn % 2 == 0 ? "user" : "assistant")
                        .append("\",\"content\":\"the weather in Paris at noon ")
                        .append(turn)
                        .append("\"}");
                String body = "{\"messages\":[" + messages + "]}";
                RouteRequest one = TinyModel.request();
                RouteRequest other = TinyModel.request();
                kept.encode(TinyModel.input(ApiKind.CHAT, body, 9), one);
                fresh.encode(TinyModel.input(ApiKind.CHAT, body, 0), other);
                assertEquals(1, one.poolings);
                assertArrayEquals(other.pageKeys[0], one.pageKeys[0]);
            }
            assertTrue(
                    kept.counts().pagesReused.sum() > kept.counts().pagesHashed.sum());
            assertEquals(0, fresh.counts().pagesReused.sum());
        }
    }
}
