package io.penstock.bindings.events;

import io.penstock.bindings.msgpack.MsgPackCursor;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.openhft.hashing.LongHashFunction;

/**
 * What a stored event says of each block beside its tokens: multimodal objects, and on a prompt's first block the salt.
 *
 * <p>Sources: vLLM's {@code extra_keys} (per block nil or a list of adapter name, {@code [mm_id, offset]} pairs, salt on
 * the first block of a prompt, bytes of prompt embeddings), Dynamo's {@code block_mm_infos}, TensorRT-LLM's
 * {@code mm_keys}. The multimodal hash is Dynamo's: the first 16 hex digits of a 64-digit identifier, XXH3-64 (seed 0)
 * of any other.
 *
 * <p><b>Threading:</b> owned by its cursor. <b>Cost:</b> no allocation once its columns have grown.
 */
final class BlockKeys {
    private static final LongHashFunction IDENTIFIER = LongHashFunction.xx3(0);
    private static final byte[] CACHE_SALT = "cache_salt".getBytes(StandardCharsets.UTF_8);
    private static final byte[] LORA = "lora".getBytes(StandardCharsets.UTF_8);
    private static final Words MM_INFO_FIELDS = new Words("mm_objects", "mm_hash");
    private static final Words MM_KEY_FIELDS = new Words("hash");

    private final MsgPackCursor in;
    private byte[] bytes;
    private long[] mm = new long[16];
    private int[] ends = new int[64];
    private int mmTotal;
    private int saltOffset;
    private int saltLength;

    BlockKeys(MsgPackCursor in) {
        this.in = in;
    }

    void forget() {
        mmTotal = 0;
        saltLength = 0;
    }

    void none(int count) {
        if (count > ends.length) {
            ends = new int[2 * count];
        }
        Arrays.fill(ends, 0, count, 0);
    }

    int saltOffset() {
        return saltOffset;
    }

    int saltLength() {
        return saltLength;
    }

    int mmCount(int block) {
        return ends[block] - start(block);
    }

    long mmHash(int block, int j) {
        return mm[start(block) + j];
    }

    private int start(int block) {
        return block == 0 ? 0 : ends[block - 1];
    }

    /** Reads the lists at the given positions (-1: absent); answers why the event is of no use, or null. */
    SkipReason read(
            byte[] source,
            int count,
            boolean root,
            int adapterOffset,
            int adapterLength,
            int extraKeysAt,
            int mmInfosAt,
            int mmKeysAt) {
        bytes = source;
        none(count);
        int given = (extraKeysAt >= 0 ? 1 : 0) + (mmInfosAt >= 0 ? 1 : 0) + (mmKeysAt >= 0 ? 1 : 0);
        if (given > 1 && mmKeysAt >= 0 && mmInfosAt >= 0) {
            return SkipReason.OPAQUE_CONTENT;
        }
        // Dynamo's infos repeat what extra_keys say of images: they win, extra_keys then give the salt only.
        int from = mmInfosAt >= 0 ? mmInfosAt : mmKeysAt;
        int at = extraKeysAt;
        SkipReason wrong = null;
        if (at >= 0) {
            in.position(at);
            wrong = readExtraKeys(count, root, adapterOffset, adapterLength);
        }
        if (from >= 0 && wrong == null && !in.failed()) {
            mmTotal = 0;
            none(count);
            in.position(from);
            wrong = readObjects(count, mmInfosAt >= 0);
        }
        return wrong;
    }

    private SkipReason readExtraKeys(int count, boolean root, int adapterOffset, int adapterLength) {
        int blocks = in.readArray();
        if (blocks > count) {
            return SkipReason.LENGTH_MISMATCH;
        }
        SkipReason wrong = null;
        for (int i = 0; i < count && !in.failed(); i++) {
            if (i < blocks && !in.readNil()) {
                SkipReason found = readBlock(root && i == 0, adapterOffset, adapterLength);
                wrong = wrong == null ? found : wrong;
            }
            seal(i);
        }
        return wrong;
    }

    private SkipReason readBlock(boolean first, int adapterOffset, int adapterLength) {
        SkipReason wrong = null;
        int items = in.readArray();
        for (int k = 0; k < items && !in.failed(); k++) {
            switch (in.type()) {
                case MsgPackCursor.STR -> {
                    int length = in.readString();
                    int offset = in.valueOffset();
                    boolean adapter = adapterLength > 0
                            && Arrays.equals(
                                    bytes,
                                    offset,
                                    offset + length,
                                    bytes,
                                    adapterOffset,
                                    adapterOffset + adapterLength);
                    if (!adapter) {
                        plainKey(first, offset, length);
                    }
                }
                case MsgPackCursor.ARRAY -> {
                    SkipReason found = readTuple();
                    wrong = wrong == null ? found : wrong;
                }
                case MsgPackCursor.INT -> in.skip();
                default -> {
                    in.skip();
                    wrong = SkipReason.OPAQUE_CONTENT;
                }
            }
        }
        return wrong;
    }

    /** A bare text is the salt where a salt may stand, last of its list; elsewhere an image of older versions. */
    private void plainKey(boolean first, int offset, int length) {
        if (!first) {
            add(identifier(offset, length));
            return;
        }
        if (saltLength > 0) {
            add(identifier(saltOffset, saltLength));
        }
        saltOffset = offset;
        saltLength = length;
    }

    private SkipReason readTuple() {
        int elements = in.readArray();
        if (elements < 1 || in.type() != MsgPackCursor.STR) {
            for (int i = 0; i < elements; i++) {
                in.skip();
            }
            return SkipReason.OPAQUE_CONTENT;
        }
        int length = in.readString();
        int offset = in.valueOffset();
        if (elements >= 2 && in.type() == MsgPackCursor.INT) {
            add(identifier(offset, length));
            return skipRest(elements - 1, null);
        }
        if (is(CACHE_SALT, offset, length) && elements == 2 && in.type() == MsgPackCursor.STR) {
            saltLength = in.readString();
            saltOffset = in.valueOffset();
            return null;
        }
        boolean image = length == 2 && bytes[offset] == 'm' && bytes[offset + 1] == 'm';
        if (image && elements == 3 && in.type() == MsgPackCursor.STR) {
            int idLength = in.readString();
            add(identifier(in.valueOffset(), idLength));
            return skipRest(1, null);
        }
        return skipRest(elements - 1, is(LORA, offset, length) ? null : SkipReason.OPAQUE_CONTENT);
    }

    private SkipReason skipRest(int elements, SkipReason answer) {
        for (int i = 0; i < elements; i++) {
            in.skip();
        }
        return answer;
    }

    private boolean is(byte[] word, int offset, int length) {
        return length == word.length && Arrays.equals(word, 0, length, bytes, offset, offset + length);
    }

    /** Per block nil, or a list of objects: Dynamo wraps the list in a map and calls the hash mm_hash. */
    private SkipReason readObjects(int count, boolean infos) {
        int blocks = in.readArray();
        if (blocks > count) {
            return SkipReason.LENGTH_MISMATCH;
        }
        boolean clear = true;
        for (int i = 0; i < count && !in.failed(); i++) {
            if (i < blocks && !in.readNil()) {
                clear &= infos ? readWrapped() : readList(MM_KEY_FIELDS, 0);
            }
            seal(i);
        }
        return clear ? null : SkipReason.OPAQUE_CONTENT;
    }

    private boolean readWrapped() {
        if (in.type() != MsgPackCursor.MAP) {
            in.skip();
            return false;
        }
        boolean found = false;
        int fields = in.readMap();
        for (int i = 0; i < fields && !in.failed(); i++) {
            int length = in.readString();
            if (length >= 0 && MM_INFO_FIELDS.find(bytes, in.valueOffset(), length) == 0) {
                found = readList(MM_INFO_FIELDS, 1);
            } else {
                in.skip();
            }
        }
        return found;
    }

    private boolean readList(Words names, int hashName) {
        if (in.type() != MsgPackCursor.ARRAY) {
            in.skip();
            return false;
        }
        boolean all = true;
        int objects = in.readArray();
        for (int i = 0; i < objects && !in.failed(); i++) {
            all &= readObject(names, hashName);
        }
        return all;
    }

    private boolean readObject(Words names, int hashName) {
        if (in.type() != MsgPackCursor.MAP) {
            in.skip();
            return false;
        }
        boolean found = false;
        int fields = in.readMap();
        for (int i = 0; i < fields && !in.failed(); i++) {
            int length = in.readString();
            if (length < 0 || names.find(bytes, in.valueOffset(), length) != hashName) {
                in.skip();
            } else if (in.type() == MsgPackCursor.INT) {
                add(in.readInt());
                found = true;
            } else if (in.type() == MsgPackCursor.STR) {
                int idLength = in.readString();
                add(identifier(in.valueOffset(), idLength));
                found = true;
            } else {
                in.skip();
            }
        }
        return found;
    }

    private void add(long hash) {
        if (mmTotal == mm.length) {
            mm = Arrays.copyOf(mm, 2 * mm.length);
        }
        mm[mmTotal++] = hash;
    }

    /** Ends a block's objects and sorts them: few, so by insertion. */
    private void seal(int block) {
        ends[block] = mmTotal;
        int start = start(block);
        for (int i = start + 1; i < mmTotal; i++) {
            long hash = mm[i];
            int j = i;
            for (; j > start && Long.compareUnsigned(mm[j - 1], hash) > 0; j--) {
                mm[j] = mm[j - 1];
            }
            mm[j] = hash;
        }
    }

    private long identifier(int offset, int length) {
        if (length == 64) {
            long hash = 0;
            boolean hex = true;
            for (int i = 0; i < 64; i++) {
                int digit = Character.digit(bytes[offset + i], 16);
                hex &= digit >= 0;
                hash = i < 16 ? hash << 4 | digit & 0xf : hash;
            }
            if (hex) {
                return hash;
            }
        }
        return IDENTIFIER.hashBytes(bytes, offset, length);
    }
}
