package io.penstock.dataplane.sinks;

import java.util.Locale;

/** Why a record of the journal has no row in a Dynamo trace. */
public enum SkippedRow {
    /** Several choices were asked for: Dynamo skips these requests whole. */
    SEVERAL_CHOICES,
    /**
     * The router has no hashes of the prompt's tokens: images, prompts given as embeddings, a model without tokenizer.
     * Dynamo skips what it cannot replay.
     */
    NO_TOKEN_HASHES,
    /** Fewer or more hashes than the prompt has blocks: a prompt over the bound. */
    HASHES_DO_NOT_FIT,
    /** A tool's event that names no session. */
    NO_SESSION,
    /** A tool's event without the name of the call or its class. */
    NAMELESS_TOOL,
    /** Admission and hints: Dynamo has no word for them. */
    NOT_IN_DYNAMO;

    /** Name in metrics. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
