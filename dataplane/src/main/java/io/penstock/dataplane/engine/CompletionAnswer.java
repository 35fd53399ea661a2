package io.penstock.dataplane.engine;

/**
 * {@code /v1/completions}.
 *
 * <p><b>Threading:</b> owned by the HTTP loop of its connection.
 */
final class CompletionAnswer extends Answer {
    private final String head;
    private boolean promptTold;

    CompletionAnswer(String id, long created, String model, GenerationRequest request, int[] prompt) {
        super(id, created, model, request, prompt, null);
        StringBuilder b = new StringBuilder(128).append("{\"id\":");
        JsonText.string(b, id);
        b.append(",\"object\":\"text_completion\",\"created\":").append(created).append(",\"model\":");
        JsonText.string(b, model);
        head = b.append(",\"choices\":[").toString();
    }

    @Override
    void begin(StringBuilder out, Usage usage) {
        // The stream opens with its first text.
    }

    @Override
    void delta(StringBuilder out, int[] output, int from, int to, FinishReason end) {
        out.append("data: ").append(head).append("{\"index\":0,\"text\":");
        text(out, output, from, to);
        out.append(",\"logprobs\":null,\"finish_reason\":");
        JsonText.string(out, end == null ? null : finishReason(end));
        out.append(",\"stop_reason\":null,\"prompt_token_ids\":");
        if (request.returnTokenIds && !promptTold) {
            JsonText.ints(out, prompt, 0, prompt.length);
        } else {
            out.append("null");
        }
        promptTold = true;
        out.append(",\"token_ids\":");
        if (request.returnTokenIds) {
            JsonText.ints(out, output, from, to);
        } else {
            out.append("null");
        }
        out.append("}]}\n\n");
    }

    @Override
    void finish(StringBuilder out, int[] output, FinishReason end, Usage usage) {
        if (request.includeUsage) {
            out.append("data: ").append(head).append("],");
            openAiUsage(out, usage, true);
            out.append(",\"system_fingerprint\":\"").append(FINGERPRINT).append("\"}\n\n");
        }
        out.append(DONE);
    }

    @Override
    void whole(StringBuilder out, int[] output, FinishReason end, Usage usage) {
        out.append(head).append("{\"index\":0,\"text\":");
        text(out, output, 0, usage.output());
        out.append(",\"logprobs\":null,\"finish_reason\":\"")
                .append(finishReason(end))
                .append("\",\"stop_reason\":null,\"token_ids\":");
        if (request.returnTokenIds) {
            JsonText.ints(out, output, 0, usage.output());
        } else {
            out.append("null");
        }
        out.append(",\"prompt_logprobs\":null,\"prompt_token_ids\":");
        if (request.returnTokenIds) {
            JsonText.ints(out, prompt, 0, prompt.length);
        } else {
            out.append("null");
        }
        out.append("}],\"service_tier\":null,\"system_fingerprint\":\"")
                .append(FINGERPRINT)
                .append("\",");
        openAiUsage(out, usage, false);
        out.append(",\"kv_transfer_params\":null}");
    }
}
