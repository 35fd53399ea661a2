package io.penstock.bindings.openai;

/**
 * Finds the tool calls among the output items of the Responses API, in a stream's item events and in a whole response.
 *
 * <p>A stream says them three times: when an item is added, when it is done, and in the response at the end. The first one
 * counts; engines have been seen to give the later ones other ids.
 *
 * <p><b>Threading:</b> one thread, one answer.
 */
final class ItemWalk {
    private static final byte[] TYPE = StreamEvents.name("type");
    private static final byte[] CALL_ID = StreamEvents.name("call_id");
    private static final byte[] ID = StreamEvents.name("id");
    private static final byte[] NAME = StreamEvents.name("name");

    private final JsonMembers members;
    private final AnswerEnd end;
    private int itemAt = -1;
    private int position;
    private String type;
    private String callId;
    private String id;
    private String name;
    private boolean streamed;
    private int addedAt = -1;

    ItemWalk(JsonMembers members, AnswerEnd end) {
        this.members = members;
        this.end = end;
    }

    /** A member of an item whose own members are at {@code depth}. */
    void member(int depth) {
        if (members.depth() != depth) {
            return;
        }
        if (members.opened(depth) != itemAt) {
            listed();
            itemAt = members.opened(depth);
        }
        if (members.keyIs(TYPE)) {
            type = members.scalar();
        } else if (members.keyIs(CALL_ID)) {
            callId = members.scalar();
        } else if (members.keyIs(ID)) {
            id = members.scalar();
        } else if (members.keyIs(NAME)) {
            name = members.scalar();
        }
    }

    /** An item event is over: {@code added} or done, at this place of the output. */
    void event(boolean added, int outputIndex) {
        boolean known = !added && addedAt == outputIndex;
        if (isCall() && !known) {
            streamed = true;
            end.call(callId != null ? callId : id, name);
        }
        if (added) {
            addedAt = outputIndex;
        }
        forget();
    }

    /** An item of a whole response is over, or all of them are. */
    void listed() {
        if (itemAt >= 0 && isCall() && !streamed) {
            end.call(0, position, callId != null ? callId : id, name);
            position++;
        }
        forget();
    }

    private void forget() {
        itemAt = -1;
        type = null;
        callId = null;
        id = null;
        name = null;
    }

    /** Calls that the client is to make; those that the server makes itself ({@code web_search_call}) are none. */
    private boolean isCall() {
        return type != null
                && switch (type) {
                    case "function_call",
                            "custom_tool_call",
                            "local_shell_call",
                            "shell_call",
                            "apply_patch_call",
                            "computer_call",
                            "tool_search_call" -> true;
                    default -> false;
                };
    }
}
