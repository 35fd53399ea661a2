package io.penstock.dataplane.engine;

/**
 * {@code /v1/messages}: Anthropic's message and its events.
 *
 * <p>As Anthropic counts, {@code input_tokens} is what was neither read from the cache nor written to it.
 *
 * <p><b>Threading:</b> owned by the HTTP loop of its connection.
 */
final class MessagesAnswer extends Answer {
    MessagesAnswer(String id, long created, String model, GenerationRequest request, int[] prompt, String tool) {
        super(id, created, model, request, prompt, tool);
    }

    @Override
    void begin(StringBuilder out, Usage usage) {
        out.append("event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":");
        JsonText.string(out, id);
        out.append(",\"type\":\"message\",\"role\":\"assistant\",\"content\":[],\"model\":");
        JsonText.string(out, model);
        out.append(",\"stop_reason\":null,\"stop_sequence\":null,");
        usage(out, usage, 0);
        out.append("}}\n\n"
                + "event: content_block_start\n"
                + "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":");
        if (tool == null) {
            out.append("{\"type\":\"text\",\"text\":\"\"}");
        } else {
            out.append("{\"type\":\"tool_use\",\"id\":\"toolu_")
                    .append(id.substring(4))
                    .append("\",\"name\":");
            JsonText.string(out, tool);
            out.append(",\"input\":{}}");
        }
        out.append("}\n\n");
    }

    @Override
    void delta(StringBuilder out, int[] output, int from, int to, FinishReason end) {
        String text = SimTokenizer.decode(output, from, to);
        if (text.isEmpty()) {
            return;
        }
        out.append("event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":");
        out.append(
                tool == null
                        ? "{\"type\":\"text_delta\",\"text\":"
                        : "{\"type\":\"input_json_delta\",\"partial_json\":");
        JsonText.string(out, text);
        out.append("}}\n\n");
    }

    @Override
    void finish(StringBuilder out, int[] output, FinishReason end, Usage usage) {
        out.append("event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n");
        out.append("event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"")
                .append(stopReason(end));
        out.append("\",\"stop_sequence\":null},");
        usage(out, usage, usage.output());
        out.append("}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n");
    }

    @Override
    void whole(StringBuilder out, int[] output, FinishReason end, Usage usage) {
        out.append("{\"id\":");
        JsonText.string(out, id);
        out.append(",\"type\":\"message\",\"role\":\"assistant\",\"content\":[");
        if (tool == null) {
            out.append("{\"type\":\"text\",\"text\":");
            text(out, output, 0, usage.output());
        } else {
            out.append("{\"type\":\"tool_use\",\"id\":\"toolu_")
                    .append(id.substring(4))
                    .append("\",\"name\":");
            JsonText.string(out, tool);
            // A call cut by the limit is no JSON; the object it would have been is empty then.
            out.append(",\"input\":")
                    .append(end == FinishReason.TOOL_CALLS ? SimTokenizer.decode(output, 0, usage.output()) : "{}");
        }
        out.append("}],\"model\":");
        JsonText.string(out, model);
        out.append(",\"stop_reason\":\"").append(stopReason(end)).append("\",\"stop_sequence\":null,");
        usage(out, usage, usage.output());
        out.append('}');
    }

    private static void usage(StringBuilder out, Usage usage, int output) {
        int neither = usage.prompt() - usage.cached() - usage.createdCache();
        out.append("\"usage\":{\"input_tokens\":").append(neither);
        out.append(",\"output_tokens\":").append(output);
        out.append(",\"cache_creation_input_tokens\":").append(usage.createdCache());
        out.append(",\"cache_read_input_tokens\":").append(usage.cached()).append('}');
    }

    private static String stopReason(FinishReason end) {
        return switch (end) {
            case STOP -> "end_turn";
            case TOOL_CALLS -> "tool_use";
            case LENGTH -> "max_tokens";
            case ABORT, ERROR -> "refusal";
        };
    }
}
