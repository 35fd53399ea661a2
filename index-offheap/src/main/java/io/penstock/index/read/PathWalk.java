package io.penstock.index.read;

import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeadEntry;
import io.penstock.index.layout.HeaderLayout;

/**
 * Finds the runs of a query's path through the heads table and has them copied.
 *
 * <p>A hit needs no guard of the table: the run's own version says that it stands and begins with the block, and while it
 * stands it is in the index, wherever its entry may be moving. A miss does: entries move when one is deleted, under
 * {@link HeaderLayout#HEADS_VERSION}. An insertion is not guarded and need not be: a probe sees an entry's place taken
 * until the first free one, so what is inserted before the probe loads that free place is met on the way.
 *
 * <p><b>Threading:</b> owned by the reader. <b>Cost:</b> one probe, two cache lines, a run.
 */
final class PathWalk {
    private static final int MISS = -3;

    private final PageView view;
    private final PathCopy path;
    private final long table;
    private final int slots;

    PathWalk(PageView view, PathCopy path) {
        this.view = view;
        this.path = path;
        Geometry geometry = view.geometry();
        table = geometry.heads;
        slots = geometry.headSlots;
    }

    /**
     * Continues the path as far as the query has runs. True: at the instant of the last load the index had, after the path's
     * runs, no run that begins with the query's next block (or the query ended). False: the writer was at it.
     */
    boolean walk(long[] sequences, int count) {
        long version = Versions.read(view, HeaderLayout.HEADS_VERSION);
        while (path.end() < count) {
            int found = next(sequences, count);
            if (found == PathCopy.CHANGING) {
                return false;
            }
            if (found == MISS) {
                // Else an entry was deleted since the walk began, and the probe may have missed one that moved.
                return !Versions.changing(version) && Versions.stood(view, HeaderLayout.HEADS_VERSION, version);
            }
        }
        return true;
    }

    private int next(long[] sequences, int count) {
        int tag = HeadEntry.tagOf(sequences[path.end()]);
        int slot = HeadEntry.home(tag, slots);
        // A table without a free place is damage; no probe goes round twice.
        for (int probed = 0; probed < slots; probed++) {
            // Acquire; partner: the barrier of the step that stored the entry after it made its run's version odd.
            long entry = view.longAcquire(table + (long) slot * Long.BYTES);
            if (entry == 0) {
                return MISS;
            }
            long run = HeadEntry.tag(entry) == tag ? path.run(HeadEntry.id(entry)) : -1;
            if (run >= 0) {
                int found = path.add(run, sequences, count);
                if (found != PathCopy.ANOTHER) {
                    return found;
                }
            }
            slot = slot + 1 == slots ? 0 : slot + 1;
        }
        return MISS;
    }
}
