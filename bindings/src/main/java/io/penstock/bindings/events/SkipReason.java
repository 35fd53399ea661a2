package io.penstock.bindings.events;

/** Why a well-formed event says nothing that a prefix index can use. */
public enum SkipReason {
    /** An attention group that does not hold whole prefixes (sliding window, mamba, ...). */
    NON_MAIN_GROUP,
    /** The blocks lie on another node. */
    REMOTE,
    /** An owner that is not known. */
    UNKNOWN_OWNER,
    /** A medium that is not known. */
    UNKNOWN_MEDIUM,
    /** An event type that is not known. */
    UNKNOWN_TYPE,
    /** A stored event without tokens, as offloading connectors send them. */
    PLACEHOLDER,
    /** Tokens do not fill the blocks, or keys are given for other blocks. */
    LENGTH_MISMATCH,
    /** A block that is its own parent. */
    SELF_REFERENCE,
    /** An adapter is in use but not named. */
    UNNAMED_ADAPTER,
    /** Content that token ids do not determine: prompt embeddings, text tokens, look-ahead tokens. */
    OPAQUE_CONTENT
}
