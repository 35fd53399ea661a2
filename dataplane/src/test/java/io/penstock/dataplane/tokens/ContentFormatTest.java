package io.penstock.dataplane.tokens;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.dataplane.tokens.jinja.JinjaTemplate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContentFormatTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "TEXT ; {% for m in messages %}{{ m.content }}{% endfor %}",
                "PARTS ; {% for m in messages %}{% for c in m.content %}{{ c.text }}{% endfor %}{% endfor %}",
                "PARTS ; {%- for m in messages[1:] -%}{%- for c in m['content'] | list -%}{% endfor %}{% endfor %}",
                "PARTS ; {% set rest = messages[1:] %}{% for m in rest %}{% for c in m['content'] if c.type %}{% endfor %}{% endfor %}",
                "PARTS ; {% set a = messages %}{% set b = a[1:] %}{% for m in b %}{% for c in m.content %}{% endfor %}{% endfor %}",
                "TEXT ; {% for t in tools %}{% for c in t.content %}{% endfor %}{% endfor %}{% for m in messages %}{{ m.content }}{% endfor %}",
                "TEXT ; {% for m in messages %}{% for c in m.tool_calls %}{% endfor %}{% endfor %}",
            })
    void shouldAskForPartsWhenTheTemplateLoopsOverAContent(ContentFormat format, String template) {
        assertEquals(format, ContentFormat.of(JinjaTemplate.compile(template, () -> TinyModel.NOW)));
    }
}
