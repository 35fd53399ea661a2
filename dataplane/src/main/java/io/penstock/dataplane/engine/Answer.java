package io.penstock.dataplane.engine;

/**
 * The answer to one request in the shape of its API, as a whole or as a stream of server-sent events.
 *
 * <p><b>Threading:</b> owned by the HTTP loop of its connection.
 */
abstract class Answer {
    static final String FINGERPRINT = "vllm-0.32.0-penstock";
    static final String DONE = "data: [DONE]\n\n";

    final String id;
    final long created;
    final String model;
    final GenerationRequest request;
    final int[] prompt;
    /** Function that is called, null for a text. */
    final String tool;

    /** What an answer has used, in tokens. */
    record Usage(int prompt, int cached, int createdCache, int output) {}

    Answer(String id, long created, String model, GenerationRequest request, int[] prompt, String tool) {
        this.id = id;
        this.created = created;
        this.model = model;
        this.request = request;
        this.prompt = prompt;
        this.tool = tool;
    }

    /** The answer of a path. */
    static Answer of(
            ApiKind kind, String id, long created, String model, GenerationRequest request, int[] prompt, String tool) {
        return switch (kind) {
            case CHAT -> new ChatAnswer("chatcmpl-" + id, created, model, request, prompt, tool);
            case COMPLETION -> new CompletionAnswer("cmpl-" + id, created, model, request, prompt);
            case RESPONSES -> new ResponsesAnswer("resp_" + id, created, model, request, prompt, tool);
            case MESSAGES -> new MessagesAnswer("msg_" + id, created, model, request, prompt, tool);
            case GENERATE -> new GenerateAnswer("generate-tokens-" + id, created, model, request, prompt);
        };
    }

    /** The events in front of the first token. */
    abstract void begin(StringBuilder out, Usage usage);

    /** The events of output tokens {@code from} to {@code to}; {@code end} is null unless they are the last. */
    abstract void delta(StringBuilder out, int[] output, int from, int to, FinishReason end);

    /** The events behind the last token. */
    abstract void finish(StringBuilder out, int[] output, FinishReason end, Usage usage);

    /** The answer as one JSON object. */
    abstract void whole(StringBuilder out, int[] output, FinishReason end, Usage usage);

    /** {@code finish_reason} of the OpenAI shapes. */
    static String finishReason(FinishReason end) {
        return switch (end) {
            case STOP -> "stop";
            case TOOL_CALLS -> "tool_calls";
            case LENGTH -> "length";
            case ABORT, ERROR -> "abort";
        };
    }

    /** Quoted text of tokens. */
    static void text(StringBuilder out, int[] output, int from, int to) {
        JsonText.string(out, SimTokenizer.decode(output, from, to));
    }

    /** {@code "usage":{…}} as vLLM writes it; a stream leaves out the fields that were never set. */
    static void openAiUsage(StringBuilder out, Usage usage, boolean stream) {
        out.append("\"usage\":{\"prompt_tokens\":").append(usage.prompt());
        out.append(",\"total_tokens\":").append(usage.prompt() + usage.output());
        out.append(",\"completion_tokens\":").append(usage.output());
        out.append(",\"prompt_tokens_details\":{\"cached_tokens\":").append(usage.cached());
        out.append(",\"created_cache_tokens\":").append(usage.createdCache());
        out.append(stream ? "}}" : ",\"multimodal_tokens\":null},\"completion_tokens_details\":null}");
    }
}
