package io.penstock.dataplane.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.dataplane.hints.RequestHints;
import io.penstock.dataplane.pipeline.RouteRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Hints in requests as the engine gets them, and clients' own. */
class HintInRequestTest {
    private static final String HINT = "{\"protocol_version\":\"0.1\",\"message_id\":\"p-1\",\"actions\":[]}";
    private static final byte[] OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".getBytes(StandardCharsets.UTF_8);
    private static final String FORGED =
            "{\"model\":\"tiny\",\"prompt\":[1,2],\"kv_hints\":[1],\"kv_transfer_params\":{\"kv_hint\":{\"a\":1},\"x\":3},\"router_hint\":\"z\"}";

    private final List<Boolean> asked = new ArrayList<>();

    private final RequestHints hints = new RequestHints() {
        @Override
        public boolean ours() {
            return true;
        }

        @Override
        public byte[] message(RouteRequest decided, boolean takes) {
            asked.add(takes);
            return takes ? HINT.getBytes(StandardCharsets.UTF_8) : null;
        }
    };

    private static JsonNode seen(FrontFixture front, ScriptedEngine engine, String path, String body) throws Exception {
        try (RawClient client = front.client()) {
            assertEquals(200, client.post(path, body).answer().status());
        }
        return new ObjectMapper().readTree(engine.requests.getLast().text());
    }

    @Test
    void shouldPutTheHintWhereDynamosWorkersLook() throws Exception {
        try (ScriptedEngine engine = ScriptedEngine.answering(OK);
                FrontFixture front = FrontFixture.before(engine)) {
            front.hints = hints;
            JsonNode body = seen(front, engine, "/v1/completions", "{\"model\":\"tiny\",\"prompt\":[1,2] } ");
            assertEquals(new ObjectMapper().readTree(HINT), body.at("/kv_transfer_params/kv_hint"));
            assertEquals(2, body.get("prompt").size());
            assertEquals(List.of(true), asked);
        }
    }

    @Test
    void shouldTakeClientsHintsOutAndLeaveTheirTransferParametersAlone() throws Exception {
        try (ScriptedEngine engine = ScriptedEngine.answering(OK);
                FrontFixture front = FrontFixture.before(engine)) {
            front.hints = hints;
            JsonNode body = seen(front, engine, "/v1/completions", FORGED);
            assertTrue(body.get("kv_hints").isNull());
            assertTrue(body.get("router_hint").isNull());
            assertTrue(body.at("/kv_transfer_params/kv_hint").isNull());
            assertEquals(3, body.at("/kv_transfer_params/x").intValue());
            assertEquals(List.of(false), asked);
        }
    }

    @Test
    void shouldPassBodiesOnAsTheyAreWithoutHints() throws Exception {
        try (ScriptedEngine engine = ScriptedEngine.answering(OK);
                FrontFixture front = FrontFixture.before(engine)) {
            assertEquals(new ObjectMapper().readTree(FORGED), seen(front, engine, "/v1/completions", FORGED));
        }
    }

    @Test
    void shouldGiveNoHintToAnApiThatHasNoPlaceForIt() throws Exception {
        try (ScriptedEngine engine = ScriptedEngine.answering(OK);
                FrontFixture front = FrontFixture.before(engine)) {
            front.hints = hints;
            JsonNode body = seen(front, engine, "/v1/embeddings", "{\"model\":\"tiny\",\"input\":[1,2]}");
            assertNull(body.get("kv_transfer_params"));
            assertFalse(asked.contains(true));
        }
    }
}
