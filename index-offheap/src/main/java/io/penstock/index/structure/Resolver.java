package io.penstock.index.structure;

/**
 * Which block an engine hash means now: blocks that only dead generations hold are purged where they are met, so that
 * what is answered is known.
 *
 * <p><b>Threading:</b> owned by the writer; never inside a step.
 */
public final class Resolver {
    private final Runs runs;
    private final EngineMap map;
    private final Holders holders;
    private final Holdings holdings;
    private final Reclaimer reclaimer;

    /** Resolves in the structures of one file. */
    public Resolver(Runs runs, EngineMap map, Holders holders, Holdings holdings, Reclaimer reclaimer) {
        this.runs = runs;
        this.map = map;
        this.holders = holders;
        this.holdings = holdings;
        this.reclaimer = reclaimer;
    }

    /** Block that the holder calls so: in its own domain, else in the shared one. */
    int resolve(int holder, long hash) {
        long domain = holders.domain(holder);
        int block = findKnown(domain, hash);
        return block >= 0 || domain == Names.SHARED ? block : findKnown(Names.SHARED, hash);
    }

    /** Block that the domain calls so and that somebody alive holds, or -1; purges dead ones it meets. */
    int findKnown(long domain, long hash) {
        while (true) {
            int block = map.find(domain, hash);
            if (block < 0 || !holders.anyDying() || holdings.anyDying(runs.of(block)) == 0) {
                return block;
            }
            reclaimer.purge(runs.of(block));
        }
    }
}
