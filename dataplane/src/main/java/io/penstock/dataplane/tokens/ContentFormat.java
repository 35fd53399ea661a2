package io.penstock.dataplane.tokens;

import io.penstock.dataplane.tokens.jinja.JinjaTemplate;

/**
 * How a template wants a message's content: as one text, or as a list of parts. vLLM decides by whether the template
 * loops over a message's content; so do we.
 */
enum ContentFormat {
    /** Parts are joined by newlines. */
    TEXT,
    /** Every content is a list of {@code {"type": "text", "text": ...}}. */
    PARTS;

    /** The format that a template asks for. */
    static ContentFormat of(JinjaTemplate template) {
        return template.loopsOverContent() ? PARTS : TEXT;
    }
}
