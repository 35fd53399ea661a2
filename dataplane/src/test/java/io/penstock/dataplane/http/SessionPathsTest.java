package io.penstock.dataplane.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.bindings.harness.AgentContext;
import io.penstock.bindings.harness.IdentitySource;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.pipeline.Outcome;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The admin port's paths of sessions. */
class SessionPathsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static TraceRecord turn(String session, String parent, String group) {
        TraceRecord record = new TraceRecord();
        record.agent = new AgentContext(session, parent, null, null, Map.of(), IdentitySource.DYNAMO, group);
        record.epochMs = System.currentTimeMillis();
        record.outcome = Outcome.COMPLETED;
        return record;
    }

    @Test
    void shouldListSessionsAndShowOneWithItsChildren() throws Exception {
        try (FrontFixture fixture = FrontFixture.before();
                RawClient admin = fixture.admin()) {
            fixture.sessions.take(turn("a/b c", null, "g h"));
            fixture.sessions.take(turn("sub", "a/b c", "g h"));
            fixture.sessions.take(turn("other", null, null));
            JsonNode all = JSON.readTree(admin.get("/sessions").answer().body());
            assertEquals(3, all.get("known").asInt());
            assertEquals("other", all.at("/sessions/0/session").asText());
            JsonNode one = JSON.readTree(admin.get("/sessions?limit=1&group=g%20h&roots=true")
                    .answer()
                    .body());
            assertEquals(1, one.get("sessions").size());
            assertEquals("a/b c", one.at("/sessions/0/session").asText());
            assertEquals(1, one.at("/sessions/0/children").asInt());
            JsonNode tree =
                    JSON.readTree(admin.get("/sessions/a%2Fb%20c").answer().body());
            assertEquals("sub", tree.at("/children/0/session").asText());
            assertEquals(2, tree.at("/tree/turns").asInt());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/sessions?limit=x, 400, not a number: limit=x",
        "/sessions?group=%zz, 400, not percent-encoded: group=%zz",
        "/sessions/nobody, 404, there is no such session: session=nobody",
        "/sessions/%zz, 400, not percent-encoded: session=%zz"
    })
    void shouldSayWhatIsWrong(String path, int status, String error) throws Exception {
        try (FrontFixture fixture = FrontFixture.before();
                RawClient admin = fixture.admin()) {
            RawClient.Answer answer = admin.get(path).answer();
            assertEquals(status, answer.status());
            assertEquals(error, JSON.readTree(answer.body()).get("error").asText());
            assertEquals(405, admin.post("/sessions", "{}").answer().status());
        }
    }
}
