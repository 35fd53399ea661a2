package io.penstock.bindings.openai;

import java.util.Arrays;

/**
 * Finds, on a walk over the members of a chunk or a body, how each choice ended and which tools it calls.
 *
 * <p>Members may come in any order, so what a choice or a call says is gathered and told when its object is over. Depths
 * are those of OpenAI's chat and completions: choices at 3, {@code tool_calls} of a {@code delta} or {@code message} at 6,
 * their {@code function} at 7.
 *
 * <p><b>Threading:</b> one thread, one answer.
 */
final class ChoiceWalk {
    private static final int CHOICE = 3;
    private static final int PART = 4;
    private static final int CALL = 6;
    private static final int FUNCTION = 7;
    private static final byte[] INDEX = StreamEvents.name("index");
    private static final byte[] FINISH_REASON = StreamEvents.name("finish_reason");
    private static final byte[] STOP_REASON = StreamEvents.name("stop_reason");
    private static final byte[] MATCHED_STOP = StreamEvents.name("matched_stop");
    private static final byte[] TOOL_CALLS = StreamEvents.name("tool_calls");
    private static final byte[] FUNCTION_KEY = StreamEvents.name("function");
    private static final byte[] ID = StreamEvents.name("id");
    private static final byte[] NAME = StreamEvents.name("name");

    /** What one call object said. */
    private static final class Call {
        int index;
        String id;
        String name;
    }

    private final JsonMembers members;
    private final AnswerEnd end;
    private Call[] gathered = {new Call(), new Call()};
    private int callCount;
    private int choiceAt;
    private int callAt;
    private int index;
    private String finishReason;
    private String stopReason;
    private boolean inCalls;
    private boolean inFunction;

    ChoiceWalk(JsonMembers members, AnswerEnd end) {
        this.members = members;
        this.end = end;
    }

    /** Another chunk begins. */
    void begin() {
        choiceAt = -1;
        index = -1;
    }

    /** A member somewhere within {@code choices}. */
    void member(int depth) {
        if (depth < CHOICE) {
            return;
        }
        if (members.opened(CHOICE) != choiceAt) {
            int last = index;
            over();
            choiceAt = members.opened(CHOICE);
            index = last + 1;
        }
        switch (depth) {
            case CHOICE -> choice();
            case PART -> inCalls = members.keyIs(TOOL_CALLS);
            case CALL -> call();
            case FUNCTION -> {
                if (inCalls && inFunction && members.keyIs(NAME)) {
                    gathered[callCount - 1].name = members.scalar();
                }
            }
            default -> {}
        }
    }

    private void choice() {
        inCalls = false;
        if (members.keyIs(INDEX)) {
            index = members.number(index);
        } else if (members.keyIs(FINISH_REASON)) {
            finishReason = members.scalar();
        } else if (members.keyIs(STOP_REASON) || members.keyIs(MATCHED_STOP)) {
            stopReason = members.scalar();
        }
    }

    private void call() {
        if (!inCalls) {
            return;
        }
        if (members.opened(CALL) != callAt) {
            callAt = members.opened(CALL);
            begun();
        }
        Call call = gathered[callCount - 1];
        inFunction = members.keyIs(FUNCTION_KEY);
        if (members.keyIs(INDEX)) {
            call.index = members.number(call.index);
        } else if (members.keyIs(ID)) {
            call.id = members.scalar();
        }
    }

    private void begun() {
        if (callCount == gathered.length) {
            gathered = Arrays.copyOf(gathered, callCount * 2);
            for (int i = callCount; i < gathered.length; i++) {
                gathered[i] = new Call();
            }
        }
        Call call = gathered[callCount];
        call.index = callCount++;
        call.id = null;
        call.name = null;
    }

    /** The choice's object, or all of them, are over. */
    void over() {
        if (choiceAt >= 0) {
            for (int i = 0; i < callCount; i++) {
                Call call = gathered[i];
                if (call.id != null || call.name != null) {
                    end.call(index, call.index, call.id, call.name);
                }
            }
            if (finishReason != null || stopReason != null) {
                end.choice(index, finishReason, stopReason);
            }
        }
        choiceAt = -1;
        callAt = -1;
        callCount = 0;
        finishReason = null;
        stopReason = null;
        inCalls = false;
        inFunction = false;
    }
}
