package io.penstock.dataplane.core;

import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.metrics.Counting;
import io.penstock.dataplane.pipeline.BlockBuffer;
import io.penstock.dataplane.pipeline.PipelineView;
import io.penstock.dataplane.pipeline.PrefixIndexFactory;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.pool.PoolObjects;
import io.penstock.index.pool.PageIndex;
import io.penstock.index.pool.PageRanges;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The shared pools: takes in what is learnt of them, a bounded number of objects at a time, and finds a prompt's pages.
 *
 * <p>I1: a pool answers nothing before a complete listing, nor from a doubt on until the next one. I2: a listing that was
 * begun before the doubt does not end it. I3: no event with objects is given while {@link #isPending}.
 *
 * <p><b>Threading:</b> owned by the core. <b>Cost:</b> allocates when a layout is told, never for objects and prompts.
 */
public final class PagePools {
    private static final int MOST_POOLS = 1 << 10;
    private static final int STORED = 0;
    private static final int SEEN = 1;
    private static final int REMOVED = 2;
    private static final long NS_PER_SECOND = 1_000_000_000L;

    private final PrefixIndexFactory factory;
    private final Counting counters;
    private final long[] key = new long[PageIndex.KEY_WORDS];
    private final MissedPages missed = new MissedPages();
    private PagePool[] pools = {};
    private PageRanges[] answers = {new PageRanges()};

    private BlockBuffer objects;
    private int kind;
    private PagePool into;
    private int done;

    PagePools(PrefixIndexFactory factory, Counting counters) {
        this.factory = factory;
        this.counters = counters;
    }

    /** The pool has this layout from now on; 0 objects: none. The same again changes nothing. */
    public void layout(int pool, int pageSize, int objectsPerPage) {
        if (pool < 0 || pool >= MOST_POOLS || objectsPerPage < 0 || (objectsPerPage > 0 && pageSize < 1)) {
            counters.increment(Counter.POOL_EVENTS_INVALID);
            return;
        }
        PagePool known = of(pool);
        if (known != null && known.pageSize == pageSize && known.index.objectsPerPage() == objectsPerPage) {
            return;
        }
        if (known != null) {
            pools[pool] = null;
            known.index.clear();
            factory.close(known.index);
        }
        if (objectsPerPage > 0) {
            open(pool, pageSize, objectsPerPage);
        }
    }

    private void open(int pool, int pageSize, int objectsPerPage) {
        if (pool >= pools.length) {
            pools = Arrays.copyOf(pools, pool + 1);
        }
        try {
            pools[pool] = new PagePool(pool, pageSize, factory.openPages(pool, pageSize, objectsPerPage));
        } catch (RuntimeException refused) {
            // Requests go on without this pool; what is wrong with the file is told where it is opened.
            counters.increment(Counter.POOLS_UNOPENED);
        }
    }

    private PagePool of(int pool) {
        return pool >= 0 && pool < pools.length ? pools[pool] : null;
    }

    /** Whether an event with objects is only partly applied. */
    public boolean isPending() {
        return objects != null;
    }

    /** Objects became resident. */
    public void stored(int pool, BlockBuffer buffer) {
        begin(STORED, pool, buffer);
    }

    /** A listing shows objects. */
    public void seen(int pool, BlockBuffer buffer) {
        begin(SEEN, pool, buffer);
    }

    /** Objects left. */
    public void removed(int pool, BlockBuffer buffer) {
        begin(REMOVED, pool, buffer);
    }

    private void begin(int as, int pool, BlockBuffer buffer) {
        PagePool known = of(pool);
        if (buffer.count < 0 || buffer.count > buffer.capacity()) {
            counters.increment(Counter.POOL_EVENTS_INVALID);
        } else if (known == null) {
            counters.add(Counter.POOL_OBJECTS_WITHOUT_LAYOUT, PoolObjects.count(buffer));
        } else if (PoolObjects.count(buffer) > 0) {
            objects = buffer;
            kind = as;
            into = known;
            done = 0;
        }
    }

    /**
     * Goes on with the objects in hand.
     *
     * @return objects taken
     */
    int advance(int mostSteps, long nowNs) {
        if (objects == null) {
            return 0;
        }
        int count = Math.min(mostSteps, PoolObjects.count(objects) - done);
        int end = done + count;
        if (kind == REMOVED) {
            remove(end);
        } else {
            store(end, seconds(nowNs));
        }
        done = end;
        if (done == PoolObjects.count(objects)) {
            objects = null;
            into = null;
        }
        return count;
    }

    private void store(int end, int nowSeconds) {
        int added = 0;
        int confirmed = 0;
        for (int i = done; i < end; i++) {
            int object = PoolObjects.get(objects, i, key, 0);
            int result = into.index.stored(key, 0, object, nowSeconds);
            added += result == PageIndex.ADDED ? 1 : 0;
            confirmed += result == PageIndex.CONFIRMED ? 1 : 0;
        }
        count(kind == SEEN ? Counter.POOL_OBJECTS_SEEN : Counter.POOL_OBJECTS_STORED, added);
        count(Counter.POOL_OBJECTS_MISSING, kind == SEEN && into.counts ? added : 0);
        count(Counter.POOL_OBJECTS_CONFIRMED, confirmed);
        count(Counter.POOL_OBJECTS_REFUSED, end - done - added - confirmed);
    }

    private void remove(int end) {
        int known = 0;
        for (int i = done; i < end; i++) {
            int object = PoolObjects.get(objects, i, key, 0);
            known += into.index.removed(key, 0, object) ? 1 : 0;
        }
        count(Counter.POOL_OBJECTS_REMOVED, known);
        count(Counter.POOL_OBJECTS_REMOVED_UNKNOWN, end - done - known);
    }

    private void count(Counter counter, int amount) {
        if (amount > 0) {
            counters.add(counter, amount);
        }
    }

    /** The pool was emptied. */
    public void cleared(int pool) {
        PagePool known = known(pool);
        if (known != null) {
            known.index.clear();
            known.sweepDue = true;
            counters.increment(Counter.POOLS_CLEARED);
        }
    }

    /** The pool does not count until it was listed. */
    public void doubted(int pool) {
        PagePool known = known(pool);
        if (known != null) {
            known.counts = false;
            known.listing = false;
            counters.increment(Counter.POOLS_DOUBTED);
        }
    }

    /** A listing begins. */
    public void listing(int pool) {
        PagePool known = known(pool);
        if (known != null) {
            known.index.beginListing();
            known.listing = true;
        }
    }

    /** The listing is complete. */
    public void listed(int pool) {
        PagePool known = known(pool);
        if (known != null && known.listing) {
            known.index.endListing();
            known.listing = false;
            known.counts = true;
            known.sweepDue = true;
            counters.increment(Counter.POOLS_LISTED);
        }
    }

    private PagePool known(int pool) {
        PagePool known = of(pool);
        if (known == null) {
            counters.increment(Counter.POOL_EVENTS_WITHOUT_LAYOUT);
        }
        return known;
    }

    /** Answers which of the prompt's pages each of its pools holds; valid until the next call. */
    void match(RouteRequest request) {
        for (int entry = 0; entry < request.poolings; entry++) {
            request.pageRanges[entry] = answer(entry);
            request.pageRanges[entry].clear();
            PagePool pool = of(request.pools[entry]);
            if (pool == null || !pool.counts || pool.pageSize != request.pageSizes[entry]) {
                counters.increment(Counter.POOL_LOOKUPS_BLIND);
                continue;
            }
            pool.index.match(request.pageKeys[entry], request.pageCounts[entry], request.pageRanges[entry]);
            pool.sweepDue = true;
            counters.add(Counter.POOL_PAGES_ASKED, request.pageCounts[entry]);
            counters.add(Counter.POOL_PAGES_FOUND, request.pageRanges[entry].pages());
        }
    }

    private PageRanges answer(int entry) {
        if (entry == answers.length) {
            answers = Arrays.copyOf(answers, entry + 1);
            answers[entry] = new PageRanges();
        }
        return answers[entry];
    }

    /** An engine did not find pages that were promised. */
    void missed(int pool, int pageSize, long[] keys, int fromPage, int pages) {
        missed.set(pool, keys, fromPage, pages);
        counters.add(Counter.POOL_PAGES_MISSED, pages);
        PagePool known = of(pool);
        if (known != null && known.pageSize == pageSize) {
            known.index.missed(keys, fromPage, pages);
        }
    }

    /** Pages that an engine was found to have missed since {@link MissedPages#clear}: at most those of one request. */
    public MissedPages missed() {
        return missed;
    }

    /** Time went by: pages may have become too old. */
    void tick() {
        for (PagePool pool : pools) {
            if (pool != null) {
                pool.sweepDue = true;
            }
        }
    }

    /** Returns memory of pages that are gone and orders those that prompts showed; answers steps used. */
    int sweep(int mostSteps, long nowNs) {
        int used = 0;
        for (int i = 0; i < pools.length && used < mostSteps; i++) {
            PagePool pool = pools[i];
            if (pool != null && pool.sweepDue) {
                int steps = pool.index.sweep(mostSteps - used, seconds(nowNs));
                pool.sweepDue = steps > 0;
                used += steps;
            }
        }
        return used;
    }

    private static int seconds(long nowNs) {
        return (int) Math.floorDiv(nowNs, NS_PER_SECOND);
    }

    /** Figures of the pools that have a layout; allocates. */
    public List<PipelineView.PoolFigures> figures() {
        List<PipelineView.PoolFigures> figures = new ArrayList<>();
        for (PagePool pool : pools) {
            if (pool != null) {
                PageIndex index = pool.index;
                figures.add(new PipelineView.PoolFigures(
                        pool.number,
                        pool.pageSize,
                        index.objectsPerPage(),
                        pool.counts,
                        index.pageCount(),
                        index.capacityPages(),
                        index.evicted(),
                        index.expired(),
                        index.stale()));
            }
        }
        return List.copyOf(figures);
    }

    /** The indexes of the pools that have a layout. */
    List<PageIndex> indexes() {
        List<PageIndex> indexes = new ArrayList<>();
        for (PagePool pool : pools) {
            if (pool != null) {
                indexes.add(pool.index);
            }
        }
        return indexes;
    }
}
