package io.penstock.bindings.openai;

import java.util.ArrayList;
import java.util.List;

/**
 * How an answer ended: its choices' reasons and the tool calls that the model asked for, without their arguments.
 *
 * <p>Id and name of a call are taken from whichever chunk brings them first; a later value changes nothing. At most {@link
 * #MOST} choices and as many calls are kept; what is beyond is counted in {@link #leftOut()}.
 *
 * <p><b>Threading:</b> one thread, one answer.
 */
public final class AnswerEnd {
    /** Choices kept, and calls kept. */
    public static final int MOST = 1_024;

    /**
     * How one choice ended.
     *
     * @param index the choice
     * @param finishReason in the words of the API, or null
     * @param stopReason stop text or token that ended it, as the engine tells it, or null
     */
    public record Choice(int index, String finishReason, String stopReason) {}

    /**
     * A tool call.
     *
     * @param choice index of the choice
     * @param index index of the call in its choice
     * @param id its id, or null
     * @param name the tool's name, or null
     */
    public record Call(int choice, int index, String id, String name) {}

    private final List<Choice> choices = new ArrayList<>(1);
    private final List<Call> calls = new ArrayList<>(2);
    private int leftOut;

    /** Choices that ended, in the order of their first word about it. */
    public List<Choice> choices() {
        return choices;
    }

    /** Calls in the order of their first chunks. */
    public List<Call> calls() {
        return calls;
    }

    /** Choices and calls beyond what is kept. */
    public int leftOut() {
        return leftOut;
    }

    /** A choice ended; of several reasons for one choice the last one counts. */
    void choice(int index, String finishReason, String stopReason) {
        for (int i = 0; i < choices.size(); i++) {
            Choice known = choices.get(i);
            if (known.index == index) {
                choices.set(
                        i,
                        new Choice(
                                index,
                                finishReason == null ? known.finishReason : finishReason,
                                stopReason == null ? known.stopReason : stopReason));
                return;
            }
        }
        if (choices.size() < MOST) {
            choices.add(new Choice(index, finishReason, stopReason));
        } else {
            leftOut++;
        }
    }

    /** Something of a call came: its id, its name, or both. */
    void call(int choice, int index, String id, String name) {
        for (int i = 0; i < calls.size(); i++) {
            Call known = calls.get(i);
            if (known.choice == choice && known.index == index) {
                if (known.id == null && id != null || known.name == null && name != null) {
                    calls.set(
                            i,
                            new Call(
                                    choice,
                                    index,
                                    known.id == null ? id : known.id,
                                    known.name == null ? name : known.name));
                }
                return;
            }
        }
        if (calls.size() < MOST) {
            calls.add(new Call(choice, index, id, name));
        } else {
            leftOut++;
        }
    }

    /** A call of an API without indexes: the next one, unless its id is known. */
    void call(String id, String name) {
        for (Call known : calls) {
            if (id != null && id.equals(known.id)) {
                return;
            }
        }
        call(0, calls.size(), id, name);
    }
}
