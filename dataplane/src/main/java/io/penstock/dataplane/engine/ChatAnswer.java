package io.penstock.dataplane.engine;

/**
 * {@code /v1/chat/completions}: field order and presence as in the recorded vLLM 0.32 answers.
 *
 * <p><b>Threading:</b> owned by the HTTP loop of its connection.
 */
final class ChatAnswer extends Answer {
    private final String chunkHead;
    private boolean callOpened;

    ChatAnswer(String id, long created, String model, GenerationRequest request, int[] prompt, String tool) {
        super(id, created, model, request, prompt, tool);
        StringBuilder head = new StringBuilder(128).append("data: {\"id\":");
        JsonText.string(head, id);
        head.append(",\"object\":\"chat.completion.chunk\",\"created\":")
                .append(created)
                .append(",\"model\":");
        JsonText.string(head, model);
        chunkHead = head.append(",\"choices\":[").toString();
    }

    @Override
    void begin(StringBuilder out, Usage usage) {
        out.append(chunkHead)
                .append(
                        "{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"},\"logprobs\":null,\"finish_reason\":null}],\"prompt_token_ids\":");
        if (request.returnTokenIds) {
            JsonText.ints(out, prompt, 0, prompt.length);
        } else {
            out.append("null");
        }
        out.append(",\"prompt_text\":null}\n\n");
    }

    @Override
    void delta(StringBuilder out, int[] output, int from, int to, FinishReason end) {
        if (tool != null && !callOpened) {
            callOpened = true;
            out.append(chunkHead)
                    .append("{\"index\":0,\"delta\":{\"content\":null,\"tool_calls\":[{\"id\":\"chatcmpl-tool-")
                    .append(callId());
            out.append("\",\"type\":\"function\",\"index\":0,\"function\":{\"name\":");
            JsonText.string(out, tool);
            out.append("}}]},\"logprobs\":null,\"finish_reason\":null,\"token_ids\":null}]}\n\n");
        }
        out.append(chunkHead).append("{\"index\":0,\"delta\":{");
        if (tool == null) {
            out.append("\"content\":");
            text(out, output, from, to);
        } else {
            out.append("\"content\":null,\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":");
            text(out, output, from, to);
            out.append("}}]");
        }
        out.append("},\"logprobs\":null,\"finish_reason\":");
        JsonText.string(out, end == null ? null : finishReason(end));
        if (end != null) {
            out.append(",\"stop_reason\":null");
        }
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
            out.append(chunkHead).append("],");
            openAiUsage(out, usage, true);
            out.append(",\"system_fingerprint\":\"").append(FINGERPRINT).append("\"}\n\n");
        }
        out.append(DONE);
    }

    @Override
    void whole(StringBuilder out, int[] output, FinishReason end, Usage usage) {
        out.append("{\"id\":");
        JsonText.string(out, id);
        out.append(",\"object\":\"chat.completion\",\"created\":")
                .append(created)
                .append(",\"model\":");
        JsonText.string(out, model);
        out.append(",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":");
        if (tool == null) {
            text(out, output, 0, usage.output());
        } else {
            out.append("null");
        }
        out.append(",\"refusal\":null,\"annotations\":null,\"audio\":null,\"function_call\":null,");
        if (tool != null) {
            out.append("\"tool_calls\":[{\"id\":\"chatcmpl-tool-")
                    .append(callId())
                    .append("\",\"type\":\"function\",\"function\":{\"name\":");
            JsonText.string(out, tool);
            out.append(",\"arguments\":");
            text(out, output, 0, usage.output());
            out.append("}}],");
        }
        out.append("\"reasoning\":null},\"logprobs\":null,\"finish_reason\":\"").append(finishReason(end));
        out.append("\",\"stop_reason\":null,\"token_ids\":");
        idsOrNull(out, output, usage.output());
        out.append(",\"routed_experts\":null}],\"service_tier\":null,\"system_fingerprint\":\"")
                .append(FINGERPRINT)
                .append("\",");
        openAiUsage(out, usage, false);
        out.append(",\"prompt_logprobs\":null,\"prompt_token_ids\":");
        idsOrNull(out, prompt, prompt.length);
        out.append(",\"prompt_text\":null,\"kv_transfer_params\":null,\"ec_transfer_params\":null,\"metrics\":null}");
    }

    private void idsOrNull(StringBuilder out, int[] ids, int count) {
        if (request.returnTokenIds) {
            JsonText.ints(out, ids, 0, count);
        } else {
            out.append("null");
        }
    }

    private String callId() {
        return id.substring(id.indexOf('-') + 1);
    }
}
