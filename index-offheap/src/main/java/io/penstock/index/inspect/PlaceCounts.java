package io.penstock.index.inspect;

import io.penstock.index.layout.Geometry;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * How many live holders have each place of a run, in any tier, and where only former generations are.
 *
 * <p><b>Threading:</b> owned by the reader; reused from run to run.
 */
final class PlaceCounts {
    private static final int WORDS = Geometry.MAX_RUN_BLOCKS / Long.SIZE;

    private final Set<Integer> live;
    private final Map<Integer, long[]> parts = new HashMap<>();
    private final long[] former = new long[WORDS];
    private final int[] changes = new int[Geometry.MAX_RUN_BLOCKS + 1];
    private final int[] holders = new int[Geometry.MAX_RUN_BLOCKS];

    PlaceCounts(Set<Integer> live) {
        this.live = live;
    }

    /** Counts a run. */
    void of(RunCopy run) {
        parts.clear();
        Arrays.fill(former, 0);
        Arrays.fill(changes, 0);
        run.holdings((holder, tier, from, to, copies) -> {
            if (copies == 0) {
                long[] places = live.contains(holder) ? parts.computeIfAbsent(holder, any -> new long[WORDS]) : former;
                mark(places, from, to);
            }
        });
        for (long[] places : parts.values()) {
            for (int from = next(places, 0, true); from < Geometry.MAX_RUN_BLOCKS; ) {
                int to = next(places, from, false);
                changes[from]++;
                changes[to]--;
                from = next(places, to, true);
            }
        }
        int count = 0;
        for (int place = 0; place < run.length(); place++) {
            count += changes[place];
            holders[place] = count;
        }
    }

    private static void mark(long[] places, int from, int to) {
        for (int word = from >>> 6; word <= to - 1 >>> 6; word++) {
            long low = word == from >>> 6 ? -1L << from : -1L;
            long high = word == to - 1 >>> 6 ? -1L >>> -to : -1L;
            places[word] |= low & high;
        }
    }

    /** First place from {@code from} on that is set, or is not. */
    private static int next(long[] places, int from, boolean set) {
        for (int place = from; place < Geometry.MAX_RUN_BLOCKS; place++) {
            long rest = (set ? places[place >>> 6] : ~places[place >>> 6]) >>> place;
            if (rest != 0) {
                return place + Long.numberOfTrailingZeros(rest);
            }
            place |= 63;
        }
        return Geometry.MAX_RUN_BLOCKS;
    }

    /** Live holders of a place. */
    int holders(int place) {
        return holders[place];
    }

    /** Whether only former generations have the place. */
    boolean dying(int place) {
        return holders[place] == 0 && (former[place >>> 6] >>> place & 1) != 0;
    }
}
