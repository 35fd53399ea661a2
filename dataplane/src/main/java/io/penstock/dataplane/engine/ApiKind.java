package io.penstock.dataplane.engine;

/**
 * The request and answer shapes that the engine speaks.
 *
 * <p><b>Threading:</b> immutable.
 */
enum ApiKind {
    /** {@code /v1/chat/completions}. */
    CHAT,
    /** {@code /v1/completions}. */
    COMPLETION,
    /** {@code /v1/responses}. */
    RESPONSES,
    /** {@code /v1/messages}. */
    MESSAGES,
    /** {@code /inference/v1/generate}: token ids in, token ids out. */
    GENERATE;

    /** The kind behind a path, null for any other path. */
    static ApiKind ofPath(String path) {
        return switch (path) {
            case "/v1/chat/completions" -> CHAT;
            case "/v1/completions" -> COMPLETION;
            case "/v1/responses" -> RESPONSES;
            case "/v1/messages" -> MESSAGES;
            case "/inference/v1/generate" -> GENERATE;
            default -> null;
        };
    }
}
