package io.penstock.dataplane.sinks;

/**
 * The words of the APIs for how an answer ended, in those of OpenAI's chat, which are all that Dynamo's row knows.
 *
 * <p><b>Threading:</b> immutable.
 */
final class FinishReasons {
    private FinishReasons() {}

    /** The word of OpenAI's chat, or null where it has none for this. */
    static String openAi(String reason) {
        return reason == null
                ? null
                : switch (reason) {
                    case "stop", "length", "tool_calls", "content_filter", "function_call" -> reason;
                    case "end_turn", "stop_sequence", "pause_turn", "completed" -> "stop";
                    case "max_tokens", "max_output_tokens", "model_context_window_exceeded" -> "length";
                    case "tool_use" -> "tool_calls";
                    case "refusal" -> "content_filter";
                    default -> null;
                };
    }

    /** The word as the engine gave it, where it is not OpenAI's own; else null. */
    static String own(String reason) {
        return reason == null || reason.equals(openAi(reason)) ? null : reason;
    }
}
