package io.penstock.bindings.events;

import io.penstock.bindings.msgpack.MsgPackCursor;

/**
 * The part of {@link KvEventCursor} that all engines share: the batch {@code [timestamp, [events], rank?]}, events as
 * tagged arrays or as maps, unknown keys and further elements left alone, and the rules for what is left out.
 *
 * <p>An engine says how it cuts a hash out of bytes.
 *
 * <p><b>Threading:</b> owned by the caller. <b>Cost:</b> columns grow to the largest event seen, bounded by the bytes of
 * its payload; nothing is allocated after that.
 */
public abstract class EventBatchCursor implements KvEventCursor {
    private static final int TYPE_STORED = 0;
    private static final int TYPE_REMOVED = 1;
    private static final int TYPE_CLEARED = 2;
    private static final Words TYPES = new Words("BlockStored", "BlockRemoved", "AllBlocksCleared");
    private static final Words MAIN_KINDS = new Words("full_attention", "mla_attention", "sink_full_attention");
    private static final Words LOCAL = new Words("LOCAL");
    private static final Words OWNERS = new Words("framework", "kvcr");
    private static final int MAX_BLOCK_SIZE = 1 << 20;

    private final MsgPackCursor in = new MsgPackCursor();
    private final BlockKeys keys = new BlockKeys(in);
    private final BlockColumns columns = new BlockColumns(in, this);

    private byte[] bytes = new byte[0];
    private long timestampBits;
    private int dpRank;
    private int eventsLeft;
    private boolean malformed = true;

    private int type;
    private boolean root;
    private long parent;
    private int blockSize;
    private int tier;
    private int group;
    private boolean eagle;
    private boolean lookahead;
    private boolean mainKind;
    private boolean local;
    private boolean ownerKnown;
    private boolean adapterInUse;
    private int adapterOffset;
    private int adapterLength;
    private int saltOffset;
    private int saltLength;
    private int extraKeysAt;
    private int mmInfosAt;
    private int mmKeysAt;
    private SkipReason skipReason;

    /** For engines. */
    protected EventBatchCursor() {}

    /** The 64 bits that stand for a hash given as bytes; at least eight of them. */
    protected abstract long hashOfBytes(byte[] source, int offset, int length);

    @Override
    public final boolean wrap(byte[] payload, int offset, int length) {
        bytes = payload;
        malformed = true;
        timestampBits = 0;
        dpRank = -1;
        in.wrap(payload, offset, length);
        int elements = in.readArray();
        if (elements < 2) {
            return false;
        }
        timestampBits = in.readDoubleBits();
        eventsLeft = Math.max(0, in.readArray());
        int first = in.position();
        for (int i = 0; i < eventsLeft && in.skip(); i++) {}
        for (int i = 2; i < elements && !in.failed(); i++) {
            if (i == 2 && in.type() == MsgPackCursor.INT) {
                dpRank = (int) in.readInt();
            } else {
                in.skip();
            }
        }
        if (in.failed() || !in.atEnd()) {
            return false;
        }
        in.position(first);
        malformed = false;
        return true;
    }

    @Override
    public final int next() {
        if (malformed) {
            return MALFORMED;
        }
        if (eventsLeft == 0) {
            return END;
        }
        eventsLeft--;
        forget();
        readEvent();
        int kind = broken() ? MALFORMED : judge();
        malformed |= kind == MALFORMED;
        return kind;
    }

    private void forget() {
        type = -1;
        root = true;
        parent = 0;
        blockSize = 0;
        tier = 0;
        group = -1;
        eagle = false;
        lookahead = false;
        mainKind = true;
        local = true;
        ownerKnown = true;
        adapterInUse = false;
        adapterLength = 0;
        saltLength = 0;
        extraKeysAt = -1;
        mmInfosAt = -1;
        mmKeysAt = -1;
        skipReason = null;
        keys.forget();
        columns.forget();
    }

    private void readEvent() {
        if (in.type() == MsgPackCursor.MAP) {
            readFields(in.readMap(), true);
            return;
        }
        int elements = in.readArray();
        malformed |= elements < 1;
        int shift = 0;
        for (int i = 0; i < elements && !broken(); i++) {
            if (i > 0 && type < 0) {
                in.skip();
            } else if (i >= 7 && in.type() == MsgPackCursor.MAP) {
                readFields(in.readMap(), false);
            } else if (i == 9 && type == TYPE_STORED && in.type() == MsgPackCursor.ARRAY) {
                shift = 1;
                readField(EventField.MM_INFOS);
            } else {
                readField(EventField.at(i - shift, type == TYPE_REMOVED));
            }
        }
    }

    private void readFields(int fields, boolean tagged) {
        boolean known = !tagged;
        for (int i = 0; i < fields && !broken(); i++) {
            int length = in.readString();
            int field = length < 0 ? EventField.IGNORED : EventField.of(bytes, in.valueOffset(), length);
            if (known && type < 0 && tagged) {
                in.skip();
            } else {
                readField(field);
            }
            known |= field == EventField.TYPE;
        }
        malformed |= !known;
    }

    private boolean broken() {
        return malformed || columns.malformed || in.failed();
    }

    private void readField(int field) {
        if (field != EventField.TYPE && field != EventField.IGNORED && in.readNil()) {
            return;
        }
        switch (field) {
            case EventField.TYPE -> type = word(TYPES);
            case EventField.HASHES -> columns.readHashes(bytes);
            case EventField.PARENT -> {
                parent = columns.readHash(bytes);
                root = false;
            }
            case EventField.TOKENS -> columns.readTokens();
            case EventField.BLOCK_SIZE -> blockSize = columns.readSmall(MAX_BLOCK_SIZE);
            case EventField.LORA_ID -> {
                adapterInUse = true;
                in.skip();
            }
            case EventField.MEDIUM -> {
                int length = in.readString();
                tier = length < 0 ? -1 : Media.tier(bytes, in.valueOffset(), length);
            }
            case EventField.LORA_NAME -> {
                adapterLength = Math.max(0, in.readString());
                adapterOffset = in.valueOffset();
            }
            case EventField.EXTRA_KEYS -> extraKeysAt = later();
            case EventField.MM_INFOS -> mmInfosAt = later();
            case EventField.MM_KEYS -> mmKeysAt = later();
            case EventField.GROUP -> group = columns.readSmall(Integer.MAX_VALUE);
            case EventField.KIND -> mainKind = word(MAIN_KINDS) >= 0;
            case EventField.LOCALITY -> local = word(LOCAL) >= 0;
            case EventField.OWNERSHIP -> ownerKnown = word(OWNERS) >= 0;
            case EventField.CACHE_SALT -> {
                saltLength = Math.max(0, in.readString());
                saltOffset = in.valueOffset();
            }
            case EventField.IS_EAGLE -> eagle = in.readBool();
            case EventField.COPIES -> columns.readCopies();
            case EventField.LOOKAHEAD -> {
                int position = in.position();
                lookahead = in.readArray() > 0;
                in.position(position);
                in.skip();
            }
            default -> in.skip();
        }
    }

    private int word(Words words) {
        int length = in.readString();
        return length < 0 ? -1 : words.find(bytes, in.valueOffset(), length);
    }

    private int later() {
        int position = in.position();
        in.skip();
        return position;
    }

    /** What the event is worth, now that all its fields were read. */
    private int judge() {
        if (type < 0) {
            return skipped(SkipReason.UNKNOWN_TYPE);
        }
        if (type == TYPE_CLEARED) {
            return CLEARED;
        }
        if (!local) {
            return skipped(SkipReason.REMOTE);
        }
        if (!ownerKnown) {
            return skipped(SkipReason.UNKNOWN_OWNER);
        }
        if (tier < 0) {
            return skipped(SkipReason.UNKNOWN_MEDIUM);
        }
        if (!mainKind) {
            return skipped(SkipReason.NON_MAIN_GROUP);
        }
        return type == TYPE_REMOVED ? REMOVED : judgeStored();
    }

    private int judgeStored() {
        if (columns.texts || lookahead || (eagle && !columns.pairs)) {
            return skipped(SkipReason.OPAQUE_CONTENT);
        }
        if (columns.tokenCount == 0 || blockSize == 0) {
            return skipped(SkipReason.PLACEHOLDER);
        }
        if ((long) blockSize * columns.count != columns.tokenCount) {
            return skipped(SkipReason.LENGTH_MISMATCH);
        }
        if (adapterInUse && adapterLength == 0) {
            return skipped(SkipReason.UNNAMED_ADAPTER);
        }
        for (int i = 0; i < columns.count && !root; i++) {
            if (columns.hashes[i] == parent) {
                return skipped(SkipReason.SELF_REFERENCE);
            }
        }
        return readKeys();
    }

    private int readKeys() {
        if (extraKeysAt < 0 && mmInfosAt < 0 && mmKeysAt < 0) {
            keys.none(columns.count);
            return STORED;
        }
        int end = in.position();
        SkipReason wrong =
                keys.read(bytes, columns.count, root, adapterOffset, adapterLength, extraKeysAt, mmInfosAt, mmKeysAt);
        if (in.failed()) {
            return MALFORMED;
        }
        in.position(end);
        if (keys.saltLength() > 0) {
            saltOffset = keys.saltOffset();
            saltLength = keys.saltLength();
        }
        return wrong == null ? STORED : skipped(wrong);
    }

    private int skipped(SkipReason reason) {
        skipReason = reason;
        return SKIPPED;
    }

    @Override
    public final long timestampBits() {
        return timestampBits;
    }

    @Override
    public final int dpRank() {
        return dpRank;
    }

    @Override
    public final SkipReason skipReason() {
        return skipReason;
    }

    @Override
    public final int tier() {
        return tier;
    }

    @Override
    public final int group() {
        return group;
    }

    @Override
    public final int count() {
        return columns.count;
    }

    @Override
    public final long hash(int i) {
        return columns.hashes[i];
    }

    @Override
    public final int remainingCopies(int i) {
        return columns.copyCount == columns.count ? columns.copies[i] : -1;
    }

    @Override
    public final boolean root() {
        return root;
    }

    @Override
    public final long parent() {
        return parent;
    }

    @Override
    public final int blockSize() {
        return blockSize;
    }

    @Override
    public final int[] tokens() {
        return columns.tokens;
    }

    @Override
    public final boolean bigram() {
        return columns.pairs;
    }

    @Override
    public final int adapterOffset() {
        return adapterOffset;
    }

    @Override
    public final int adapterLength() {
        return adapterLength;
    }

    @Override
    public final int saltOffset() {
        return saltOffset;
    }

    @Override
    public final int saltLength() {
        return saltLength;
    }

    @Override
    public final int mmCount(int i) {
        return keys.mmCount(i);
    }

    @Override
    public final long mmHash(int i, int j) {
        return keys.mmHash(i, j);
    }
}
