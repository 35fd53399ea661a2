package io.penstock.dataplane.tokens;

import io.penstock.bindings.openai.ApiKind;
import java.util.Objects;

/**
 * What the front knows of a request before its prompt is read.
 *
 * @param api whose body it is
 * @param body bytes that hold the body; not changed, and not read after the answer
 * @param offset first byte of the body
 * @param length bytes of the body
 * @param model configured name of the base model; picks the tokenizer
 * @param adapter LoRA adapter, null or empty for none
 * @param cacheSalt isolation of the cache, null or empty for none
 * @param sessionKey hash of the session (0 for none): its last prompt is reused
 * @param blockSizes block sizes present in the model's fleet, tokens
 * @param ids token ids of the prompt where the body gives them and they have been read, else null; not changed
 * @param beyondTokens whether engines tell the prompt's cache from others by more than tokens, adapter and salt (media,
 *     SGLang's extra key)
 */
public record PromptInput(
        ApiKind api,
        byte[] body,
        int offset,
        int length,
        String model,
        String adapter,
        String cacheSalt,
        long sessionKey,
        int[] blockSizes,
        int[] ids,
        boolean beyondTokens) {
    /** A prompt of whose body nothing has been read. */
    public PromptInput(
            ApiKind api,
            byte[] body,
            int offset,
            int length,
            String model,
            String adapter,
            String cacheSalt,
            long sessionKey,
            int[] blockSizes) {
        this(api, body, offset, length, model, adapter, cacheSalt, sessionKey, blockSizes, null, false);
    }

    /** Checks the range. */
    public PromptInput {
        Objects.requireNonNull(api, "api");
        Objects.requireNonNull(model, "model");
        Objects.requireNonNull(blockSizes, "blockSizes");
        Objects.checkFromIndexSize(offset, length, body.length);
        adapter = adapter == null ? "" : adapter;
        cacheSalt = cacheSalt == null ? "" : cacheSalt;
    }
}
