package io.penstock.bindings.openai;

/**
 * The APIs whose requests are understood, by path.
 *
 * <p><b>Threading:</b> immutable.
 */
public enum ApiKind {
    /** OpenAI chat completions. */
    CHAT("/v1/chat/completions"),
    /** OpenAI completions. */
    COMPLETIONS("/v1/completions"),
    /** OpenAI responses. */
    RESPONSES("/v1/responses"),
    /** Anthropic messages. */
    MESSAGES("/v1/messages"),
    /** Anthropic's count of a prompt's tokens: the body of messages, the answer a number. */
    COUNT_TOKENS("/v1/messages/count_tokens"),
    /** OpenAI embeddings. */
    EMBEDDINGS("/v1/embeddings"),
    /** The engines' tokenizer. */
    TOKENIZE("/tokenize");

    private final String path;

    ApiKind(String path) {
        this.path = path;
    }

    /** Path of the API. */
    public String path() {
        return path;
    }

    /** The API of a request target, its query ignored ({@code /v1/messages?beta=true}), or null. */
    public static ApiKind ofPath(String target) {
        int query = target.indexOf('?');
        int length = query < 0 ? target.length() : query;
        for (ApiKind kind : values()) {
            if (kind.path.length() == length && target.startsWith(kind.path)) {
                return kind;
            }
        }
        return null;
    }

    /** Whether errors and streams are shaped as Anthropic's. */
    public boolean isAnthropic() {
        return this == MESSAGES || this == COUNT_TOKENS;
    }

    /** Whether the engine generates: such a request is worth placing by its prompt. */
    public boolean generates() {
        return this == CHAT || this == COMPLETIONS || this == RESPONSES || this == MESSAGES;
    }

    /** Whether a stream carries usage only when {@code stream_options} asks for it. */
    public boolean usageOnRequest() {
        return this == CHAT || this == COMPLETIONS;
    }
}
