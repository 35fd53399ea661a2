package io.penstock.index.structure;

import io.penstock.index.IndexConfig;
import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.RunLayout;
import io.penstock.index.pages.IndexFile;
import io.penstock.index.pages.PageFile;

/**
 * The structures of one open file, wired together.
 *
 * <p><b>Threading:</b> owned by the writer.
 */
public final class Structures {
    /** Undo log. */
    public final StepLog steps;

    /** Granules. */
    final Extents extents;

    /** Run headers. */
    final Runs runs;

    /** Side blocks. */
    final SideArena arena;

    /** Their lists. */
    final RunLists lists;

    /** Heads. */
    final Heads heads;

    /** Engine hashes. */
    final Names names;

    /** Engine hash to block. */
    final EngineMap map;

    /** Holders. */
    public final Holders holders;

    /** Who holds what. */
    final Holdings holdings;

    /** Slots. */
    public final Directory directory;

    /** Writer of stored events. */
    public final Applier applier;

    /** Writer of removals. */
    public final Remover remover;

    /** Look-ups. */
    public final Matcher matcher;

    /** Sweep. */
    public final Sweeper sweeper;

    /** What a killed writer left is brought back by. */
    public final Repair repair;

    /** Checks of all structures. */
    public final Verifier verifier;

    /** Runs as words that any file can take. */
    public final RunRecords records;

    private final PageFile pages;

    /** Wires the structures of {@code file}. */
    public Structures(IndexFile file, IndexConfig config) {
        pages = file.pages();
        Geometry geometry = file.geometry();
        steps = new StepLog(pages, geometry);
        extents = new Extents(pages, steps, geometry);
        runs = new Runs(pages, steps, extents, geometry);
        arena = new SideArena(pages, steps, geometry);
        steps.released().belongsTo(extents, arena, runs);
        lists = new RunLists(pages, steps, runs, arena);
        heads = new Heads(pages, steps, runs, geometry);
        names = new Names(pages, steps, runs, lists, extents);
        map = new EngineMap(pages, steps, names, geometry);
        holders = new Holders(steps, geometry);
        holdings = new Holdings(steps, runs, lists, holders);
        Reclaimer reclaimer = new Reclaimer(steps, runs, lists, names, map, heads, holdings, holders);
        directory = new Directory(steps, holders, geometry, config.maxSlots());
        Resolver resolver = new Resolver(runs, map, holders, holdings, reclaimer);
        applier = new Applier(
                pages, steps, runs, lists, heads, extents, names, map, holders, holdings, reclaimer, resolver);
        remover = new Remover(steps, runs, names, holders, reclaimer, resolver);
        matcher = new Matcher(runs, lists, heads, holders);
        sweeper = new Sweeper(steps, runs, reclaimer, holders);
        repair = new Repair(this, geometry);
        records = new RunRecords(pages, steps, runs, lists, extents, arena, map, geometry);
        verifier = new Verifier(steps, geometry, runs, lists, heads, names, map, extents, holders, holdings);
    }

    /** Makes a fresh file's structures empty; pages are zero. */
    public void format() {
        steps.format();
        extents.freeTheRest();
        steps.setRoot(HeaderLayout.NEXT_DOMAIN, Names.SHARED + 1);
    }

    /** Makes all versions even: nothing is being changed. */
    void settle() {
        runs.settle();
        directory.settle();
        steps.settle(HeaderLayout.HEADS_VERSION);
        steps.settle(HeaderLayout.HOLDERS_VERSION);
    }

    /** Reads from a file closed in order what is kept on the heap beside it, and begins with an empty log. */
    public void load() {
        steps.format();
        steps.settle(HeaderLayout.HEADS_VERSION);
        steps.settle(HeaderLayout.HOLDERS_VERSION);
        heads.load();
        arena.load();
    }

    /** Only when generations died faster than they were swept: there are twice as many holders as slots. */
    public void makeRoomForHolder() {
        while (!holders.anyFree() && holders.anyDying()) {
            sweeper.sweep(Integer.MAX_VALUE);
        }
    }

    /** Bytes of the run headers in use. */
    public long runBytes() {
        return steps.root(HeaderLayout.RUNS_LIVE) * RunLayout.BYTES;
    }
}
