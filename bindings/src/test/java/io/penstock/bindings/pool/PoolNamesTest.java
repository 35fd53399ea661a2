package io.penstock.bindings.pool;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Holds the layouts against names that the engines' own code made ({@code names.json}). */
class PoolNamesTest {
    private static final JsonNode VECTORS = vectors();

    private static JsonNode vectors() {
        try (InputStream in = PoolNamesTest.class.getResourceAsStream("/pool/names.json")) {
            return new ObjectMapper().readTree(in);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @TestFactory
    Stream<DynamicTest> shouldNameObjectsAsSglangDoes() {
        return cases("sglang", c -> sglang(c).layout());
    }

    @TestFactory
    Stream<DynamicTest> shouldNameObjectsAsVllmDoes() {
        return cases("vllm", c -> vllm(c).layout());
    }

    @TestFactory
    Stream<DynamicTest> shouldReadTheLayoutFromWhatAnEngineSays() {
        List<DynamicTest> tests = new ArrayList<>();
        for (JsonNode c : VECTORS.get("answers")) {
            SglangStorage said = SglangStorage.of(c.get("info"));
            String title = c.get("title").asText();
            if (title.equals("mla dcp")) {
                tests.add(DynamicTest.dynamicTest(
                        title, () -> assertTrue(said.problem().contains("dcp_size=2"))));
                continue;
            }
            tests.add(DynamicTest.dynamicTest(title, () -> {
                assertNull(said.problem());
                assertEquals(64, said.pageSize());
                assertEquals(title.contains("draft"), said.eagle());
                assertEquals(title.contains("window") ? List.of("swa") : List.of(), said.atEndOnly());
                boolean listed = !said.suffixes().isEmpty();
                assertEquals(title.contains("mla"), listed);
                check(listed ? said.listed() : said.derived().layout(), texts(c.get("names")));
            }));
        }
        return tests.stream();
    }

    private static Stream<DynamicTest> cases(
            String family, java.util.function.Function<JsonNode, ObjectLayout> layout) {
        assertFalse(VECTORS.get(family).isEmpty());
        List<DynamicTest> tests = new ArrayList<>();
        for (JsonNode c : VECTORS.get(family)) {
            tests.add(DynamicTest.dynamicTest(
                    c.get("title").asText(), () -> check(layout.apply(c.get("layout")), texts(c.get("names")))));
        }
        return tests.stream();
    }

    private static void check(ObjectLayout layout, List<String> expected) {
        List<String> pages = texts(VECTORS.get("pages"));
        Set<String> named = new TreeSet<>();
        for (String page : pages) {
            boolean isShort = expected.stream().noneMatch(n -> n.contains(page));
            long[] key = new long[6];
            byte[] bytes = HexFormat.of().parseHex(isShort ? page.substring(0, page.length() / 2) : page);
            for (int i = 0; i < bytes.length; i++) {
                key[1 + i / 8] |= (bytes[i] & 0xffL) << (56 - 8 * (i % 8));
            }
            for (int object = 0; object < layout.objectsPerPage(); object++) {
                String name = layout.name(key, 1, object);
                named.add(name);
                long[] read = new long[6];
                java.util.Arrays.fill(read, 1, 5, -1);
                byte[] ascii = ("<" + name + ">").getBytes(StandardCharsets.US_ASCII);
                assertEquals(object, layout.resolve(ascii, 1, ascii.length - 2, read, 1), name);
                assertArrayEquals(key, read, name);
            }
        }
        assertEquals(new TreeSet<>(expected), named, layout.describe());
        assertEquals(pages.size() * layout.objectsPerPage(), named.size());
    }

    static SglangPool sglang(JsonNode c) {
        return new SglangPool(
                c.get("prefix").asText(),
                64,
                c.get("tp").asInt(),
                c.path("pp").asInt(1),
                c.path("mla").asBoolean(),
                c.path("splitTo").asInt(0),
                c.path("dcp").asInt(1),
                c.path("cp").asInt(1),
                c.has("side") ? List.of(SidePool.parse(c.get("side").asText())) : List.of());
    }

    static VllmPool vllm(JsonNode c) {
        List<Integer> groups = new ArrayList<>();
        c.get("groups").forEach(g -> groups.add(g.asInt()));
        return new VllmPool(
                c.get("prefix").asText(),
                c.get("model").asText(),
                c.get("namespace").asText(),
                64,
                c.get("tpRanks").asInt(),
                c.get("pcp").asInt(),
                c.get("dcp").asInt(),
                c.get("pp").asInt(),
                groups,
                c.get("keyBytes").asInt());
    }

    private static List<String> texts(JsonNode array) {
        List<String> all = new ArrayList<>();
        array.forEach(n -> all.add(n.asText()));
        return all;
    }
}
