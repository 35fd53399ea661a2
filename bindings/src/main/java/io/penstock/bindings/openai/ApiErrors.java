package io.penstock.bindings.openai;

/**
 * Errors in each API's own shape: status and body before the first byte, an event in the stream after it.
 *
 * <p>In a stream, each API's clients notice something else, so each gets what makes them fail:
 * <ul>
 *   <li>Chat and completions: a data line with an {@code error} object; OpenAI's SDKs raise on exactly that. No {@code
 *       [DONE]} follows: it means that the answer is whole, and a client that knows nothing else would believe it.
 *   <li>Responses: an {@code error} event, on which the SDKs raise (they look for an {@code error} member, so it has
 *       one beside the documented members), then {@code response.failed}, which Codex waits for.
 *   <li>Messages: Anthropic's {@code error} event.
 * </ul>
 *
 * <p><b>Threading:</b> stateless.
 */
public final class ApiErrors {
    private ApiErrors() {}

    /** HTTP status of the fault in this API. */
    public static int status(ApiKind kind, Fault fault) {
        return isAnthropic(kind) ? fault.anthropicStatus : fault.openAiStatus;
    }

    /** JSON body of the fault in this API; {@code kind} null takes OpenAI's shape. */
    public static byte[] body(ApiKind kind, Fault fault, String message) {
        return BodyEdits.utf8(
                isAnthropic(kind) ? anthropic(fault, message) : "{\"error\":" + openAi(fault, message) + "}");
    }

    /** Body of an unknown model, with the words that the APIs use. */
    public static byte[] unknownModel(ApiKind kind, String model) {
        String message = isAnthropic(kind) ? "model: " + model : "The model `" + model + "` does not exist.";
        return body(kind, Fault.MODEL_NOT_FOUND, message);
    }

    /** What ends a stream that has begun; {@code events} is what was read of it, or null. */
    public static byte[] midStream(ApiKind kind, Fault fault, String message, StreamEvents events) {
        if (isAnthropic(kind)) {
            return BodyEdits.utf8("event: error\ndata: " + anthropic(fault, message) + "\n\n");
        }
        if (kind != ApiKind.RESPONSES) {
            return BodyEdits.utf8("data: {\"error\":" + openAi(fault, message) + "}\n\n");
        }
        long next = 0;
        String id = null;
        if (events instanceof OpenAiStreamEvents stream) {
            next = stream.sequenceNumber() + 1;
            id = stream.responseId();
        }
        return BodyEdits.utf8(responses(fault, message, next, id));
    }

    private static String responses(Fault fault, String message, long sequence, String id) {
        String code = BodyEdits.quote(fault.openAiCode == null ? fault.openAiType : fault.openAiCode);
        String text = BodyEdits.quote(message);
        String error = "{\"type\":\"error\",\"code\":" + code + ",\"message\":" + text
                + ",\"param\":null,\"sequence_number\":" + sequence + ",\"error\":" + openAi(fault, message) + "}";
        // "server_error" is the code that the API documents for a response that failed by no fault of the client.
        String failed = "{\"type\":\"response.failed\",\"sequence_number\":" + (sequence + 1)
                + ",\"response\":{\"id\":" + BodyEdits.quote(id == null ? "resp_failed" : id)
                + ",\"object\":\"response\",\"status\":\"failed\",\"error\":{\"code\":\"server_error\",\"message\":"
                + text + "},\"output\":[]}}";
        return "event: error\ndata: " + error + "\n\nevent: response.failed\ndata: " + failed + "\n\n";
    }

    private static String openAi(Fault fault, String message) {
        return "{\"message\":" + BodyEdits.quote(message) + ",\"type\":" + BodyEdits.quote(fault.openAiType)
                + ",\"param\":null,\"code\":"
                + (fault.openAiCode == null ? "null" : BodyEdits.quote(fault.openAiCode)) + "}";
    }

    private static String anthropic(Fault fault, String message) {
        return "{\"type\":\"error\",\"error\":{\"type\":" + BodyEdits.quote(fault.anthropicType) + ",\"message\":"
                + BodyEdits.quote(message) + "}}";
    }

    private static boolean isAnthropic(ApiKind kind) {
        return kind != null && kind.isAnthropic();
    }
}
