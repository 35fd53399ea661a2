package io.penstock.dataplane.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.bindings.harness.AgentContext;
import io.penstock.bindings.openai.ApiKind;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.pipeline.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * 377 requests of 17 real harnesses through the front: each of the 353 of an API of ours leaves exactly one record, which names the
 * agent as a second implementation of the rules does.
 *
 * <p>{@code requests.json}: method, path, headers and what tells something of the body, as recorded (a prompt's last two
 * messages); session, parent, source, group and input trigger as expected.
 */
class RecordedRequestsTest {
    private static final String ANSWER = "{\"choices\":[{\"index\":0,\"finish_reason\":\"stop\"}],"
            + "\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":3,\"total_tokens\":15}}";
    private static final byte[] ANSWERED = PassThroughTest.join(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + ANSWER.length() + "\r\n\r\n",
            ANSWER.getBytes(UTF_8));

    @Test
    void shouldLeaveOneRecordOfEachThatNamesItsAgent() throws Exception {
        JsonNode rows;
        try (InputStream in = getClass().getResourceAsStream("/harness/requests.json")) {
            rows = new ObjectMapper().readTree(in);
        }
        assertEquals(377, rows.size());
        Set<String> names = new HashSet<>();
        String last = "";
        try (ScriptedEngine engine = ScriptedEngine.answering(ANSWERED);
                FrontFixture fixture = FrontFixture.before(engine);
                RawClient client = fixture.client()) {
            for (JsonNode row : rows) {
                int status = client.send(request(row)).answer().status();
                String which = row.get("scenario").asText() + " turn " + row.get("turn");
                ApiKind kind = ApiKind.ofPath(row.get("path").asText());
                boolean ours = kind != null && row.get("method").asText().equals("POST");
                assertEquals(ours ? 200 : 404, status, which);
                if (ours) {
                    FrontFixture.until("a record", () -> !fixture.placement.traces.isEmpty());
                    TraceRecord record = fixture.placement.traces.removeFirst();
                    assertRecord(row, kind, record, which);
                    assertTrue(names.add(record.requestId), "named twice: " + record.requestId);
                    assertTrue(record.requestId.compareTo(last) > 0, "names sort by time");
                    last = record.requestId;
                }
            }
            assertTrue(fixture.placement.traces.isEmpty(), "one record each");
        }
        assertEquals(353, names.size());
    }

    private static byte[] request(JsonNode row) throws IOException {
        StringBuilder head = new StringBuilder(
                row.get("method").asText() + " " + row.get("path").asText() + " HTTP/1.1\r\nHost: test\r\n");
        for (JsonNode header : row.get("headers")) {
            head.append(header.get(0).asText())
                    .append(": ")
                    .append(header.get(1).asText())
                    .append("\r\n");
        }
        byte[] body = row.get("body").isNull()
                ? new byte[0]
                : row.get("body").toString().getBytes(UTF_8);
        head.append("Content-Length: ").append(body.length).append("\r\n\r\n");
        return PassThroughTest.join(head.toString(), body);
    }

    private static void assertRecord(JsonNode row, ApiKind kind, TraceRecord record, String which) {
        AgentContext agent = record.agent;
        assertEquals(row.get("session").textValue(), agent.session(), which);
        assertEquals(row.get("parent").textValue(), agent.parent(), which);
        assertEquals(row.get("source").textValue(), agent.source().label(), which);
        assertEquals(row.get("group").textValue(), agent.group(), which);
        assertEquals(
                row.get("trigger").textValue(),
                agent.inputTrigger() == null ? null : agent.inputTrigger().wire(),
                which);
        assertEquals(kind.path(), record.api, which);
        assertEquals("tiny", record.model, which);
        assertEquals(Outcome.COMPLETED, record.outcome, which);
        assertEquals(200, record.status, which);
        assertEquals(clientId(row), record.clientRequestId, which);
    }

    private static String clientId(JsonNode row) {
        for (JsonNode header : row.get("headers")) {
            if (header.get(0).asText().equalsIgnoreCase("x-request-id")) {
                return header.get(1).asText();
            }
        }
        return null;
    }
}
