package io.penstock.bindings.events;

import io.penstock.bindings.msgpack.MsgPackCursor;
import java.util.Arrays;

/**
 * The part of {@link KvEventCursor} that all engines share: the batch {@code [timestamp, [events], rank?]}, events as
 * tagged arrays or as maps, unknown keys and further elements left alone, and the rules for what is left out.
 *
 * <p>An engine says how it cuts a hash out of bytes, and what stands where in its array form.
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

    private byte[] bytes = new byte[0];
    private long timestampBits;
    private int dpRank;
    private int eventsLeft;
    private boolean malformed = true;

    private long[] hashes = new long[64];
    private int[] copies = new int[64];
    private int[] tokens = new int[1024];
    private int count;
    private int copyCount;
    private int tokenCount;
    private int type;
    private boolean root;
    private long parent;
    private int blockSize;
    private int tier;
    private int group;
    private boolean pairs;
    private boolean eagle;
    private boolean textTokens;
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
        int kind = in.failed() || malformed ? MALFORMED : judge();
        malformed |= kind == MALFORMED;
        return kind;
    }

    private void forget() {
        count = 0;
        copyCount = 0;
        tokenCount = 0;
        type = -1;
        root = true;
        parent = 0;
        blockSize = 0;
        tier = 0;
        group = -1;
        pairs = false;
        eagle = false;
        textTokens = false;
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
                readField(fieldAt(i - shift));
            }
        }
    }

    private int fieldAt(int position) {
        if (type == TYPE_REMOVED) {
            return switch (position) {
                case 1 -> EventField.HASHES;
                case 2 -> EventField.MEDIUM;
                case 3 -> EventField.GROUP;
                default -> EventField.IGNORED;
            };
        }
        return switch (position) {
            case 0 -> EventField.TYPE;
            case 1 -> EventField.HASHES;
            case 2 -> EventField.PARENT;
            case 3 -> EventField.TOKENS;
            case 4 -> EventField.BLOCK_SIZE;
            case 5 -> EventField.LORA_ID;
            case 6 -> EventField.MEDIUM;
            case 7 -> EventField.LORA_NAME;
            case 8 -> EventField.EXTRA_KEYS;
            case 9 -> EventField.GROUP;
            case 10 -> EventField.KIND;
            default -> EventField.IGNORED;
        };
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
        return malformed || in.failed();
    }

    private void readField(int field) {
        if (field != EventField.TYPE && field != EventField.IGNORED && in.readNil()) {
            return;
        }
        switch (field) {
            case EventField.TYPE -> type = word(TYPES);
            case EventField.HASHES -> readHashes();
            case EventField.PARENT -> {
                parent = readHash();
                root = false;
            }
            case EventField.TOKENS -> readTokens();
            case EventField.BLOCK_SIZE -> blockSize = readSmall(MAX_BLOCK_SIZE);
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
            case EventField.GROUP -> group = readSmall(Integer.MAX_VALUE);
            case EventField.KIND -> mainKind = word(MAIN_KINDS) >= 0;
            case EventField.LOCALITY -> local = word(LOCAL) >= 0;
            case EventField.OWNERSHIP -> ownerKnown = word(OWNERS) >= 0;
            case EventField.CACHE_SALT -> {
                saltLength = Math.max(0, in.readString());
                saltOffset = in.valueOffset();
            }
            case EventField.IS_EAGLE -> eagle = in.readBool();
            case EventField.COPIES -> readCopies();
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

    private int readSmall(int max) {
        long value = in.readInt();
        malformed |= value < 0 || value > max;
        return (int) value;
    }

    private long readHash() {
        if (in.type() == MsgPackCursor.BIN) {
            int length = in.readBinary();
            if (length >= 8) {
                return hashOfBytes(bytes, in.valueOffset(), length);
            }
            malformed = true;
            return 0;
        }
        return in.readInt();
    }

    private void readHashes() {
        int length = Math.max(0, in.readArray());
        if (length > hashes.length) {
            hashes = new long[grown(length)];
        }
        for (int i = 0; i < length && !broken(); i++) {
            hashes[i] = readHash();
        }
        count = length;
    }

    private void readCopies() {
        int length = Math.max(0, in.readArray());
        if (length > copies.length) {
            copies = new int[grown(length)];
        }
        for (int i = 0; i < length && !broken(); i++) {
            copies[i] = readSmall(Integer.MAX_VALUE);
        }
        copyCount = length;
    }

    private void readTokens() {
        int length = Math.max(0, in.readArray());
        pairs = length > 0 && in.type() == MsgPackCursor.ARRAY;
        int perToken = pairs ? 2 : 1;
        if ((long) length * perToken > tokens.length) {
            tokens = new int[grown(length * perToken)];
        }
        int at = 0;
        for (int i = 0; i < length && !broken(); i++) {
            if (in.type() == MsgPackCursor.STR) {
                textTokens = true;
                in.skip();
                continue;
            }
            malformed |= pairs && in.readArray() != 2;
            for (int j = 0; j < perToken && !broken(); j++) {
                long token = in.readInt();
                malformed |= token < 0 || token > 0xffff_ffffL;
                tokens[at++] = (int) token;
            }
        }
        tokenCount = length;
    }

    private static int grown(int needed) {
        return Math.max(needed, (int) Math.min(1L << 24, 2L * needed));
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
        if (textTokens || lookahead || (eagle && !pairs)) {
            return skipped(SkipReason.OPAQUE_CONTENT);
        }
        if (tokenCount == 0 || blockSize == 0) {
            return skipped(SkipReason.PLACEHOLDER);
        }
        if ((long) blockSize * count != tokenCount) {
            return skipped(SkipReason.LENGTH_MISMATCH);
        }
        if (adapterInUse && adapterLength == 0) {
            return skipped(SkipReason.UNNAMED_ADAPTER);
        }
        for (int i = 0; i < count && !root; i++) {
            if (hashes[i] == parent) {
                return skipped(SkipReason.SELF_REFERENCE);
            }
        }
        return readKeys();
    }

    private int readKeys() {
        if (extraKeysAt < 0 && mmInfosAt < 0 && mmKeysAt < 0) {
            keys.none(count);
            return STORED;
        }
        int end = in.position();
        SkipReason wrong =
                keys.read(bytes, count, root, adapterOffset, adapterLength, extraKeysAt, mmInfosAt, mmKeysAt);
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
        return count;
    }

    @Override
    public final long hash(int i) {
        return hashes[i];
    }

    @Override
    public final int remainingCopies(int i) {
        return copyCount == count ? copies[i] : -1;
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
        return tokens;
    }

    @Override
    public final boolean bigram() {
        return pairs;
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

    @Override
    public final String toString() {
        return getClass().getSimpleName() + "[eventsLeft=" + eventsLeft + ", malformed=" + malformed + ", hashes="
                + Arrays.toString(Arrays.copyOf(hashes, Math.min(count, 8))) + ']';
    }
}
