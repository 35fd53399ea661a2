package io.penstock.bindings.kvhint;

import java.util.List;

/**
 * A KvHint in envelope 0.1: actions of any type, told apart by type and version.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param id name of the message, of the sender's making
 * @param actions in the sender's order
 */
public record HintMessage(String id, List<HintAction> actions) {
    /** Version of the envelope. */
    public static final String PROTOCOL_VERSION = "0.1";

    /** Copies the list. */
    public HintMessage {
        actions = List.copyOf(actions);
    }

    /**
     * Reads a message.
     *
     * @throws RefusedHint in one line, see there
     */
    public static HintMessage decode(byte[] json, int offset, int length) throws RefusedHint {
        return new MessageScan(json, offset, length).read();
    }

    /** Appends the message; actions that this side does not know leave as they came. */
    public void encode(HintText out) {
        out.beginMessage(id);
        for (HintAction action : actions) {
            out.beginAction(action.id(), action.type(), action.version());
            out.raw(action.payload());
            out.endAction();
        }
        out.endMessage();
    }
}
