package io.penstock.index.reference;

import io.penstock.index.pool.PageIndex;
import io.penstock.index.pool.PageRanges;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What {@link PageIndex} means, in plain collections: the specification that the off-heap one is tested against.
 *
 * <p>The rules that {@link PageIndex} leaves open:
 * <ul>
 *   <li><b>Age.</b> A page's age counts from the last confirmation of any of its objects. Within one second of the clock
 *       and one listing only the first confirmation counts, so that a page of many objects moves once.
 *   <li><b>Clock.</b> It never goes back: an earlier time counts as the latest one seen.
 *   <li><b>Full.</b> A new page takes the place of the one confirmed longest ago.
 *   <li><b>Listing.</b> An object counts as listed if it was stored since the latest {@link #beginListing} and not removed
 *       since. {@link #endListing} without a begin does nothing; a second begin starts the listing anew. A listing goes on
 *       over {@link #clear}.
 *   <li><b>Missed.</b> Any object's confirmation forgives the page's misses.
 * </ul>
 *
 * <p><b>Threading:</b> owned by the caller. <b>Cost:</b> irrelevant; it allocates.
 */
public final class ReferencePageIndex implements PageIndex {
    private static final int MISSES_TOO_MANY = 2;

    private record Key(long first, long second, long third, long fourth) {
        static Key of(long[] words, int at) {
            return new Key(words[at], words[at + 1], words[at + 2], words[at + 3]);
        }
    }

    private static final class Page {
        final BitSet present = new BitSet();
        final BitSet listed = new BitSet();
        int listing = -1;
        int confirmed = Integer.MIN_VALUE;
        int misses;
    }

    private final long capacityPages;
    private final int objectsPerPage;
    private final int timeToLiveSeconds;

    /** Confirmed longest ago first. */
    private final Map<Key, Page> pages = new LinkedHashMap<>();

    private boolean inListing;
    private int listing;
    private int now = Integer.MIN_VALUE;
    private long evicted;
    private long expired;
    private long stale;

    /**
     * An empty index.
     *
     * @param timeToLiveSeconds age at which a page is given up; 0 for never
     */
    public ReferencePageIndex(long capacityPages, int objectsPerPage, int timeToLiveSeconds) {
        this.capacityPages = capacityPages;
        this.objectsPerPage = objectsPerPage;
        this.timeToLiveSeconds = timeToLiveSeconds;
    }

    @Override
    public int objectsPerPage() {
        return objectsPerPage;
    }

    @Override
    public long capacityPages() {
        return capacityPages;
    }

    @Override
    public long pageCount() {
        return pages.size();
    }

    @Override
    public long evicted() {
        return evicted;
    }

    @Override
    public long expired() {
        return expired;
    }

    @Override
    public long stale() {
        return stale;
    }

    @Override
    public int stored(long[] key, int at, int object, int nowSeconds) {
        if (object < 0 || object >= objectsPerPage) {
            return REFUSED;
        }
        now = Math.max(now, nowSeconds);
        Page page = confirmed(Key.of(key, at));
        boolean known = page.present.get(object);
        page.present.set(object);
        page.listed.set(object);
        page.misses = 0;
        return known ? CONFIRMED : ADDED;
    }

    /** The page, made if it is new, as the one confirmed last. */
    private Page confirmed(Key key) {
        Page page = pages.get(key);
        if (page == null) {
            if (pages.size() == capacityPages) {
                pages.remove(pages.keySet().iterator().next());
                evicted++;
            }
            page = new Page();
        }
        if (page.confirmed != now || page.listing != listing) {
            pages.remove(key);
            pages.put(key, page);
            page.confirmed = now;
        }
        if (page.listing != listing) {
            page.listing = listing;
            page.listed.clear();
        }
        return page;
    }

    @Override
    public boolean removed(long[] key, int at, int object) {
        Key name = Key.of(key, at);
        Page page = pages.get(name);
        if (page == null || object < 0 || !page.present.get(object)) {
            return false;
        }
        page.present.clear(object);
        page.listed.clear(object);
        if (page.present.isEmpty()) {
            pages.remove(name);
        }
        return true;
    }

    @Override
    public void match(long[] keys, int count, PageRanges out) {
        out.clear();
        for (int i = 0; i < count; i++) {
            Page page = pages.get(Key.of(keys, i * KEY_WORDS));
            if (page != null && page.present.cardinality() == objectsPerPage && page.misses < MISSES_TOO_MANY) {
                out.add(i);
            }
        }
    }

    @Override
    public void missed(long[] keys, int fromPage, int count) {
        for (int i = fromPage; i < fromPage + count; i++) {
            Page page = pages.get(Key.of(keys, i * KEY_WORDS));
            if (page != null) {
                page.misses++;
            }
        }
    }

    @Override
    public void beginListing() {
        inListing = true;
        listing++;
    }

    @Override
    public void endListing() {
        if (!inListing) {
            return;
        }
        inListing = false;
        for (Iterator<Page> all = pages.values().iterator(); all.hasNext(); ) {
            Page page = all.next();
            if (page.listing != listing) {
                page.listed.clear();
            }
            stale += page.present.cardinality() - page.listed.cardinality();
            page.present.and(page.listed);
            if (page.present.isEmpty()) {
                all.remove();
            }
        }
    }

    @Override
    public void clear() {
        pages.clear();
    }

    @Override
    public int sweep(int maxSteps, int nowSeconds) {
        now = Math.max(now, nowSeconds);
        int steps = 0;
        while (steps < maxSteps
                && !pages.isEmpty()
                && tooOld(pages.values().iterator().next())) {
            pages.remove(pages.keySet().iterator().next());
            expired++;
            steps++;
        }
        return steps;
    }

    private boolean tooOld(Page page) {
        return timeToLiveSeconds > 0 && (long) now - page.confirmed >= timeToLiveSeconds;
    }

    @Override
    public void close() {
        pages.clear();
    }
}
