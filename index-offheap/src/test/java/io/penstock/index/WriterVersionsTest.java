package io.penstock.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeadEntry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.HolderLayout;
import io.penstock.index.layout.RunLayout;
import io.penstock.index.layout.RunShape;
import io.penstock.index.layout.SetKey;
import io.penstock.index.layout.SlotLayout;
import io.penstock.index.read.MappedIndex;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The writer's side of the readers' protocol: whatever readers rely on changes only together with its version. */
class WriterVersionsTest {
    private static final long SEED = Long.getLong("penstock.seed", 20261130L);
    private static final int SLOTS = 100;

    @TempDir
    Path folder;

    private MappedIndex file;
    private Geometry geometry;
    private long[][] before;
    private final long[] changes = new long[4];
    private long[] heads = new long[0];
    private long removals;

    @Test
    void shouldRaiseTheVersionOfAllThatAnOperationChanged() {
        Random random = new Random(SEED);
        IndexConfig config = new IndexConfig(folder.resolve("index"), 16, 1, 1 << 16, SLOTS);
        try (OffHeapIndex index = OffHeapIndex.open(config);
                MappedIndex mapped = MappedIndex.open(config.file())) {
            file = mapped;
            geometry = mapped.geometry();
            for (int script = 0; script < 12; script++) {
                Traffic traffic = new Traffic(random.nextLong(), 150, script % 4 == 0 ? 70 : 6, 60);
                traffic.opening().forEach(operation -> operation.apply(index));
                before = snapshot();
                for (int i = 0; i < 250; i++) {
                    Traffic.Operation operation = traffic.next();
                    operation.apply(index);
                    compare("script=" + script + ", " + i + ": " + operation);
                }
                for (int slot = 0; slot < index.slotLimit(); slot++) {
                    index.removeSlot(slot);
                }
                while (index.sweep(1) > 0) {
                    compare("script=" + script + ", sweep");
                }
            }
        }
        for (long change : changes) {
            assertTrue(change > 100, "seed=" + SEED + ": a kind of change hardly happens: " + change);
        }
    }

    private void compare(String where) {
        long[][] after = snapshot();
        for (int kind = 0; kind < before.length; kind++) {
            for (int i = 0; i < before[kind].length; i += 2) {
                assertEquals(0, after[kind][i] & 1, "seed=" + SEED + ", " + where + ": odd between operations");
                if (before[kind][i + 1] != after[kind][i + 1]) {
                    changes[kind]++;
                    assertTrue(
                            after[kind][i] > before[kind][i],
                            "seed=" + SEED + ", " + where + ": changed under one version, kind=" + kind + ", number="
                                    + i / 2);
                }
            }
        }
        before = after;
    }

    /** Versions and digests in turn: of the runs, of the slots, of the holders, of the heads. */
    private long[][] snapshot() {
        long[] runs = new long[2 * geometry.runCount];
        for (int id = 0; id < geometry.runCount; id++) {
            long run = geometry.runs + (long) id * RunLayout.BYTES;
            runs[2 * id] = file.longAt(run + RunLayout.VERSION);
            runs[2 * id + 1] = run(run);
        }
        long[] slots = new long[2 * SLOTS];
        for (int slot = 0; slot < SLOTS; slot++) {
            long record = geometry.slots + (long) slot * SlotLayout.BYTES;
            slots[2 * slot] = file.longAt(record + SlotLayout.VERSION) + 2 * file.longAt(HeaderLayout.HOLDERS_VERSION);
            slots[2 * slot + 1] = words(record, SlotLayout.SUM, 0);
        }
        long holders = 0;
        for (int holder = 0; holder < geometry.holderCount; holder++) {
            holders = words(geometry.holders + (long) holder * HolderLayout.BYTES, HolderLayout.DOMAIN, holders);
        }
        return new long[][] {
            runs,
            slots,
            {file.longAt(HeaderLayout.HOLDERS_VERSION), holders},
            {file.longAt(HeaderLayout.HEADS_VERSION), removedHeads()}
        };
    }

    /** Goes up when an entry is no longer where it was; insertions need no version. */
    private long removedHeads() {
        long[] now = new long[geometry.headSlots];
        for (int slot = 0; slot < now.length; slot++) {
            // The length in an entry is a guess to readers.
            now[slot] = HeadEntry.withLength(file.longAt(geometry.heads + (long) slot * Long.BYTES), 0);
            if (slot < heads.length && heads[slot] != 0 && heads[slot] != now[slot]) {
                removals++;
            }
        }
        heads = now;
        return removals;
    }

    private long run(long run) {
        long extent = file.longAt(run + RunLayout.EXTENT);
        if (RunShape.granules(extent) == 0) {
            return 0;
        }
        long shape = file.longAt(run + RunLayout.SHAPE);
        long side = file.longAt(run + RunLayout.SIDE);
        long digest = ChainHash.next(extent, file.longAt(run + RunLayout.HEAD));
        digest = ChainHash.next(ChainHash.next(digest, shape), file.longAt(run + RunLayout.DEVICE));
        int ranges = RunShape.ranges(shape);
        digest = words(run + RunLayout.RANGES, Math.min(ranges, RunLayout.INLINE_RANGES) * Long.BYTES, digest);
        if (ranges > RunLayout.INLINE_RANGES) {
            digest = words(unit(RunShape.rangeUnit(side)), (ranges - RunLayout.INLINE_RANGES) * Long.BYTES, digest);
        }
        if (RunShape.sets(shape) > 0) {
            digest = words(unit(RunShape.setUnit(side)), RunShape.sets(shape) * SetKey.WORDS * Long.BYTES, digest);
        }
        for (int place = 0; place < RunShape.length(extent); place++) {
            digest = ChainHash.next(
                    digest,
                    file.longAt(geometry.columns
                            + (RunShape.granule(extent) + (place >>> 4)) * Geometry.GRANULE_BYTES
                            + (place & 15) * (long) Long.BYTES));
        }
        return digest;
    }

    private long unit(long unit) {
        return geometry.side + unit * Geometry.SIDE_UNIT_BYTES;
    }

    private long words(long offset, int bytes, long digest) {
        long chained = digest;
        for (int at = 0; at < bytes; at += Long.BYTES) {
            chained = ChainHash.next(chained, file.longAt(offset + at));
        }
        return chained;
    }
}
