package io.penstock.bindings.kvhint;

/**
 * What became of an action of a hint. A hint is a wish: an engine may do all of it, some, or nothing.
 *
 * <p><b>Threading:</b> immutable.
 */
public enum HintOutcome {
    /** The engine does all of it. */
    ACCEPTED("accepted"),
    /** The engine does a part. */
    CLIPPED("clipped"),
    /** The engine knows the action and leaves it alone. */
    IGNORED("ignored"),
    /** The engine does not know the action, its version, or the envelope's. */
    UNSUPPORTED("unsupported"),
    /** The message does not say what its action needs. */
    REJECTED("rejected");

    private final String label;

    HintOutcome(String label) {
        this.label = label;
    }

    /** Word in messages. */
    public String label() {
        return label;
    }

    /** The outcome of a word, or null. */
    public static HintOutcome of(String label) {
        for (HintOutcome outcome : values()) {
            if (outcome.label.equals(label)) {
                return outcome;
            }
        }
        return null;
    }
}
