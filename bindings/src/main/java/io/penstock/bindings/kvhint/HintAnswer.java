package io.penstock.bindings.kvhint;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/**
 * What a receiver made of one action: {@code kv.outcome@1.0}, an action of ours in the same envelope, since the protocol has
 * no answer. Its message id is the receiver's own.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param messageId message that is answered
 * @param actionId action that is answered; empty where the message as a whole was refused
 * @param outcome what became of it
 * @param blocks to how many blocks it was done
 */
public record HintAnswer(String messageId, String actionId, HintOutcome outcome, int blocks) {
    /** Type of the action. */
    public static final String TYPE = "kv.outcome";

    /** Version of the type. */
    public static final String VERSION = "1.0";

    /** Appends the answer as an action called {@code id}. */
    public void encode(HintText out, String id) {
        out.beginAction(id, TYPE, VERSION);
        out.ascii("{\"message_id\":");
        out.string(messageId);
        out.ascii(",\"action_id\":");
        out.string(actionId);
        out.ascii(",\"outcome\":\"");
        out.ascii(outcome.label());
        out.ascii("\",\"blocks\":");
        out.unsigned(blocks);
        out.ascii("}");
        out.endAction();
    }

    /**
     * Reads the payload.
     *
     * @throws RefusedHint in one line, when a field is missing or the outcome is unknown
     */
    public static HintAnswer decode(HintAction action) throws RefusedHint {
        String message = null;
        String of = null;
        String outcome = null;
        int blocks = 0;
        try (JsonParser in = MessageScan.JSON.createParser(action.payload())) {
            in.nextToken();
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                String name = in.currentName();
                JsonToken token = in.nextToken();
                String text = token == JsonToken.VALUE_STRING ? in.getText() : null;
                switch (name) {
                    case "message_id" -> message = text;
                    case "action_id" -> of = text;
                    case "outcome" -> outcome = text;
                    case "blocks" -> blocks = token == JsonToken.VALUE_NUMBER_INT ? in.getIntValue() : 0;
                    default -> in.skipChildren();
                }
            }
        } catch (IOException e) {
            throw RefusedHint.malformed("not read: payload of " + TYPE + " (" + e.getMessage() + ")", null);
        }
        if (message == null || of == null) {
            throw RefusedHint.malformed("missing: message_id or action_id", message);
        }
        HintOutcome known = HintOutcome.of(outcome);
        if (known == null) {
            throw RefusedHint.malformed("unknown: outcome=" + outcome, message);
        }
        return new HintAnswer(message, of, known, Math.max(0, blocks));
    }
}
