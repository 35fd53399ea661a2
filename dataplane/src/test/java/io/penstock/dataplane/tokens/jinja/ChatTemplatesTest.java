package io.penstock.dataplane.tokens.jinja;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Renderings equal those of Python's jinja2 as transformers sets it up; see src/test/python/golden_templates.py. */
class ChatTemplatesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final TypeReference<Map<String, Object>> MAP = new TypeReference<>() {};

    @TestFactory
    List<DynamicTest> shouldRenderAsPythonWhenTemplateIsOfAPublicStyle() throws IOException {
        JsonNode golden = JSON.readTree(resource("golden.json"));
        LocalDateTime now = LocalDateTime.parse(golden.get("now").asText());
        List<DynamicTest> tests = new ArrayList<>();
        for (Map.Entry<String, JsonNode> t : golden.get("rendered").properties()) {
            String source = t.getKey().equals("tiny")
                    ? JSON.readTree(resource("tiny/tokenizer_config.json"))
                            .get("chat_template")
                            .asText()
                    : resource("templates/" + t.getKey() + ".jinja");
            JinjaTemplate template = JinjaTemplate.compile(source, () -> now);
            for (Map.Entry<String, JsonNode> chat : golden.get("chats").properties()) {
                JsonNode want = t.getValue().get(chat.getKey());
                Map<String, Object> variables = variables(golden, chat.getValue());
                tests.add(DynamicTest.dynamicTest(t.getKey() + "/" + chat.getKey(), () -> {
                    if (want.isNull()) {
                        assertThrows(JinjaException.class, () -> template.render(variables));
                    } else {
                        assertEquals(want.asText(), template.render(variables));
                    }
                }));
            }
        }
        return tests;
    }

    @TestFactory
    List<DynamicTest> shouldRenderAsPythonWhenExpressionsAreTakenOneByOne() throws IOException {
        JsonNode golden = JSON.readTree(resource("golden.json"));
        LocalDateTime now = LocalDateTime.parse(golden.get("now").asText());
        Map<String, Object> variables = values(golden.get("vars"));
        List<DynamicTest> tests = new ArrayList<>();
        for (JsonNode snippet : golden.get("snippets")) {
            String source = snippet.get(0).asText();
            tests.add(DynamicTest.dynamicTest(source, () -> {
                if (snippet.get(1).isNull()) {
                    assertThrows(
                            JinjaException.class,
                            () -> JinjaTemplate.compile(source, () -> now).render(variables));
                } else {
                    assertEquals(
                            snippet.get(1).asText(),
                            JinjaTemplate.compile(source, () -> now).render(variables));
                }
            }));
        }
        return tests;
    }

    private static Map<String, Object> variables(JsonNode golden, JsonNode chat) {
        Map<String, Object> out = new LinkedHashMap<>(values(golden.get("specials")));
        out.put("tools", null);
        out.put("documents", null);
        out.put("add_generation_prompt", true);
        Map<String, Object> given = values(chat);
        Object kwargs = given.remove("kwargs");
        out.putAll(given);
        if (kwargs instanceof Map<?, ?> m) {
            m.forEach((k, v) -> out.put((String) k, v));
        }
        return out;
    }

    private static Map<String, Object> values(JsonNode node) {
        return JSON.convertValue(node, MAP);
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = ChatTemplatesTest.class.getResourceAsStream("/tokens/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
