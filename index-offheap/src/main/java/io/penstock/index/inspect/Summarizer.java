package io.penstock.index.inspect;

import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.pages.BootId;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Counts what a snapshot holds.
 *
 * <p><b>Threading:</b> owned by the reader.
 */
final class Summarizer {
    private final FileWords words;
    private final Geometry in;
    private final Snapshot snapshot;
    private final BitSet granules = new BitSet();
    private final TreeMap<Integer, Long> sharing = new TreeMap<>();
    private final TreeMap<Integer, Long> lengths = new TreeMap<>();
    private long blocks;
    private long dying;
    private long places;
    private long filled;
    private int sideUnits;

    Summarizer(FileWords words, Snapshot snapshot) {
        this.words = words;
        this.snapshot = snapshot;
        in = words.in();
        PlaceCounts counts = new PlaceCounts(snapshot.workers.keySet());
        for (RunCopy run : snapshot.runs) {
            memory(run);
            lengths.merge(run.length(), 1L, Long::sum);
            counts.of(run);
            for (int place = 0; place < run.length(); place++) {
                int holders = counts.holders(place);
                if (holders > 0) {
                    sharing.merge(holders, 1L, Long::sum);
                    blocks++;
                } else if (counts.dying(place)) {
                    dying++;
                }
            }
        }
    }

    private void memory(RunCopy run) {
        granules.set(run.granule(), run.granule() + run.granules());
        places += (long) run.granules() * Geometry.GRANULE_BLOCKS;
        filled += run.length();
        for (int i = 0; i < run.setCount(); i++) {
            if (run.isColumn(i)) {
                granules.set(run.columnGranule(i), run.columnGranule(i) + run.columnGranules(i));
            }
        }
        sideUnits += (run.rangeClass() == 0 ? 0 : 1 << run.rangeClass() - 1)
                + (run.setClass() == 0 ? 0 : 1 << run.setClass() - 1);
    }

    Summary summary() {
        long state = words.at(HeaderLayout.STATE);
        return new Summary(
                words.file().file().toString(),
                HeaderLayout.VERSION_VALUE,
                state == HeaderLayout.CLEAN ? "clean" : state == HeaderLayout.DIRTY ? "dirty" : "unknown: " + state,
                owner(),
                snapshot.takenBack,
                snapshot.changing,
                half(HeaderLayout.BLOCK_SIZE),
                words.at(HeaderLayout.CAPACITY_BLOCKS),
                half(HeaderLayout.MAX_SLOTS),
                words.at(HeaderLayout.NEXT_DOMAIN),
                snapshot.runs.size(),
                blocks,
                dying,
                bands(sharing),
                bands(lengths),
                fragmentation(),
                PoolReader.read(words.file()),
                snapshot.counted());
    }

    private int half(int field) {
        return words.file().intAt(field);
    }

    private Summary.Owner owner() {
        BootId boot = new BootId(words.at(HeaderLayout.BOOT_HIGH), words.at(HeaderLayout.BOOT_LOW));
        long pid = words.at(HeaderLayout.OWNER_PID);
        String process = !BootId.current().sameAs(boot)
                ? "other boot"
                : ProcessHandle.of(pid).isPresent() ? "running" : "not seen";
        return new Summary.Owner(
                pid, words.at(HeaderLayout.OWNER_SINCE), new UUID(boot.high(), boot.low()).toString(), process);
    }

    private Summary.Fragmentation fragmentation() {
        int stretches = 0;
        int largest = 0;
        int pageGranules = in.pageBytes / Geometry.GRANULE_BYTES;
        int first = (int) (in.columns / Geometry.GRANULE_BYTES % pageGranules);
        for (int from = granules.nextClearBit(0); from < in.granuleCount; ) {
            int used = granules.nextSetBit(from);
            int page = from + pageGranules - (from + first) % pageGranules;
            int to = Math.min(Math.min(used < 0 ? in.granuleCount : used, page), in.granuleCount);
            stretches++;
            largest = Math.max(largest, to - from);
            from = granules.nextClearBit(to);
        }
        return new Summary.Fragmentation(
                in.granuleCount,
                granules.cardinality(),
                places == 0 ? 1 : Math.round(1000.0 * filled / places) / 1000.0,
                stretches,
                largest,
                in.sideUnits,
                sideUnits);
    }

    /** 1, 2, 3-4, 5-8, … */
    private static Map<String, Long> bands(TreeMap<Integer, Long> counts) {
        Map<String, Long> bands = new LinkedHashMap<>();
        counts.forEach((count, times) -> {
            int high = count < 2 ? 1 : Integer.highestOneBit(count - 1) << 1;
            bands.merge(high < 3 ? Integer.toString(high) : high / 2 + 1 + "-" + high, times, Long::sum);
        });
        return bands;
    }
}
