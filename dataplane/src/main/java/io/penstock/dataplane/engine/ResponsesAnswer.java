package io.penstock.dataplane.engine;

/**
 * {@code /v1/responses}: the response object and its numbered events.
 *
 * <p><b>Threading:</b> owned by the HTTP loop of its connection.
 */
final class ResponsesAnswer extends Answer {
    private int sequenceNumber;

    ResponsesAnswer(String id, long created, String model, GenerationRequest request, int[] prompt, String tool) {
        super(id, created, model, request, prompt, tool);
    }

    @Override
    void begin(StringBuilder out, Usage usage) {
        event(out, "response.created").append(",\"response\":");
        response(out, "in_progress", null, null, null).append("}\n\n");
        event(out, "response.in_progress").append(",\"response\":");
        response(out, "in_progress", null, null, null).append("}\n\n");
        event(out, "response.output_item.added").append(",\"output_index\":0,\"item\":");
        item(out, "in_progress", "").append("}\n\n");
        if (tool == null) {
            event(out, "response.content_part.added");
            place(out, true)
                    .append(
                            ",\"part\":{\"type\":\"output_text\",\"text\":\"\",\"annotations\":[],\"logprobs\":[]}}\n\n");
        }
    }

    @Override
    void delta(StringBuilder out, int[] output, int from, int to, FinishReason end) {
        String text = SimTokenizer.decode(output, from, to);
        if (text.isEmpty()) {
            return;
        }
        event(out, tool == null ? "response.output_text.delta" : "response.function_call_arguments.delta");
        place(out, tool == null).append(",\"delta\":");
        JsonText.string(out, text);
        out.append(tool == null ? ",\"logprobs\":[]}\n\n" : "}\n\n");
    }

    @Override
    void finish(StringBuilder out, int[] output, FinishReason end, Usage usage) {
        String text = SimTokenizer.decode(output, 0, usage.output());
        if (tool == null) {
            event(out, "response.output_text.done");
            place(out, true).append(",\"text\":");
            JsonText.string(out, text);
            out.append(",\"logprobs\":[]}\n\n");
            event(out, "response.content_part.done");
            place(out, true).append(",\"part\":{\"type\":\"output_text\",\"text\":");
            JsonText.string(out, text);
            out.append(",\"annotations\":[],\"logprobs\":[]}}\n\n");
        } else {
            event(out, "response.function_call_arguments.done");
            place(out, false).append(",\"arguments\":");
            JsonText.string(out, text);
            out.append("}\n\n");
        }
        event(out, "response.output_item.done").append(",\"output_index\":0,\"item\":");
        item(out, status(end), text).append("}\n\n");
        event(out, end == FinishReason.LENGTH ? "response.incomplete" : "response.completed")
                .append(",\"response\":");
        response(out, status(end), text, end, usage).append("}\n\n");
    }

    @Override
    void whole(StringBuilder out, int[] output, FinishReason end, Usage usage) {
        response(out, status(end), SimTokenizer.decode(output, 0, usage.output()), end, usage);
    }

    private StringBuilder event(StringBuilder out, String type) {
        return out.append("event: ")
                .append(type)
                .append("\ndata: {\"type\":\"")
                .append(type)
                .append("\",\"sequence_number\":")
                .append(sequenceNumber++);
    }

    private StringBuilder place(StringBuilder out, boolean content) {
        out.append(",\"item_id\":\"").append(itemId()).append("\",\"output_index\":0");
        return content ? out.append(",\"content_index\":0") : out;
    }

    private StringBuilder item(StringBuilder out, String status, String text) {
        out.append("{\"id\":\"")
                .append(itemId())
                .append("\",\"type\":\"")
                .append(tool == null ? "message" : "function_call");
        out.append("\",\"status\":\"").append(status).append('"');
        if (tool == null) {
            out.append(",\"role\":\"assistant\",\"content\":[");
            if (!"in_progress".equals(status)) {
                out.append("{\"type\":\"output_text\",\"text\":");
                JsonText.string(out, text);
                out.append(",\"annotations\":[],\"logprobs\":null}");
            }
            return out.append("]}");
        }
        out.append(",\"call_id\":\"call_").append(id.substring(5)).append("\",\"name\":");
        JsonText.string(out, tool);
        out.append(",\"arguments\":");
        JsonText.string(out, text);
        return out.append('}');
    }

    private StringBuilder response(StringBuilder out, String status, String text, FinishReason end, Usage usage) {
        out.append("{\"id\":");
        JsonText.string(out, id);
        out.append(",\"created_at\":").append(created).append(",\"incomplete_details\":");
        out.append(end == FinishReason.LENGTH ? "{\"reason\":\"max_output_tokens\"}" : "null");
        out.append(",\"instructions\":null,\"metadata\":null,\"model\":");
        JsonText.string(out, model);
        out.append(",\"object\":\"response\",\"output\":[");
        if (text != null) {
            item(out, status, text);
        }
        out.append("],\"parallel_tool_calls\":true,\"status\":\"")
                .append(status)
                .append("\",\"usage\":");
        if (usage == null) {
            return out.append("null}");
        }
        out.append("{\"input_tokens\":")
                .append(usage.prompt())
                .append(",\"input_tokens_details\":{\"cached_tokens\":")
                .append(usage.cached());
        out.append("},\"output_tokens\":")
                .append(usage.output())
                .append(",\"output_tokens_details\":{\"reasoning_tokens\":0},\"total_tokens\":");
        return out.append(usage.prompt() + usage.output()).append("}}");
    }

    private String itemId() {
        return (tool == null ? "msg_" : "fc_") + id.substring(5);
    }

    private static String status(FinishReason end) {
        return end == FinishReason.LENGTH ? "incomplete" : "completed";
    }
}
