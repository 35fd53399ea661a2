package io.penstock.dataplane.timeline;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * One page with all in it: style, script and data, gzip and base64. Nothing is fetched; its policy forbids it, too.
 *
 * <p>Texts from outside are in the data only, never in the markup.
 *
 * <p><b>Threading:</b> stateless.
 */
final class TimelinePage {
    /** In the order in which they need each other. */
    private static final List<String> SCRIPTS = List.of(
            "data.js",
            "text.js",
            "rows.js",
            "view.js",
            "surface.js",
            "overview.js",
            "meters.js",
            "paint.js",
            "frame.js",
            "card.js",
            "search.js",
            "input.js",
            "main.js");

    private TimelinePage() {}

    static void write(Timeline timeline, String source, OutputStream out) throws IOException {
        String page = resource("page.html");
        part(page, "<!--style-->", "<!--script-->", out, resource("page.css"), script(), data(timeline, source));
    }

    private static void part(
            String page, String style, String script, OutputStream out, String css, String js, byte[] data)
            throws IOException {
        int first = page.indexOf(style);
        int second = page.indexOf(script);
        text(out, page.substring(0, first));
        text(out, "<style>\n" + css + "</style>");
        text(out, page.substring(first + style.length(), second));
        text(out, "<script type=\"application/octet-stream\" id=\"data\">");
        out.write(data);
        text(out, "</script>\n<script>\n\"use strict\";\n(() => {\n" + js + "})();\n</script>");
        text(out, page.substring(second + script.length()));
    }

    private static String script() throws IOException {
        StringBuilder all = new StringBuilder();
        for (String name : SCRIPTS) {
            all.append(resource(name)).append('\n');
        }
        return all.toString();
    }

    private static byte[] data(Timeline timeline, String source) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(packed, 1 << 16)) {
            gzip.write(PageData.of(timeline, source));
        }
        return Base64.getEncoder().encode(packed.toByteArray());
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = TimelinePage.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("missing in the program: " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void text(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
