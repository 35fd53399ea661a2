package io.penstock.bindings.mooncake;

import io.penstock.bindings.events.Words;

/** Fields of a store's events that are read, as numbers to switch on; all others are passed over. */
final class StoreEventField {
    static final int EVENT_TYPE = 0;
    static final int TYPE = 1;
    static final int OBJECT_KEY = 2;
    static final int TENANT_ID = 3;
    static final int MEDIUM = 4;
    static final int GROUP_ID = 5;
    static final int BACKEND_ID = 6;

    /** Number of text fields. */
    static final int COUNT = 7;

    private static final Words NAMES =
            new Words("event_type", "type", "object_key", "tenant_id", "medium", "group_id", "backend_id");

    /** Both vocabularies, the kinds in the order of {@link StoreEventCursor}'s numbers. */
    private static final Words KINDS =
            new Words("stored", "removed", "cleared", "BlockStored", "BlockRemoved", "AllBlocksCleared");

    private StoreEventField() {}

    /** Number of the field, or -1. */
    static int of(byte[] bytes, int offset, int length) {
        return NAMES.find(bytes, offset, length);
    }

    /** Kind of event by a value of either type field, or -1. */
    static int kind(byte[] bytes, int offset, int length) {
        int word = KINDS.find(bytes, offset, length);
        return word < 0 ? -1 : StoreEventCursor.STORED + word % 3;
    }
}
