package io.penstock.index.structure;

import io.penstock.index.IndexConfig;
import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.RunLayout;
import io.penstock.index.pages.IndexFile;
import io.penstock.index.pages.Memory;
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
    public final Extents extents;

    /** Run headers. */
    public final Runs runs;

    /** Their lists. */
    public final RunLists lists;

    /** Heads. */
    public final Heads heads;

    /** Engine hashes. */
    public final Names names;

    /** Engine hash to block. */
    public final EngineMap map;

    /** Holders. */
    public final Holders holders;

    /** Who holds what. */
    public final Holdings holdings;

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

    /** Checks of all structures. */
    public final Verifier verifier;

    private final PageFile pages;

    /** Wires the structures of {@code file}. */
    public Structures(IndexFile file, IndexConfig config) {
        pages = file.pages();
        Geometry geometry = file.geometry();
        steps = new StepLog(pages, geometry);
        extents = new Extents(pages, steps, geometry);
        runs = new Runs(pages, steps, extents, geometry);
        SideArena arena = new SideArena(pages, steps, geometry);
        lists = new RunLists(pages, steps, arena);
        heads = new Heads(pages, steps, runs, geometry);
        names = new Names(pages, steps, runs, lists, extents);
        map = new EngineMap(pages, steps, names, geometry);
        holders = new Holders(steps, geometry);
        holdings = new Holdings(steps, runs, lists, holders);
        Reclaimer reclaimer = new Reclaimer(steps, runs, lists, names, map, heads, extents, holdings, holders);
        directory = new Directory(steps, holders, geometry, config.maxSlots());
        Resolver resolver = new Resolver(runs, map, holders, holdings, reclaimer);
        applier = new Applier(pages, steps, runs, heads, extents, names, map, holders, holdings, reclaimer, resolver);
        remover = new Remover(steps, runs, names, holders, reclaimer, resolver);
        matcher = new Matcher(runs, lists, heads, holders);
        sweeper = new Sweeper(steps, runs, reclaimer, holders);
        verifier = new Verifier(steps, geometry, runs, lists, heads, names, map, extents, holders, holdings);
    }

    /** Makes a fresh file's structures empty; pages are zero. */
    public void format() {
        extents.format();
        Memory.putLong(pages.address(HeaderLayout.NEXT_DOMAIN), Names.SHARED + 1);
    }

    /** Bytes of the run headers in use. */
    public long runBytes() {
        return steps.root(HeaderLayout.RUNS_LIVE) * RunLayout.BYTES;
    }
}
