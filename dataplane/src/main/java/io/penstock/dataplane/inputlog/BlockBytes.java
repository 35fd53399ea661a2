package io.penstock.dataplane.inputlog;

import io.penstock.dataplane.pipeline.BlockBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.MutableDirectBuffer;

/**
 * Body of a KV event with blocks.
 *
 * <pre>
 *   0 slot i32   4 tier i32   8 parent's engine hash u64   16 first step's bound i32   20 count as given i32
 *  24 blocks i32   28 engine hashes u64 each, then, of a stored event, local hashes u64 each
 * </pre>
 *
 * <p><b>Threading:</b> stateless. <b>Cost:</b> writing allocates nothing.
 */
final class BlockBytes {
    static final int SLOT = 0;
    static final int TIER = SLOT + Integer.BYTES;
    static final int PARENT = TIER + Integer.BYTES;
    static final int STEPS = PARENT + Long.BYTES;
    static final int GIVEN = STEPS + Integer.BYTES;
    static final int COUNT = GIVEN + Integer.BYTES;
    static final int HASHES = COUNT + Integer.BYTES;

    private BlockBytes() {}

    /** Blocks that can be written: none of an event with a count that cannot be. */
    static int countOf(BlockBuffer blocks) {
        return blocks.count < 0 || blocks.count > blocks.capacity() ? 0 : blocks.count;
    }

    static int length(int count, boolean stored) {
        return HASHES + count * (stored ? 2 : 1) * Long.BYTES;
    }

    static void write(
            MutableDirectBuffer to,
            int at,
            int slot,
            int tier,
            long parent,
            int mostSteps,
            BlockBuffer blocks,
            boolean stored) {
        int count = countOf(blocks);
        to.putInt(at + SLOT, slot, ByteOrder.LITTLE_ENDIAN);
        to.putInt(at + TIER, tier, ByteOrder.LITTLE_ENDIAN);
        to.putLong(at + PARENT, parent, ByteOrder.LITTLE_ENDIAN);
        to.putInt(at + STEPS, mostSteps, ByteOrder.LITTLE_ENDIAN);
        to.putInt(at + GIVEN, blocks.count, ByteOrder.LITTLE_ENDIAN);
        to.putInt(at + COUNT, count, ByteOrder.LITTLE_ENDIAN);
        longs(blocks.engineHashes, count, to, at + HASHES);
        if (stored) {
            longs(blocks.localHashes, count, to, at + HASHES + count * Long.BYTES);
        }
    }

    static void longs(long[] from, int count, MutableDirectBuffer to, int at) {
        for (int i = 0; i < count; i++) {
            to.putLong(at + i * Long.BYTES, from[i], ByteOrder.LITTLE_ENDIAN);
        }
    }

    /** Fills a buffer from a body; the caller gave one with room for {@link #COUNT} blocks. */
    static void read(ByteBuffer body, BlockBuffer into, boolean stored) {
        int count = body.getInt(COUNT);
        for (int i = 0; i < count; i++) {
            into.engineHashes[i] = body.getLong(HASHES + i * Long.BYTES);
            if (stored) {
                into.localHashes[i] = body.getLong(HASHES + (count + i) * Long.BYTES);
            }
        }
        into.count = body.getInt(GIVEN);
    }
}
