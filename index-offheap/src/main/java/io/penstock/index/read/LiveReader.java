package io.penstock.index.read;

import io.penstock.index.Overlaps;
import java.util.Objects;

/**
 * Looks prefixes up beside the writer, without a lock and without stopping it: over the writer's pages in the same
 * process, or over a mapping of the file in any process. What it answers is what {@code PrefixIndex.match} answered at one
 * instant between the call and the return; or, {@link #complete} false, not more than that.
 *
 * <p>How, and why it is right:
 * <ol>
 *   <li>The holders' copy is that of the present {@code HOLDERS_VERSION}.
 *   <li>The path is collected run by run: header, lists and the query's agreement with the column, each run under its own
 *       version. The walk ends at an instant T at which no further run was there.
 *   <li>After T every run's version is loaded again, and {@code HOLDERS_VERSION}. A version that is even and the same
 *       before T and after T means that no step that touches its words was in flight at T: all copies stood together at T.
 *   <li>Where one does not hold, the path is kept up to it and the walk goes on from there, to a new T, at most {@value
 *       #ATTEMPTS} times.
 *   <li>Then the answer is that for the longest part of the path that stood at the last T: blocks that were there, of
 *       holders that lived. A prefix of a query never matches more than the query.
 * </ol>
 *
 * <p>Nothing here depends on when the writer uses memory again: words of freed or reused memory may be copied, in bounds
 * that come from a header found to stand, and are dropped because the version of their former owner has gone on.
 *
 * <p>While nobody writes, a writer that was killed within a step has left versions odd; what they guard is missing from
 * answers then, which are not complete.
 *
 * <p><b>Threading:</b> owned by one reader thread; make one for each. <b>Cost:</b> as the writer's own look-up plus a copy
 * of each run's header, two loads a run and two of the file's header line, which the writer keeps taking away; nothing
 * allocated once the longest path was seen.
 */
public final class LiveReader {
    /** Answer of {@link #match} where the index was closed, or the file was cut beneath the mapping. */
    public static final int UNREADABLE = -1;

    private static final int ATTEMPTS = 100;
    private static final int MOST_SPINS = 64;

    private final HolderCopy holders;
    private final PathCopy path;
    private final PathWalk walk;
    private final Credits credits;
    private final SlotReader slots;
    private final NameCopy names;
    private boolean complete = true;
    private long undercounts;
    private long retries;

    LiveReader(PageView view) {
        holders = new HolderCopy(view);
        path = new PathCopy(view);
        walk = new PathWalk(view, path);
        credits = new Credits(path, holders);
        slots = new SlotReader(view);
        names = new NameCopy(view);
    }

    /** A reader of a mapped file; several may share the mapping. */
    public static LiveReader of(MappedIndex index) {
        return new LiveReader(index.view());
    }

    /**
     * As {@link io.penstock.index.PrefixIndex#match}; the order of entries may differ from the writer's.
     *
     * @return number of entries in {@code out}, or {@link #UNREADABLE}
     */
    public int match(long[] sequenceHashes, int count, Overlaps out) {
        Objects.checkFromIndexSize(0, count, sequenceHashes.length);
        out.clear();
        path.cut(0);
        try {
            complete = collect(sequenceHashes, count);
            if (!complete) {
                undercounts++;
            }
            credits.answer(out);
            return out.size();
        } catch (IllegalStateException | InternalError closedOrCut) {
            complete = false;
            undercounts++;
            out.clear();
            return UNREADABLE;
        }
    }

    /**
     * What the engine in a slot calls the blocks of a prompt, from the first on: its own hashes, in the slot's hash domain.
     * Whether it holds the blocks is for {@link #match} to say. It may be too few while the writer is at them.
     *
     * @param out as long as {@code count}; written up to the answer
     * @return leading blocks that have a name, or {@link #UNREADABLE}
     */
    public int names(long[] sequenceHashes, int count, int slot, long[] out) {
        Objects.checkFromIndexSize(0, count, sequenceHashes.length);
        Objects.checkFromIndexSize(0, count, out.length);
        path.cut(0);
        try {
            complete = collect(sequenceHashes, count);
            int named = names.copy(path, slot, out);
            complete &= named >= path.end();
            return named;
        } catch (IndexOutOfBoundsException wild) {
            // No writer leaves such words: the file is damaged.
            complete = false;
            return 0;
        } catch (IllegalStateException | InternalError closedOrCut) {
            complete = false;
            return UNREADABLE;
        }
    }

    /** Leaves on the path what stood at one instant; answers whether that is all. */
    private boolean collect(long[] sequences, int count) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (attempt > 0) {
                retries++;
                pause(attempt);
            }
            if (!holders.stands() && !holders.copy()) {
                continue;
            }
            boolean ended;
            boolean damaged = false;
            try {
                ended = walk.walk(sequences, count);
            } catch (IndexOutOfBoundsException wild) {
                // No writer leaves such a header: the file is damaged, and what came before it is all there is.
                ended = true;
                damaged = true;
            }
            int standing = path.standing();
            boolean all = ended && standing == path.length() && holders.stood();
            path.cut(standing);
            if (all) {
                return !damaged;
            }
        }
        // The runs that are left stood at the last walk's end; so must the holders have.
        if (!holders.stands()) {
            path.cut(0);
        }
        return false;
    }

    private static void pause(int attempt) {
        for (int spin = Math.min(attempt, MOST_SPINS); spin > 0; spin--) {
            Thread.onSpinWait();
        }
    }

    /** Whether the last answer was the whole truth of an instant; else it may be too low. */
    public boolean complete() {
        return complete;
    }

    /** Answers that were not {@link #complete}. */
    public long undercounts() {
        return undercounts;
    }

    /** Times that a look-up went on after the writer had changed what was read. */
    public long retries() {
        return retries;
    }

    /** Highest slot ever given plus one. */
    public int slotLimit() {
        return slots.limit();
    }

    /** What the directory says of the slot, or null where it belongs to no worker or did not hold still. */
    public SlotState slot(int slot) {
        return slots.read(slot);
    }
}
