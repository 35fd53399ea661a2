package io.penstock.index.inspect;

import io.penstock.index.layout.BucketLayout;
import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeadEntry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.HolderLayout;

/**
 * Holds what is derived against the truth that the runs are: counts, granule table, heads, engine-hash map.
 *
 * <p><b>Threading:</b> owned by the reader.
 */
final class DerivedCheck {
    private static final long MIX = 0x9E3779B97F4A7C15L;
    private static final long MIX_DOMAIN = 0xC2B2AE3D27D4EB4FL;

    private final FileWords words;
    private final RunReader reader;
    private final Geometry in;
    private final Damage damage;

    DerivedCheck(FileWords words, RunReader reader, Damage damage) {
        this.words = words;
        this.reader = reader;
        this.damage = damage;
        in = words.in();
    }

    void check(RunCheck runs) {
        damage.same(words.at(HeaderLayout.RUNS_LIVE), runs.count(), "runs in use, as noted");
        damage.same(words.at(HeaderLayout.BLOCKS), runs.heldBlocks(), "blocks held, as noted");
        damage.same(words.at(HeaderLayout.NAMES), runs.named(), "names, as noted");
        damage.same(words.at(HeaderLayout.GRANULES_USED), runs.usedGranules(), "granules in use, as noted");
        damage.same(words.at(HeaderLayout.SIDE_USED), runs.usedSideUnits(), "side units in use, as noted");
        for (int holder = 0; holder < in.holderCount; holder++) {
            long record = in.holders + (long) holder * HolderLayout.BYTES;
            for (int tier = 0; tier < 4 && words.at(record + HolderLayout.STATE) != HolderLayout.FREE; tier++) {
                long noted = words.at(record + HolderLayout.HELD + (long) tier * Long.BYTES);
                damage.same(
                        noted, runs.held(holder, tier), "holder " + holder + ": blocks in tier " + tier + ", as noted");
            }
        }
        for (RunCopy run : runs.runs()) {
            check(run);
        }
    }

    private void check(RunCopy run) {
        String where = "run " + run.id + ": ";
        for (int granule = run.granule(); granule < run.granule() + run.granules(); granule++) {
            damage.same(half(in.granules, granule), run.id + 1L, where + "granule table names");
        }
        damage.unless(headFound(run), where + "is not found by its head");
        int block = run.granule() * Geometry.GRANULE_BLOCKS;
        for (int place = 0; place < run.length(); place++) {
            named(run.domain(), reader.name(run, place), block + place, where);
            for (int i = 0; i < run.setCount(); i++) {
                if (run.isColumn(i)) {
                    named(run.columnDomain(i), reader.name(run, i, place), block + place, where);
                }
            }
        }
    }

    private long half(long table, long index) {
        return words.file().intAt(table + index * Integer.BYTES) & 0xFFFF_FFFFL;
    }

    private boolean headFound(RunCopy run) {
        int tag = (int) (run.head() * MIX >>> Long.SIZE - HeadEntry.TAG_BITS);
        long wanted = HeadEntry.of(tag, run.length(), run.id);
        int slot = (int) ((long) tag * in.headSlots >>> HeadEntry.TAG_BITS);
        for (int i = 0; i < in.headSlots; i++) {
            long entry = words.at(in.heads + (long) slot * Long.BYTES);
            if (entry == wanted || entry == 0) {
                return entry == wanted;
            }
            slot = slot + 1 == in.headSlots ? 0 : slot + 1;
        }
        return false;
    }

    private void named(long domain, long name, int block, String where) {
        if (name != 0) {
            damage.unless(
                    mapped(domain, name, block),
                    where + "engine hash does not lead to its block: " + BlockSearch.hex(name));
        }
    }

    private boolean mapped(long domain, long name, int block) {
        long mixed = (name ^ domain * MIX_DOMAIN) * MIX;
        mixed = (mixed ^ mixed >>> 32) * MIX;
        int bucket = (int) ((mixed >>> 32) * in.bucketCount >>> 32);
        int tag = Math.max(1, (int) mixed & 0xFF);
        // Above the block stand as many further bits of the mixed hash as find room.
        long above = -1L << in.blockBits;
        int word = block | (int) (mixed & above);
        for (int i = 0; i < in.bucketCount; i++) {
            long line = in.map + (long) bucket * BucketLayout.BYTES;
            long first = words.at(line);
            long second = words.at(line + Long.BYTES);
            for (int slot = 0; slot < BucketLayout.SLOTS; slot++) {
                long tags = slot < 8 ? first >>> 8 * slot : second >>> 8 * (slot - 8);
                if ((tags & 0xFF) == tag && (int) half(line + BucketLayout.BLOCKS, slot) == word) {
                    return true;
                }
            }
            if ((second >>> 32 & 0xFFFF) == 0) {
                return false;
            }
            bucket = bucket + 1 == in.bucketCount ? 0 : bucket + 1;
        }
        return false;
    }
}
