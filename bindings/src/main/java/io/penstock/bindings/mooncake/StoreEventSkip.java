package io.penstock.bindings.mooncake;

/** Why an event of a whole batch says nothing that can be used. */
public enum StoreEventSkip {
    /** The event is no map, or a key of it is no text. */
    NOT_A_MAP,
    /** A type that is not known. */
    UNKNOWN_TYPE,
    /** Stored or removed without the object's name: the master was started without {@code emit_object_key}. */
    KEYLESS
}
