package io.penstock.index.structure;

import java.util.Arrays;

/**
 * What a step gave back. Free memory carries links in its first words, which would destroy what the undo log needs if the
 * step were taken back; so memory becomes free only after the step is done.
 *
 * <p><b>Threading:</b> owned by the writer. <b>Cost:</b> nothing allocated once the largest step was seen.
 */
final class Released {
    private static final int WORDS = 3;
    private static final long EXTENT = 0;
    private static final long SIDE = 1;
    private static final long RUN = 2;

    private long[] queue = new long[WORDS * 16];
    private int used;
    private Extents extents;
    private SideArena arena;
    private Runs runs;

    /** Whose memory it is. */
    void belongsTo(Extents extents, SideArena arena, Runs runs) {
        this.extents = extents;
        this.arena = arena;
        this.runs = runs;
    }

    void extent(int first, int size) {
        add(EXTENT, first, size);
    }

    void side(int unit, int sizeClass) {
        add(SIDE, unit, sizeClass);
    }

    void run(long run) {
        add(RUN, run, 0);
    }

    private void add(long kind, long first, long size) {
        if (used == queue.length) {
            queue = Arrays.copyOf(queue, used * 2);
        }
        queue[used] = kind;
        queue[used + 1] = first;
        queue[used + 2] = size;
        used += WORDS;
    }

    boolean any() {
        return used > 0;
    }

    /** The step that gave it back is done. */
    void free() {
        for (int i = 0; i < used; i += WORDS) {
            if (queue[i] == EXTENT) {
                extents.free((int) queue[i + 1], (int) queue[i + 2]);
            } else if (queue[i] == SIDE) {
                arena.free((int) queue[i + 1], (int) queue[i + 2]);
            } else {
                runs.free(queue[i + 1]);
            }
        }
        used = 0;
    }
}
