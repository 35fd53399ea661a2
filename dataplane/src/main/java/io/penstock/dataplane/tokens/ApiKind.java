package io.penstock.dataplane.tokens;

/** The API whose body carries a prompt: each keeps it elsewhere. */
public enum ApiKind {
    /** OpenAI {@code /v1/chat/completions}: messages and tools. */
    CHAT,
    /** OpenAI {@code /v1/completions}: a text or token ids. */
    COMPLETIONS,
    /** OpenAI {@code /v1/responses}: instructions, input items, tools. */
    RESPONSES,
    /** Anthropic {@code /v1/messages}: system, messages of content blocks, tools. */
    MESSAGES,
    /** OpenAI {@code /v1/embeddings}: a text or token ids. */
    EMBEDDINGS,
    /** vLLM {@code /tokenize}: a text, or messages. */
    TOKENIZE
}
