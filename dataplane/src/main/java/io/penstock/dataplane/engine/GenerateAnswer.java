package io.penstock.dataplane.engine;

/**
 * {@code /inference/v1/generate}: token ids in and out, as in the recorded answer; a stream repeats the object for each
 * piece.
 *
 * <p><b>Threading:</b> owned by the HTTP loop of its connection.
 */
final class GenerateAnswer extends Answer {
    GenerateAnswer(String id, long created, String model, GenerationRequest request, int[] prompt) {
        super(id, created, model, request, prompt, null);
    }

    @Override
    void begin(StringBuilder out, Usage usage) {
        // The stream opens with its first tokens.
    }

    @Override
    void delta(StringBuilder out, int[] output, int from, int to, FinishReason end) {
        out.append("data: {\"request_id\":");
        JsonText.string(out, id);
        out.append(",\"choices\":[{\"index\":0,\"finish_reason\":");
        JsonText.string(out, end == null ? null : finishReason(end));
        out.append(",\"token_ids\":");
        JsonText.ints(out, output, from, to);
        out.append("}]}\n\n");
    }

    @Override
    void finish(StringBuilder out, int[] output, FinishReason end, Usage usage) {
        out.append(DONE);
    }

    @Override
    void whole(StringBuilder out, int[] output, FinishReason end, Usage usage) {
        out.append("{\"request_id\":");
        JsonText.string(out, id);
        out.append(",\"model\":");
        JsonText.string(out, model);
        out.append(",\"created\":").append(created).append(',');
        openAiUsage(out, usage, false);
        out.append(
                ",\"prompt_logprobs\":null,\"prompt_token_id_logprobs\":null,\"prompt_token_ids\":null,\"mm_placeholders\":null,\"metrics\":null,");
        out.append(
                "\"kv_transfer_params\":null,\"ec_transfer_params\":null,\"output_mode\":\"tokens\",\"choices\":[{\"index\":0,\"finish_reason\":\"");
        out.append(finishReason(end)).append("\",\"stop_reason\":null,\"token_ids\":");
        JsonText.ints(out, output, 0, usage.output());
        out.append(",\"routed_experts\":null,\"sampling_mask\":null,\"logprobs\":null}]}");
    }
}
