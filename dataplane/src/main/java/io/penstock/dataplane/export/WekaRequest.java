package io.penstock.dataplane.export;

import com.fasterxml.jackson.core.JsonGenerator;
import io.penstock.bindings.harness.InputTrigger;
import io.penstock.dataplane.journal.TraceRecord;
import java.io.IOException;
import java.util.List;

/**
 * One call of a recorded coding-agent session, as the Weka format has it.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param request who and when
 * @param model as the client names it
 * @param input prompt tokens
 * @param output tokens produced
 * @param blocks ids of the full blocks
 * @param trigger what made the agent send it, or null
 * @param toolCalls tool calls asked for
 * @param stop {@code tool_use}, {@code end_turn} or empty
 * @param firstTokenMs received to first output, or NaN
 */
record WekaRequest(
        ReplayRequest request,
        String model,
        int input,
        int output,
        PrefixTree.Ids blocks,
        InputTrigger trigger,
        int toolCalls,
        String stop,
        double firstTokenMs) {
    private static final String NO_MODEL = "unknown";

    static WekaRequest of(ReplayRequest request, TraceRecord record, PrefixTree tree) {
        return new WekaRequest(
                request,
                record.model == null ? NO_MODEL : record.model,
                record.inputTokens,
                record.outputTokens,
                tree.add(record, ReplayBlocks.full(record)),
                record.agent.inputTrigger(),
                record.toolCalls.size(),
                stop(record),
                record.firstTokenMs);
    }

    private static String stop(TraceRecord record) {
        if (!record.toolCalls.isEmpty()) {
            return "tool_use";
        }
        String reason = record.finishReason;
        return reason == null
                ? ""
                : switch (reason) {
                    case "tool_calls", "function_call", "tool_use" -> "tool_use";
                    case "stop", "end_turn", "stop_sequence", "completed" -> "end_turn";
                    default -> "";
                };
    }

    /**
     * Writes it.
     *
     * @param originMs time that its {@code t} counts from
     * @param beforeMs end of the agent's call before, or -1 for the first
     */
    void write(long originMs, long beforeMs, JsonGenerator json) throws IOException {
        boolean streamed = Double.isFinite(firstTokenMs);
        json.writeStartObject();
        json.writeNumberField("t", Seconds.of(request.startMs() - originMs));
        json.writeStringField("type", streamed ? "s" : "n");
        json.writeStringField("model", model);
        json.writeNumberField("in", input);
        json.writeNumberField("out", output);
        int[] ids = blocks.ids();
        json.writeFieldName("hash_ids");
        json.writeArray(ids, 0, ids.length);
        words("input_types", trigger == null ? List.of() : List.of(inputType()), json);
        words("output_types", toolCalls > 0 ? List.of("tool_use") : List.of("text"), json);
        json.writeStringField("stop", stop);
        json.writeNumberField("api_time", Seconds.of(request.endMs() - request.startMs()));
        json.writeNumberField(
                "think_time", beforeMs < 0 ? Seconds.of(0) : Seconds.of(Math.max(0, request.startMs() - beforeMs)));
        if (streamed) {
            json.writeNumberField("ttft", Seconds.of(Math.round(firstTokenMs)));
        }
        json.writeEndObject();
    }

    private String inputType() {
        return trigger == InputTrigger.TOOL_RESULT ? "tool_result" : "text";
    }

    private static void words(String name, List<String> words, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart(name);
        for (String word : words) {
            json.writeString(word);
        }
        json.writeEndArray();
    }
}
