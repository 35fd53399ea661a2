package io.penstock.index.structure;

import io.penstock.index.layout.HeaderLayout;

/**
 * Takes dead generations out of all runs, some runs a call. A pass covers the generations that were dead when it began;
 * at its end their holder numbers are free again. Not stored: after a restart a pass simply begins anew.
 *
 * <p><b>Threading:</b> owned by the writer. <b>Cost:</b> one step a run visited, up to 512 blocks of work each.
 */
public final class Sweeper {
    private final StepLog steps;
    private final Runs runs;
    private final Reclaimer reclaimer;
    private final Holders holders;
    private final long[] pass;
    private boolean passing;
    private int cursor;

    /** Sweeps the runs of a file. */
    public Sweeper(StepLog steps, Runs runs, Reclaimer reclaimer, Holders holders) {
        this.steps = steps;
        this.runs = runs;
        this.reclaimer = reclaimer;
        this.holders = holders;
        pass = new long[holders.chunks()];
    }

    /** At most so many steps; answers how many were used, 0 when nothing is dead. */
    public int sweep(int maxSteps) {
        int used = 0;
        while (used < maxSteps && (passing || begin())) {
            used++;
            if (cursor >= steps.root(HeaderLayout.RUN_HIGH)) {
                finish();
                continue;
            }
            long run = runs.byId(cursor++);
            if (runs.live(run)) {
                reclaimer.purge(run);
            }
            if (runs.live(run)) {
                reclaimer.releaseDeadColumns(run);
            }
        }
        return used;
    }

    private boolean begin() {
        if (!holders.anyDying()) {
            return false;
        }
        for (int chunk = 0; chunk < pass.length; chunk++) {
            pass[chunk] = holders.dying(chunk);
        }
        cursor = 0;
        passing = true;
        return true;
    }

    private void finish() {
        for (int chunk = 0; chunk < pass.length; chunk++) {
            for (long bits = pass[chunk]; bits != 0; bits &= bits - 1) {
                holders.free(chunk * Long.SIZE + Long.numberOfTrailingZeros(bits));
                steps.commit();
            }
        }
        passing = false;
    }
}
