package io.penstock.index.inspect;

import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.HolderLayout;
import io.penstock.index.layout.SlotLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/**
 * Copies the slots in use, each whole by its sum, all of them together under the holders' version.
 *
 * <p><b>Threading:</b> one reader; a writer may run beside it.
 */
final class SlotCopies {
    private static final int TRIES = 64;
    private static final int WORDS = SlotLayout.SUM / Long.BYTES;
    private static final TierCounts NOT_COUNTED = new TierCounts(0, 0, 0, 0);

    private final FileWords words;
    private final Geometry in;

    SlotCopies(FileWords words) {
        this.words = words;
        in = words.in();
    }

    /** Workers by the holder of their slot's present generation. */
    Map<Integer, WorkerState> live() {
        Map<Integer, WorkerState> found = Map.of();
        for (int i = 0; i < TRIES; i++) {
            long version = words.at(HeaderLayout.HOLDERS_VERSION);
            FileWords.fence();
            found = all();
            FileWords.fence();
            // A killed writer may have left it odd for good; each record has its own sum.
            if (version == words.at(HeaderLayout.HOLDERS_VERSION) && ((version & 1) == 0 || i > TRIES / 2)) {
                break;
            }
            Thread.yield();
        }
        return found;
    }

    private Map<Integer, WorkerState> all() {
        Map<Integer, WorkerState> found = new TreeMap<>();
        long capacity = (in.holders - in.slots) / SlotLayout.BYTES;
        long limit = Math.clamp(words.at(HeaderLayout.SLOT_LIMIT), 0, capacity);
        for (int slot = 0; slot < limit; slot++) {
            long[] record = record(slot);
            int holder = (int) record[SlotLayout.HOLDER >>> 3];
            if (record[SlotLayout.OPEN >>> 3] == 1 && holds(holder, slot)) {
                found.put(holder, state(slot, holder, record));
            }
        }
        return found;
    }

    private boolean holds(int holder, int slot) {
        return holder >= 0
                && holder < in.holderCount
                && holderWord(holder, HolderLayout.STATE) == HolderLayout.LIVE
                && holderWord(holder, HolderLayout.SLOT) == slot;
    }

    long holderWord(int holder, int field) {
        return words.at(in.holders + (long) holder * HolderLayout.BYTES + field);
    }

    /** The record; a sum that does not hold after many tries is for the check to say. */
    private long[] record(int slot) {
        long[] record = new long[WORDS + 1];
        for (int i = 0; i < TRIES; i++) {
            for (int word = 0; word <= WORDS; word++) {
                record[word] = words.at(in.slots + (long) slot * SlotLayout.BYTES + (long) word * Long.BYTES);
            }
            if (sum(record, WORDS) == record[WORDS]) {
                break;
            }
            Thread.yield();
        }
        return record;
    }

    /** Sum of a record's first words, each weighted by its place. */
    static long sum(long[] record, int count) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += record[i] * (2L * i + 1);
        }
        return sum;
    }

    private WorkerState state(int slot, int holder, long[] record) {
        long sequence = record[SlotLayout.SEQUENCE >>> 3];
        WorkerState.LastBatch last = sequence < 0
                ? null
                : new WorkerState.LastBatch(
                        sequence,
                        Double.longBitsToDouble(record[SlotLayout.TIMESTAMP >>> 3]),
                        HexFormat.of().toHexDigits(record[SlotLayout.BATCH_HASH >>> 3]));
        return new WorkerState(
                slot,
                name(record),
                record[SlotLayout.DP_RANK >>> 3],
                record[SlotLayout.GENERATION >>> 3],
                holderWord(holder, HolderLayout.DOMAIN),
                record[SlotLayout.BATCH_OPEN >>> 3] == 1,
                last,
                NOT_COUNTED);
    }

    private static String name(long[] record) {
        ByteBuffer bytes = ByteBuffer.allocate(SlotLayout.MAX_NAME_BYTES + 1).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < bytes.capacity() / Long.BYTES; i++) {
            bytes.putLong(record[(SlotLayout.NAME >>> 3) + i]);
        }
        int length = Math.clamp(record[SlotLayout.NAME_BYTES >>> 3], 0, SlotLayout.MAX_NAME_BYTES);
        return new String(bytes.array(), 0, length, StandardCharsets.UTF_8);
    }
}
