package io.penstock.bindings.harness;

/** What made the agent send this request: the role of its last input item. */
public enum InputTrigger {
    /** A person, or the program that calls the agent, said something. */
    USER_MESSAGE("user_message"),
    /** A tool the agent had asked for answered. */
    TOOL_RESULT("tool_result"),
    /** Anything else, also an empty input. */
    OTHER("other");

    private final String wire;

    InputTrigger(String wire) {
        this.wire = wire;
    }

    /** Name in traces and on the wire. */
    public String wire() {
        return wire;
    }
}
