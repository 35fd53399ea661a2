package io.penstock.bindings.events;

/** Fields of KV events over all engines and versions, as numbers to switch on. */
final class EventField {
    static final int IGNORED = 0;
    static final int TYPE = 1;
    static final int HASHES = 2;
    static final int PARENT = 3;
    static final int TOKENS = 4;
    static final int BLOCK_SIZE = 5;
    static final int LORA_ID = 6;
    static final int MEDIUM = 7;
    static final int LORA_NAME = 8;
    static final int EXTRA_KEYS = 9;
    static final int MM_INFOS = 10;
    static final int GROUP = 11;
    static final int KIND = 12;
    static final int LOCALITY = 13;
    static final int OWNERSHIP = 14;
    static final int CACHE_SALT = 15;
    static final int IS_EAGLE = 16;
    static final int COPIES = 17;
    static final int MM_KEYS = 18;
    static final int LOOKAHEAD = 19;

    private static final Words NAMES = new Words(
            "",
            "type",
            "block_hashes",
            "parent_block_hash",
            "token_ids",
            "block_size",
            "lora_id",
            "medium",
            "lora_name",
            "extra_keys",
            "block_mm_infos",
            "group_idx",
            "kv_cache_spec_kind",
            "locality",
            "ownership",
            "cache_salt",
            "is_eagle",
            "remaining_copy_counts",
            "mm_keys",
            "lookahead_token_ids");

    private EventField() {}

    /** Number of the field with this name, or {@link #IGNORED}. */
    static int of(byte[] bytes, int offset, int length) {
        return Math.max(IGNORED, NAMES.find(bytes, offset, length));
    }

    /** Field at a position of the array form, as vLLM and SGLang have it. */
    static int at(int position, boolean removed) {
        if (removed) {
            return switch (position) {
                case 1 -> HASHES;
                case 2 -> MEDIUM;
                case 3 -> GROUP;
                default -> IGNORED;
            };
        }
        return switch (position) {
            case 0 -> TYPE;
            case 1 -> HASHES;
            case 2 -> PARENT;
            case 3 -> TOKENS;
            case 4 -> BLOCK_SIZE;
            case 5 -> LORA_ID;
            case 6 -> MEDIUM;
            case 7 -> LORA_NAME;
            case 8 -> EXTRA_KEYS;
            case 9 -> GROUP;
            case 10 -> KIND;
            default -> IGNORED;
        };
    }
}
