package io.penstock.dataplane.timeline;

import static io.penstock.dataplane.tail.TraceRecords.calling;
import static io.penstock.dataplane.tail.TraceRecords.request;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.dataplane.tail.ListedJournal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** The page as bytes; what a browser makes of it is {@link TimelinePageLiveTest}'s. */
final class TimelinePageTest {
    private static final long T0 = 1_800_000_000_000L;
    private static final Pattern DATA =
            Pattern.compile("<script type=\"application/octet-stream\" id=\"data\">([A-Za-z0-9+/=]+)</script>");

    private final ListedJournal journal = new ListedJournal();

    private String page() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TimelinePage.write(TimelineBuilder.read(journal.reader(), TimelineRange.ALL), "j</script>", out);
        return out.toString(StandardCharsets.UTF_8);
    }

    private static ByteBuffer data(String page) throws IOException {
        Matcher data = DATA.matcher(page);
        assertTrue(data.find(), "the data block");
        return ByteBuffer.wrap(new GZIPInputStream(
                                new ByteArrayInputStream(Base64.getDecoder().decode(data.group(1))))
                        .readAllBytes())
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    private static JsonNode head(ByteBuffer data) throws IOException {
        return new ObjectMapper().readTree(new String(data.array(), 4, data.getInt(0), StandardCharsets.UTF_8));
    }

    private static int at(ByteBuffer data, JsonNode head, String column) {
        for (JsonNode one : head.path("columns")) {
            if (one.path("name").asText().equals(column)) {
                return 4 + data.getInt(0) + one.path("at").asInt();
            }
        }
        throw new AssertionError("no column " + column);
    }

    @Test
    void shouldHoldTheNumbersInColumnsWhenItIsRead() throws IOException {
        journal.add(calling(request("root", null, T0, 1_000), "c1:Task"))
                .add(request("child", "root", T0 + 1_100, 500))
                .add(request("root", null, T0 + 2_000, 100));
        ByteBuffer data = data(page());
        JsonNode head = head(data);
        assertEquals(0, (4 + data.getInt(0)) % 8, "columns lie aligned");
        assertEquals(T0, head.path("startMs").asLong());
        assertEquals(2_100, head.path("spanMs").asDouble());
        assertEquals("[\"root\",\"child\"]", head.path("sessions").toString());
        int parents = at(data, head, "sessionParent");
        assertEquals(-1, data.getInt(parents));
        assertEquals(0, data.getInt(parents + 4));
        int starts = at(data, head, "requestStart");
        assertEquals(1_100, data.getDouble(starts + 8));
        assertEquals(50, data.getFloat(at(data, head, "requestFirst") + 4));
        assertEquals(750, data.getInt(at(data, head, "requestCached")));
        assertEquals(
                "Task",
                head.path("names")
                        .path(data.getShort(at(data, head, "toolName")))
                        .asText());
        assertEquals(1_000, data.getFloat(at(data, head, "toolTook")));
        assertEquals(0, data.getInt(at(data, head, "toolCaller")));
    }

    @Test
    void shouldKeepOthersTextsOutOfTheMarkupAndAskTheNetworkForNothing() throws IOException {
        journal.add(request("<img src=x onerror=alert(1)></script>", null, T0, 1_000));
        String page = page();
        assertFalse(page.contains("onerror"), "a session's name in the markup");
        assertEquals(2, page.split("</script>", -1).length - 1);
        assertTrue(page.contains("content=\"default-src 'none';"));
        assertFalse(page.contains("http://") || page.contains("https://"), "an address");
    }
}
