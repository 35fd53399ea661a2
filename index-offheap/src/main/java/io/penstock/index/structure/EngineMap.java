package io.penstock.index.structure;

import io.penstock.index.layout.BlockCell;
import io.penstock.index.layout.BucketLayout;
import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.pages.Memory;
import io.penstock.index.pages.PageFile;

/**
 * (domain, engine hash) to block, for all workers and domains ({@link BucketLayout}). A tag that matches is verified
 * against the block's column, so the map itself holds no hashes.
 *
 * <p>I1: an entry's home bucket and every full one it passed count it in their overflow, so a look-up ends at the first
 * bucket that counts none, and a deletion needs no other entry.
 *
 * <p>Derived from the columns; built anew after a kill.
 *
 * <p><b>Threading:</b> owned by the writer. <b>Cost:</b> one cache line for nearly every operation; nothing allocated.
 */
final class EngineMap {
    /** Entries are taken up to this share of all places, in percent. */
    private static final int FULL_PERCENT = 90;

    private static final long LOW = 0x0101010101010101L;
    private static final long SEVEN = 0x7F7F7F7F7F7F7F7FL;
    private static final long FOUR_TAGS = 0xFFFF_FFFFL;
    private static final long MIX = 0x9E3779B97F4A7C15L;
    private static final long MIX_DOMAIN = 0xC2B2AE3D27D4EB4FL;
    private static final long ONE_OVERFLOW = 1L << 32;
    private static final long OVERFLOW = 0xFFFFL << 32;
    private static final int BATCH = 32;

    private final PageFile pages;
    private final StepLog steps;
    private final Names names;
    private final long map;
    private final int buckets;
    private final int blockMask;
    private final long limit;
    private final long[] lines = new long[BATCH];
    private final long[] mixes = new long[BATCH];
    private final long[] given = new long[BATCH];
    private long touched;

    /** The map of a file. */
    EngineMap(PageFile pages, StepLog steps, Names names, Geometry geometry) {
        this.pages = pages;
        this.steps = steps;
        this.names = names;
        map = geometry.map;
        buckets = geometry.bucketCount;
        // No bit is left for the tag when a block needs all 32.
        blockMask = geometry.blockBits == Integer.SIZE ? -1 : (1 << geometry.blockBits) - 1;
        limit = (long) buckets * BucketLayout.SLOTS * FULL_PERCENT / 100;
    }

    /** Block that the domain calls so, or -1. */
    int find(long domain, long hash) {
        long mixed = mix(domain, hash);
        int bucket = home(mixed);
        long pattern = tag(mixed) * LOW;
        int more = more(mixed);
        for (int i = 0; i < buckets; i++) {
            long line = line(bucket);
            long second = Memory.getLong(line + Long.BYTES);
            for (long match = matches(Memory.getLong(line), second, pattern); match != 0; match &= match - 1) {
                int word = Memory.getInt(line + BucketLayout.BLOCKS + 4L * slot(match));
                if (((word ^ more) & ~blockMask) == 0 && names.named(word & blockMask, domain, hash)) {
                    return word & blockMask;
                }
            }
            if ((second & OVERFLOW) == 0) {
                return -1;
            }
            bucket = next(bucket);
        }
        return -1;
    }

    /**
     * Adds entries for consecutive blocks until a hash is met that the domain gave to another block; answers how many
     * were added. Counted by the caller.
     *
     * <p>NOTE(perf): first the places of a batch are computed, then their lines are loaded by a loop that does nothing else,
     * then it is decided. The processor holds a few hundred instructions in flight; the fewer there are between two loads,
     * the more misses overlap. One loop for both: 16 a batch, 0.65 to 0.75 of this rate; 64 and 128 a batch are slower.
     */
    int insertAll(long domain, long[] hashes, int from, int count, int firstBlock) {
        int done = 0;
        while (done < count) {
            int batch = Math.min(BATCH, count - done);
            locate(domain, hashes, from + done, batch);
            touch(batch);
            int added = insertBatch(domain, hashes, from + done, batch, firstBlock + done);
            done += added;
            if (added < batch) {
                break;
            }
        }
        return done;
    }

    private int insertBatch(long domain, long[] hashes, int from, int count, int firstBlock) {
        for (int i = 0; i < count; i++) {
            if (insert(lines[i], mixes[i], domain, hashes[from + i], firstBlock + i) >= 0) {
                return i;
            }
        }
        return count;
    }

    /** Adds an entry unless the domain calls another block so; answers that block, or -1 when added. */
    int insert(long domain, long hash, int block) {
        long mixed = mix(domain, hash);
        return insert(line(home(mixed)), mixed, domain, hash, block);
    }

    private int insert(long line, long mixed, long domain, long hash, int block) {
        long first = Memory.getLong(line);
        long second = Memory.getLong(line + Long.BYTES);
        long free = matches(first, second, 0);
        if ((matches(first, second, tag(mixed) * LOW) | second & OVERFLOW) == 0 && free != 0) {
            put(line, slot(free), mixed, block);
            return -1;
        }
        int namesake = find(domain, Names.kept(hash));
        if (namesake < 0) {
            insertFurther(mixed, home(mixed), block);
        }
        return namesake;
    }

    private void insertFurther(long mixed, int home, int block) {
        for (int bucket = home; ; bucket = next(bucket)) {
            long line = line(bucket);
            long second = Memory.getLong(line + Long.BYTES);
            long free = matches(Memory.getLong(line), second, 0);
            if (free != 0) {
                put(line, slot(free), mixed, block);
                return;
            }
            Memory.putLong(line + Long.BYTES, second + ONE_OVERFLOW);
        }
    }

    private void put(long line, int slot, long mixed, int block) {
        Memory.putInt(line + BucketLayout.BLOCKS + 4L * slot, block | more(mixed) & ~blockMask);
        Memory.putByte(line + slot, (byte) tag(mixed));
    }

    /** Whether so many entries find room. */
    boolean roomFor(int entries) {
        return steps.root(HeaderLayout.NAMES) + entries <= limit;
    }

    /** Counts entries added, or taken out if negative. */
    void added(int entries) {
        steps.addRoot(HeaderLayout.NAMES, entries);
    }

    /** Takes out the entries of places {@code from} to {@code to} of an extent that have names; answers how many. */
    int deleteAll(long domain, long base, int from, int to, int firstBlock) {
        int gone = 0;
        for (int begin = from; begin < to; ) {
            int end = Math.min(to, (begin / BATCH + 1) * BATCH);
            locateNames(domain, base, begin, end);
            touch(end - begin);
            gone += deleteBatch(end - begin, firstBlock + begin);
            begin = end;
        }
        return gone;
    }

    private int deleteBatch(int count, int firstBlock) {
        int gone = 0;
        for (int i = 0; i < count; i++) {
            if (given[i] != 0) {
                deleteAt(lines[i], mixes[i], firstBlock + i);
                gone++;
            }
        }
        return gone;
    }

    /** Takes an entry out that is there; the caller counts by {@link #added}. */
    void delete(long domain, long hash, int block) {
        long mixed = mix(domain, hash);
        deleteAt(line(home(mixed)), mixed, block);
    }

    private void deleteAt(long line, long mixed, int block) {
        int word = block | more(mixed) & ~blockMask;
        long match = matches(Memory.getLong(line), Memory.getLong(line + Long.BYTES), tag(mixed) * LOW);
        if (match != 0 && Memory.getInt(line + BucketLayout.BLOCKS + 4L * slot(match)) == word) {
            Memory.putByte(line + slot(match), (byte) 0);
        } else {
            deleteFurther(mixed, word);
        }
    }

    private void deleteFurther(long mixed, int word) {
        int bucket = home(mixed);
        long pattern = tag(mixed) * LOW;
        for (int i = 0; i < buckets; i++) {
            long line = line(bucket);
            long second = Memory.getLong(line + Long.BYTES);
            for (long match = matches(Memory.getLong(line), second, pattern); match != 0; match &= match - 1) {
                int slot = slot(match);
                if (Memory.getInt(line + BucketLayout.BLOCKS + 4L * slot) == word) {
                    Memory.putByte(line + slot, (byte) 0);
                    return;
                }
            }
            Memory.putLong(line + Long.BYTES, second - ONE_OVERFLOW);
            bucket = next(bucket);
        }
        throw new IllegalStateException("engine hash is not in the map: block=" + (word & blockMask));
    }

    /** Forgets all entries. */
    void forget() {
        for (int bucket = 0; bucket < buckets; bucket++) {
            long line = line(bucket);
            Memory.putLong(line, 0);
            Memory.putLong(line + Long.BYTES, 0);
        }
        steps.setRoot(HeaderLayout.NAMES, 0);
    }

    /** Adds the names of an extent's places; answers how many there are, or -1 when one means two blocks. */
    int insertColumn(long domain, long base, int length, int firstBlock) {
        int added = 0;
        for (int begin = 0; begin < length; begin += BATCH) {
            int end = Math.min(length, begin + BATCH);
            locateNames(domain, base, begin, end);
            touch(end - begin);
            for (int place = begin; place < end; place++) {
                long name = given[place - begin];
                if (name != 0) {
                    if (insert(domain, name, firstBlock + place) >= 0) {
                        return -1;
                    }
                    added++;
                }
            }
        }
        return added;
    }

    /** Where the hashes are at home. */
    private void locate(long domain, long[] hashes, int from, int count) {
        for (int i = 0; i < count; i++) {
            long mixed = mix(domain, Names.kept(hashes[from + i]));
            mixes[i] = mixed;
            lines[i] = line(home(mixed));
        }
    }

    /** Where the names of places are at home. */
    private void locateNames(long domain, long base, int from, int to) {
        for (int place = from; place < to; place++) {
            long name = Memory.getLong(BlockCell.at(base, place) + BlockCell.NAME);
            long mixed = mix(domain, name);
            given[place - from] = name;
            mixes[place - from] = mixed;
            lines[place - from] = line(home(mixed));
        }
    }

    /** Loads the lines; nothing but loads, so that as many as the processor can are under way at once. */
    private void touch(int count) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += Memory.getLong(lines[i]);
        }
        touched = sum;
    }

    /** Keeps {@link #touch}'s loads alive for the compiler. */
    long touched() {
        return touched;
    }

    private long line(int bucket) {
        return pages.address(map + (long) bucket * BucketLayout.BYTES);
    }

    /** A bit for each of the 12 tags that equal the pattern's, exact also above a match; {@link #slot} tells whose. */
    private static long matches(long first, long second, long pattern) {
        return zeroBytes(first ^ pattern) >>> 7 | (zeroBytes(second ^ pattern) & FOUR_TAGS) >>> 3;
    }

    /** Tags of the first word have bits 0, 8, .., 56, those of the second 4, 12, 20, 28. */
    private static int slot(long matches) {
        int bit = Long.numberOfTrailingZeros(matches);
        return (bit >>> 3) + ((bit & 4) << 1);
    }

    private static long zeroBytes(long x) {
        return ~((x & SEVEN) + SEVEN | x | SEVEN);
    }

    private static long mix(long domain, long hash) {
        long mixed = (hash ^ domain * MIX_DOMAIN) * MIX;
        return (mixed ^ mixed >>> 32) * MIX;
    }

    private static long tag(long mixed) {
        long tag = mixed & 0xFF;
        return tag == 0 ? 1 : tag;
    }

    /** Bits of which those above a block's are kept beside it. NOTE(perf): a false match costs a miss in the column. */
    private static int more(long mixed) {
        return (int) mixed;
    }

    private int home(long mixed) {
        return (int) ((mixed >>> 32) * buckets >>> 32);
    }

    private int next(int bucket) {
        return bucket + 1 == buckets ? 0 : bucket + 1;
    }
}
