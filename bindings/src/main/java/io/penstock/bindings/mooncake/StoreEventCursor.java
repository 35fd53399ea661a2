package io.penstock.bindings.mooncake;

import io.penstock.bindings.msgpack.MsgPackCursor;
import java.util.Arrays;

/**
 * Walks a batch of a Mooncake master's KV events: {@code [timestamp_ms, [event, ...], dp_rank]}, each event a map that is
 * read by the names of its fields. So the shapes of different versions, and the masters' switches that leave fields out,
 * all decode: {@code event_type} or, where it is missing, {@code type}; text fields may be nil or absent. Source: frames
 * of mooncake_master 0.3.14.
 *
 * <p>Nothing throws on data. {@link #wrap} looks over the whole batch first: one that is cut off, or followed by more, is
 * refused as a whole, so that no half of a batch is taken.
 *
 * <p><b>Threading:</b> owned by the caller. <b>Cost:</b> no allocation.
 */
public final class StoreEventCursor {
    /** {@link #next}: no further event. */
    public static final int END = 0;

    /** {@link #next}: an object was put. */
    public static final int STORED = 1;

    /** {@link #next}: an object was removed. */
    public static final int REMOVED = 2;

    /** {@link #next}: all objects were removed. */
    public static final int CLEARED = 3;

    /** {@link #next}: an event that cannot be used, see {@link #skipReason}. */
    public static final int SKIPPED = 4;

    private final MsgPackCursor cursor = new MsgPackCursor();
    private final int[] offsets = new int[StoreEventField.COUNT];
    private final int[] lengths = new int[StoreEventField.COUNT];
    private byte[] bytes = new byte[0];
    private int left;
    private int events;
    private long timestampMs;
    private long dpRank;
    private int kind;
    private StoreEventSkip skipReason;

    /**
     * Starts a batch.
     *
     * @return false if it is no batch; {@link #next} then answers {@link #END}
     */
    public boolean wrap(byte[] source, int offset, int length) {
        bytes = source;
        left = 0;
        events = 0;
        skipReason = null;
        cursor.wrap(source, offset, length);
        int items = cursor.readArray();
        if (items < 2) {
            return false;
        }
        timestampMs = (long) Double.longBitsToDouble(cursor.readDoubleBits());
        int count = cursor.readArray();
        int first = cursor.position();
        for (int i = 0; i < count && cursor.skip(); i++) {}
        dpRank = items > 2 && cursor.type() == MsgPackCursor.INT ? cursor.readInt() : -1;
        for (int i = dpRank == -1 ? 2 : 3; i < items && cursor.skip(); i++) {}
        if (cursor.failed() || !cursor.atEnd()) {
            return false;
        }
        cursor.position(first);
        left = count;
        events = count;
        return true;
    }

    /** Steps to the next event and answers its kind. */
    public int next() {
        skipReason = null;
        if (left == 0) {
            return END;
        }
        left--;
        Arrays.fill(lengths, -1);
        kind = -1;
        if (cursor.type() != MsgPackCursor.MAP) {
            cursor.skip();
            return skipped(StoreEventSkip.NOT_A_MAP);
        }
        boolean named = true;
        for (int pairs = cursor.readMap(); pairs > 0; pairs--) {
            if (cursor.type() == MsgPackCursor.STR) {
                int length = cursor.readString();
                field(StoreEventField.of(bytes, cursor.valueOffset(), length));
            } else {
                named = false;
                cursor.skip();
                cursor.skip();
            }
        }
        return named ? kind() : skipped(StoreEventSkip.NOT_A_MAP);
    }

    private void field(int field) {
        if (field < 0 || cursor.type() != MsgPackCursor.STR) {
            cursor.skip();
            return;
        }
        lengths[field] = cursor.readString();
        offsets[field] = cursor.valueOffset();
    }

    private int kind() {
        int typed = lengths[StoreEventField.EVENT_TYPE] >= 0 ? StoreEventField.EVENT_TYPE : StoreEventField.TYPE;
        kind = lengths[typed] < 0 ? -1 : StoreEventField.kind(bytes, offsets[typed], lengths[typed]);
        if (kind < 0) {
            return skipped(StoreEventSkip.UNKNOWN_TYPE);
        }
        return kind != CLEARED && lengths[StoreEventField.OBJECT_KEY] <= 0 ? skipped(StoreEventSkip.KEYLESS) : kind;
    }

    private int skipped(StoreEventSkip reason) {
        skipReason = reason;
        return SKIPPED;
    }

    /** Why the event is skipped, or null. */
    public StoreEventSkip skipReason() {
        return skipReason;
    }

    /** What the event's type says, also where it is {@link #SKIPPED} for want of a name; -1 if unknown. */
    public int eventKind() {
        return kind;
    }

    /** Events of the batch. */
    public int events() {
        return events;
    }

    /** When the master made the batch, ms since 1970. */
    public long timestampMs() {
        return timestampMs;
    }

    /** Rank of the batch, or -1. */
    public long dpRank() {
        return dpRank;
    }

    /** Where the object's name begins in the array given to {@link #wrap}. */
    public int nameOffset() {
        return offsets[StoreEventField.OBJECT_KEY];
    }

    /** Bytes of the object's name. */
    public int nameLength() {
        return Math.max(0, lengths[StoreEventField.OBJECT_KEY]);
    }

    /** Where the tenant's name begins. */
    public int tenantOffset() {
        return offsets[StoreEventField.TENANT_ID];
    }

    /** Bytes of the tenant's name; 0 if there is none. */
    public int tenantLength() {
        return Math.max(0, lengths[StoreEventField.TENANT_ID]);
    }

    /** Where the medium's name begins ({@code cpu}, {@code disk}). */
    public int mediumOffset() {
        return offsets[StoreEventField.MEDIUM];
    }

    /** Bytes of the medium's name; 0 if there is none. */
    public int mediumLength() {
        return Math.max(0, lengths[StoreEventField.MEDIUM]);
    }

    /** Where the group's name begins. */
    public int groupOffset() {
        return offsets[StoreEventField.GROUP_ID];
    }

    /** Bytes of the group's name; 0 if there is none. */
    public int groupLength() {
        return Math.max(0, lengths[StoreEventField.GROUP_ID]);
    }

    /** Where the name of the store begins, as its master was told it. */
    public int backendOffset() {
        return offsets[StoreEventField.BACKEND_ID];
    }

    /** Bytes of the store's name; 0 if there is none. */
    public int backendLength() {
        return Math.max(0, lengths[StoreEventField.BACKEND_ID]);
    }
}
