package io.penstock.bindings.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

/**
 * 377 requests of 17 real harnesses against the identities that a second implementation of the rules gives them.
 *
 * <p>{@code identities.json}: headers and body names as recorded; session, parent, source and group as expected.
 */
class RecordedHarnessesTest {

    @Test
    void shouldIdentifyEveryRequestWhenHeadersAreAsRecorded() throws IOException {
        JsonNode rows;
        try (InputStream in = getClass().getResourceAsStream("/harness/identities.json")) {
            rows = new ObjectMapper().readTree(in);
        }
        assertEquals(377, rows.size());
        for (JsonNode row : rows) {
            HeaderFields fields = field -> row.get("headers")
                    .forEach(pair ->
                            field.accept(pair.get(0).textValue(), pair.get(1).textValue()));
            BodyIdentity body =
                    new BodyIdentity(text(row, "promptCacheKey"), text(row, "clientSession"), text(row, "userId"));
            AgentContext context = AgentContext.of(fields, InputTrigger.OTHER, body);
            String which = text(row, "scenario") + " turn " + row.get("turn");
            assertEquals(text(row, "session"), context.session(), which);
            assertEquals(text(row, "parent"), context.parent(), which);
            assertEquals(text(row, "source"), context.source().label(), which);
            assertEquals(text(row, "group"), context.group(), which);
        }
    }

    private static String text(JsonNode row, String name) {
        return row.get(name).textValue();
    }
}
