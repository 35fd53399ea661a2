package io.penstock.dataplane.tokens;

/**
 * How the prompts of one model become tokens.
 *
 * @param tokenizerFolder folder with {@code tokenizer.json} and {@code tokenizer_config.json}; null: no tokenizer in
 *     this process
 * @param chatTemplateFile Jinja template that replaces the folder's own; null: the folder's
 * @param engineEndpoint ask the engine's render or tokenize endpoint where this process cannot tell the tokens
 * @param engineTimeoutMs longest wait for that answer, milliseconds
 * @param renderingCheck hold this process's rendering against the engine's before it is used
 * @param addSpecialTokens add the tokenizer's special tokens (BOS) to plain texts, as vLLM does unless told otherwise;
 *     chats get theirs from the template
 * @param chunkBytes bytes of text that count as one estimated token in text chunks
 * @param clientTokens believe the ids in {@code nvext.token_data} of chats, messages and responses; only where clients
 *     are trusted, since an engine that reads the messages itself cannot contradict them
 */
public record ModelTokens(
        String tokenizerFolder,
        String chatTemplateFile,
        boolean engineEndpoint,
        int engineTimeoutMs,
        boolean renderingCheck,
        boolean addSpecialTokens,
        int chunkBytes,
        boolean clientTokens) {
    /** Checks the ranges. */
    public ModelTokens {
        if (engineTimeoutMs < 1 || engineTimeoutMs > 60_000) {
            throw new IllegalArgumentException("not in 1..60000: engineTimeoutMs=" + engineTimeoutMs);
        }
        if (chunkBytes < 1 || chunkBytes > 64) {
            throw new IllegalArgumentException("not in 1..64: chunkBytes=" + chunkBytes);
        }
        if (chatTemplateFile != null && tokenizerFolder == null) {
            throw new IllegalArgumentException(
                    "a template needs a tokenizerFolder beside it: chatTemplateFile=" + chatTemplateFile);
        }
    }

    /** Without belief in clients' ids. */
    public ModelTokens(
            String tokenizerFolder,
            String chatTemplateFile,
            boolean engineEndpoint,
            int engineTimeoutMs,
            boolean renderingCheck,
            boolean addSpecialTokens,
            int chunkBytes) {
        this(
                tokenizerFolder,
                chatTemplateFile,
                engineEndpoint,
                engineTimeoutMs,
                renderingCheck,
                addSpecialTokens,
                chunkBytes,
                false);
    }

    /** No tokenizer in this process: the engine's endpoint, and text chunks where it has none. */
    public static ModelTokens defaults() {
        return new ModelTokens(null, null, true, 2_000, true, true, 4);
    }

    /** The model's own tokenizer and template in this process, checked against the engine. */
    public static ModelTokens of(String tokenizerFolder) {
        return new ModelTokens(tokenizerFolder, null, true, 2_000, true, true, 4);
    }
}
