package io.penstock.bindings.kvhint;

/**
 * A hint that is not taken in, with the reason in one line. What SGLang refuses is refused: missing fields, a payload that is
 * not an object, another version of the envelope.
 *
 * <p><b>Threading:</b> immutable.
 */
public final class RefusedHint extends Exception {
    private static final long serialVersionUID = 1;

    /** The message's id where it could be read, or null. */
    private final String messageId;

    /** Whether the envelope is of another version, which may be right in itself. */
    private final boolean otherVersion;

    RefusedHint(String why, String messageId, boolean otherVersion) {
        super(why, null, false, false);
        this.messageId = messageId;
        this.otherVersion = otherVersion;
    }

    static RefusedHint malformed(String why, String messageId) {
        return new RefusedHint(why, messageId, false);
    }

    /** The message's id, to answer it; null where it could not be read. */
    public String messageId() {
        return messageId;
    }

    /** What its sender is told. */
    public HintOutcome outcome() {
        return otherVersion ? HintOutcome.UNSUPPORTED : HintOutcome.REJECTED;
    }
}
