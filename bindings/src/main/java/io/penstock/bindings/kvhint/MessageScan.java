package io.penstock.bindings.kvhint;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads one message; fields that the envelope does not name are passed over.
 *
 * <p><b>Threading:</b> one thread, one use.
 */
final class MessageScan {
    /** Interning would put peers' key names into the JVM's own table. */
    static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    private final byte[] json;
    private final int offset;
    private final int length;
    private final List<HintAction> actions = new ArrayList<>(1);
    private String version;
    private String id;
    private boolean hasActions;

    MessageScan(byte[] json, int offset, int length) {
        this.json = json;
        this.offset = offset;
        this.length = length;
    }

    HintMessage read() throws RefusedHint {
        try (JsonParser in = JSON.createParser(json, offset, length)) {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                throw RefusedHint.malformed("not a JSON object", null);
            }
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                field(in, in.currentName());
            }
            if (in.nextToken() != null) {
                throw RefusedHint.malformed("more than one JSON value", id);
            }
        } catch (IOException e) {
            throw RefusedHint.malformed("not JSON: " + e.getClass().getSimpleName(), id);
        }
        require("protocol_version", version != null);
        if (!version.equals(HintMessage.PROTOCOL_VERSION)) {
            throw new RefusedHint("another envelope: protocol_version=" + version, id, true);
        }
        require("message_id", id != null);
        require("actions", hasActions);
        return new HintMessage(id, actions);
    }

    private void field(JsonParser in, String name) throws IOException, RefusedHint {
        JsonToken token = in.nextToken();
        switch (name) {
            case "protocol_version" -> version = text(in, token);
            case "message_id" -> id = text(in, token);
            case "actions" -> {
                hasActions = token == JsonToken.START_ARRAY;
                actions.clear();
                while (hasActions && in.nextToken() != JsonToken.END_ARRAY) {
                    action(in);
                }
                skip(in, token);
            }
            default -> skip(in, token);
        }
    }

    private void action(JsonParser in) throws IOException, RefusedHint {
        if (in.currentToken() != JsonToken.START_OBJECT) {
            throw RefusedHint.malformed("not an object: actions[" + actions.size() + "]", id);
        }
        String actionId = null;
        String type = null;
        String actionVersion = null;
        byte[] payload = null;
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String name = in.currentName();
            JsonToken token = in.nextToken();
            switch (name) {
                case "action_id" -> actionId = text(in, token);
                case "action_type" -> type = text(in, token);
                case "action_version" -> actionVersion = text(in, token);
                case "payload" -> payload = payload(in, token);
                default -> skip(in, token);
            }
        }
        require("action_id", actionId != null);
        require("action_type", type != null);
        require("action_version", actionVersion != null);
        require("payload", payload != null);
        actions.add(new HintAction(actionId, type, actionVersion, payload));
    }

    private byte[] payload(JsonParser in, JsonToken token) throws IOException, RefusedHint {
        if (token != JsonToken.START_OBJECT) {
            throw RefusedHint.malformed("not an object: payload", id);
        }
        int from = (int) in.currentTokenLocation().getByteOffset();
        in.skipChildren();
        return Arrays.copyOfRange(
                json, offset + from, offset + (int) in.currentLocation().getByteOffset());
    }

    private static String text(JsonParser in, JsonToken token) throws IOException {
        if (token == JsonToken.VALUE_STRING) {
            return in.getText();
        }
        skip(in, token);
        return null;
    }

    private static void skip(JsonParser in, JsonToken token) throws IOException {
        if (token == JsonToken.START_OBJECT || in.currentToken() == JsonToken.START_ARRAY) {
            in.skipChildren();
        }
    }

    private void require(String name, boolean there) throws RefusedHint {
        if (!there) {
            throw RefusedHint.malformed("missing, or not a text: " + name, id);
        }
    }
}
