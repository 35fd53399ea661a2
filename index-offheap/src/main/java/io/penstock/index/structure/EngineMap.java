package io.penstock.index.structure;

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
 * <p><b>Threading:</b> owned by the writer. <b>Cost:</b> one cache line for nearly every operation; nothing allocated.
 */
public final class EngineMap {
    /** Entries are taken up to this share of all places, in percent. */
    private static final int FULL_PERCENT = 90;

    private static final long LOW = 0x0101010101010101L;
    private static final long SEVEN = 0x7F7F7F7F7F7F7F7FL;
    private static final long FOUR_TAGS = 0xFFFF_FFFFL;
    private static final long GATHER = 0x0102040810204080L;
    private static final long MIX = 0x9E3779B97F4A7C15L;
    private static final long MIX_DOMAIN = 0xC2B2AE3D27D4EB4FL;
    private static final long ONE_OVERFLOW = 1L << 32;

    private final PageFile pages;
    private final StepLog steps;
    private final Names names;
    private final long map;
    private final int buckets;
    private final long limit;
    private long lastDeletingStep = -1;
    private long touched;

    /** The map of a file. */
    public EngineMap(PageFile pages, StepLog steps, Names names, Geometry geometry) {
        this.pages = pages;
        this.steps = steps;
        this.names = names;
        map = geometry.map;
        buckets = geometry.bucketCount;
        limit = (long) buckets * BucketLayout.SLOTS * FULL_PERCENT / 100;
    }

    /** Block that the domain calls so, or -1. */
    public int find(long domain, long hash) {
        long mixed = mix(domain, hash);
        int bucket = home(mixed);
        long pattern = tag(mixed) * LOW;
        for (int i = 0; i < buckets; i++) {
            long line = pages.address(map + (long) bucket * BucketLayout.BYTES);
            long second = Memory.getLong(line + Long.BYTES);
            for (int match = matches(Memory.getLong(line), second, pattern); match != 0; match &= match - 1) {
                int block = Memory.getInt(line + BucketLayout.BLOCKS + 4L * Integer.numberOfTrailingZeros(match));
                if (names.named(block, domain, hash)) {
                    return block;
                }
            }
            if ((second >>> 32 & 0xFFFF) == 0) {
                return -1;
            }
            bucket = next(bucket);
        }
        return -1;
    }

    /**
     * Adds an entry unless the domain calls another block so; answers that block, or -1 when added. The caller counts
     * what it added by {@link #added}. Throws {@link OutOfCapacity}.
     */
    int insert(long domain, long hash, int block) {
        long mixed = mix(domain, hash);
        int bucket = home(mixed);
        long offset = map + (long) bucket * BucketLayout.BYTES;
        long line = pages.address(offset);
        long first = Memory.getLong(line);
        long second = Memory.getLong(line + Long.BYTES);
        if ((second >>> 32 & 0xFFFF) == 0 && matches(first, second, tag(mixed) * LOW) == 0) {
            int free = matches(first, second, 0);
            if (free != 0) {
                put(offset, line, Integer.numberOfTrailingZeros(free), tag(mixed), block);
                return -1;
            }
        }
        int namesake = find(domain, hash);
        if (namesake < 0) {
            insertFurther(mixed, bucket, block);
        }
        return namesake;
    }

    private void insertFurther(long mixed, int home, int block) {
        for (int bucket = home; ; bucket = next(bucket)) {
            long offset = map + (long) bucket * BucketLayout.BYTES;
            long line = pages.address(offset);
            long second = Memory.getLong(line + Long.BYTES);
            int free = matches(Memory.getLong(line), second, 0);
            if (free != 0) {
                put(offset, line, Integer.numberOfTrailingZeros(free), tag(mixed), block);
                return;
            }
            steps.put(offset + Long.BYTES, second + ONE_OVERFLOW);
        }
    }

    /** Throws {@link OutOfCapacity} unless so many entries find room. */
    void require(int entries) {
        if (steps.root(HeaderLayout.NAMES) + entries > limit) {
            throw OutOfCapacity.INSTANCE;
        }
    }

    /** Counts entries added, or taken out if negative. */
    void added(int entries) {
        steps.addRoot(HeaderLayout.NAMES, entries);
    }

    private void put(long offset, long line, int slot, long tag, int block) {
        long blockAt = BucketLayout.BLOCKS + 4L * slot;
        if (lastDeletingStep == steps.stepNumber()) {
            // The place may have been emptied in this very step: its block is needed if the step is taken back.
            steps.putInt(offset + blockAt, block);
        } else {
            Memory.putInt(line + blockAt, block);
        }
        setTag(offset, slot, tag);
    }

    private void setTag(long offset, int slot, long tag) {
        long word = offset + (slot & -8);
        int shift = (slot & 7) * 8;
        steps.put(word, steps.get(word) & ~(0xFFL << shift) | tag << shift);
    }

    /** Takes an entry out that is there; the caller counts by {@link #added}. */
    void delete(long domain, long hash, int block) {
        long mixed = mix(domain, hash);
        int bucket = home(mixed);
        long pattern = tag(mixed) * LOW;
        lastDeletingStep = steps.stepNumber();
        for (int i = 0; i < buckets; i++) {
            long offset = map + (long) bucket * BucketLayout.BYTES;
            long line = pages.address(offset);
            long second = Memory.getLong(line + Long.BYTES);
            for (int match = matches(Memory.getLong(line), second, pattern); match != 0; match &= match - 1) {
                int slot = Integer.numberOfTrailingZeros(match);
                if (Memory.getInt(line + BucketLayout.BLOCKS + 4L * slot) == block) {
                    setTag(offset, slot, 0);
                    return;
                }
            }
            steps.put(offset + Long.BYTES, second - ONE_OVERFLOW);
            bucket = next(bucket);
        }
        throw new IllegalStateException("engine hash is not in the map: block=" + block);
    }

    /**
     * Loads the home lines of a batch before anything is decided on them, so that their cache misses overlap.
     * NOTE(perf): 1.5 to 2.2 times the apply rate when the map exceeds the cache; 16 a batch is the optimum.
     */
    void touch(long domain, long[] hashes, int from, int count) {
        long sum = 0;
        for (int i = from; i < from + count; i++) {
            sum += Memory.getLong(pages.address(map
                    + (long) home(mix(domain, Names.kept(hashes[i]))) * BucketLayout.BYTES));
        }
        touched = sum;
    }

    /** The same for the names of places {@code from} to {@code to} of an extent. */
    void touchNames(long domain, long base, int from, int to) {
        long sum = 0;
        for (int place = from; place < to; place++) {
            long name = Memory.getLong(Runs.cellAt(base, place) + (long) Geometry.GRANULE_BLOCKS * Long.BYTES);
            sum += Memory.getLong(pages.address(map + (long) home(mix(domain, name)) * BucketLayout.BYTES));
        }
        touched = sum;
    }

    /** Keeps {@link #touch}'s loads alive for the compiler. */
    long touched() {
        return touched;
    }

    /** One bit for each of the 12 tags that equal the pattern's; exact also above a match. */
    private static int matches(long first, long second, long pattern) {
        long a = zeroBytes(first ^ pattern);
        long b = zeroBytes(second ^ pattern) & FOUR_TAGS;
        return (int) ((a >>> 7) * GATHER >>> 56 | (b >>> 7) * GATHER >>> 56 << 8);
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

    private int home(long mixed) {
        return (int) ((mixed >>> 32) * buckets >>> 32);
    }

    private int next(int bucket) {
        return bucket + 1 == buckets ? 0 : bucket + 1;
    }
}
