package io.penstock.index.pool;

import io.penstock.index.layout.PageHeadLayout;
import io.penstock.index.layout.PageLineLayout;
import io.penstock.index.layout.PoolGeometry;
import io.penstock.index.layout.PoolLayout;
import io.penstock.index.pages.Memory;
import io.penstock.index.pages.PageFile;

/**
 * The page index in the index file: a record a page, in the order of arrival or of the page chain ({@link PageFiling}), and a
 * table of fingerprints. It answers what
 * {@link io.penstock.index.reference.ReferencePageIndex} answers; there the open rules are stated.
 *
 * <p>Differences to the reference: {@link #pageCount} and {@link #stale} lag until {@link #sweep} has been everywhere after
 * {@link #endListing} or {@link #clear}; dead pages that it has not reached yet can, in a full index, make a living one
 * be given up. A look-up compares 64 bits made of the key, a change all 32 bytes: of two pages with the same 64 bits the later takes
 * the earlier one's place.
 *
 * <p>Nothing is logged: the pool's owner can be listed. After a clean stop the pages are there as they were; after a kill the
 * index is empty.
 *
 * <p>I1: a page counts when its "complete since" is at least the latest listing that ended. I2: a record's head and its cell
 * of the table say the same. I3: pages that a listing did not show are older than all that it did, and dead at once.
 *
 * <p><b>Threading:</b> single writer; look-ups by the writer's thread. <b>Cost:</b> nothing allocated; 107 bytes a page of
 * up to 64 objects.
 */
public final class OffHeapPageIndex implements PageIndex {
    private static final int MISSES_TOO_MANY = 2;

    private final PoolGeometry geometry;
    private final int timeToLiveSeconds;
    private final PoolRoots roots;
    private final PageTable table;
    private final PageRecords records;
    private final RecordList byAge;
    private final PageFiling filing;
    private final PageMatcher matcher;

    private int now = Integer.MIN_VALUE;
    private int listing;
    private int proven;
    private long evicted;
    private long expired;
    private long stale;

    /**
     * The index in a file's region, emptied if it was not left in order.
     *
     * @param timeToLiveSeconds age at which a page is given up; 0 for never
     */
    public OffHeapPageIndex(PageFile pages, PoolGeometry geometry, int timeToLiveSeconds) {
        this.geometry = geometry;
        this.timeToLiveSeconds = timeToLiveSeconds;
        roots = new PoolRoots(pages.address(geometry.header));
        table = new PageTable(pages, geometry);
        records = new PageRecords(pages, roots, geometry);
        byAge = new RecordList(roots, records, PoolLayout.OLDEST, PoolLayout.NEWEST);
        filing = new PageFiling(table, records, byAge);
        matcher = new PageMatcher(table, records, filing);
        if (roots.get(PoolLayout.STATE) != PoolLayout.USED) {
            format();
        }
        listing = (int) roots.get(PoolLayout.LISTING);
        proven = (int) roots.get(PoolLayout.PROVEN);
    }

    private void format() {
        table.forget();
        roots.format();
        listing = 1;
        proven = 1;
    }

    @Override
    public int objectsPerPage() {
        return geometry.objects;
    }

    @Override
    public long capacityPages() {
        return geometry.capacityPages;
    }

    @Override
    public long pageCount() {
        return roots.get(PoolLayout.PAGES);
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
        if (object < 0 || object >= geometry.objects) {
            return REFUSED;
        }
        now = Math.max(now, nowSeconds);
        long fingerprint = PageTable.fingerprint(key, at);
        long cell = table.find(fingerprint);
        if (cell != PageTable.NONE && !records.is(table.record(cell), key, at)) {
            settle(table.record(cell));
            giveUp(table.record(cell), fingerprint, cell);
            cell = PageTable.NONE;
        }
        if (cell == PageTable.NONE) {
            cell = make(fingerprint, key, at);
        } else {
            confirm(table.record(cell));
        }
        int record = table.record(cell);
        boolean known = records.has(record, object);
        records.put(record, object);
        records.setMisses(record, 0);
        setComplete(record, cell, completeSince(record));
        return known ? CONFIRMED : ADDED;
    }

    private long make(long fingerprint, long[] key, int at) {
        while (pageCount() == geometry.capacityPages) {
            int oldest = byAge.first();
            settle(oldest);
            giveUp(oldest);
        }
        int record = records.take(fingerprint, key, at);
        records.setConfirmed(record, now, listing);
        byAge.append(record);
        return table.insert(fingerprint, record);
    }

    private void confirm(int record) {
        settle(record);
        boolean anew = records.listing(record) != listing;
        if (anew) {
            records.forgetListed(record);
        }
        if (anew || records.confirmed(record) != now) {
            records.setConfirmed(record, now, listing);
            byAge.unlink(record);
            byAge.append(record);
        }
    }

    /** Lets go of objects that a listing that ended did not show, or that were cleared. */
    private void settle(int record) {
        int last = records.listing(record);
        if (last < roots.get(PoolLayout.CLEARED)) {
            records.forgetListed(record);
            records.keepListed(record);
        } else if (last < proven) {
            records.forgetListed(record);
            stale += records.keepListed(record);
        } else if (last == proven) {
            stale += records.keepListed(record);
        }
    }

    private int completeSince(int record) {
        if (records.allListed(record)) {
            return listing;
        }
        return records.allPresent(record) ? proven : 0;
    }

    private void setComplete(int record, long cell, int since) {
        long at = records.head(record) + PageHeadLayout.COMPLETE;
        if (Memory.getInt(at) != since) {
            Memory.putInt(at, since);
            table.setComplete(cell, since);
        }
    }

    /** Gives a settled page's record back; one with objects counts as evicted. */
    private void giveUp(int record) {
        long fingerprint = fingerprint(record);
        giveUp(record, fingerprint, table.find(fingerprint));
    }

    private void giveUp(int record, long fingerprint, long cell) {
        evicted += records.empty(record) ? 0 : 1;
        release(record, fingerprint, cell);
    }

    private void release(int record, long fingerprint, long cell) {
        table.remove(cell, fingerprint);
        byAge.unlink(record);
        records.free(record);
    }

    private void release(int record) {
        long fingerprint = fingerprint(record);
        release(record, fingerprint, table.find(fingerprint));
    }

    private long fingerprint(int record) {
        return Memory.getLong(records.head(record) + PageHeadLayout.FINGERPRINT);
    }

    @Override
    public boolean removed(long[] key, int at, int object) {
        long fingerprint = PageTable.fingerprint(key, at);
        long cell = table.find(fingerprint);
        if (cell == PageTable.NONE || object < 0 || object >= geometry.objects) {
            return false;
        }
        int record = table.record(cell);
        if (!records.is(record, key, at)) {
            return false;
        }
        settle(record);
        boolean known = records.has(record, object);
        records.take(record, object);
        if (records.empty(record)) {
            release(record, fingerprint, cell);
        } else if (known) {
            setComplete(record, cell, 0);
        }
        return known;
    }

    @Override
    public void match(long[] keys, int pages, PageRanges out) {
        matcher.match(keys, pages, proven, out);
    }

    @Override
    public void missed(long[] keys, int fromPage, int pages) {
        for (int i = fromPage; i < fromPage + pages; i++) {
            long cell = table.find(PageTable.fingerprint(keys, i * KEY_WORDS));
            if (cell != PageTable.NONE) {
                missed(table.record(cell), cell);
            }
        }
    }

    private void missed(int record, long cell) {
        int misses = Math.min(MISSES_TOO_MANY, records.misses(record) + 1);
        records.setMisses(record, misses);
        if (misses == MISSES_TOO_MANY) {
            setComplete(record, cell, 0);
        }
    }

    @Override
    public void beginListing() {
        if (listing == PageLineLayout.LISTING_MASK) {
            // Once in years: the numbers begin anew, and so do the pages.
            format();
        }
        listing++;
        roots.set(PoolLayout.LISTING, listing);
        roots.set(PoolLayout.IN_LISTING, 1);
    }

    @Override
    public void endListing() {
        if (roots.get(PoolLayout.IN_LISTING) != 0) {
            roots.set(PoolLayout.IN_LISTING, 0);
            prove();
        }
    }

    /** Only what was confirmed since the listing's begin is there. */
    private void prove() {
        proven = listing;
        roots.set(PoolLayout.PROVEN, proven);
        roots.set(PoolLayout.CURSOR, 0);
    }

    @Override
    public void clear() {
        if (listing == PageLineLayout.LISTING_MASK) {
            format();
            return;
        }
        listing++;
        roots.set(PoolLayout.LISTING, listing);
        roots.set(PoolLayout.CLEARED, listing);
        prove();
    }

    @Override
    public int sweep(int maxSteps, int nowSeconds) {
        now = Math.max(now, nowSeconds);
        int steps = sweepUnproven(maxSteps);
        for (int oldest = byAge.first(); steps < maxSteps && oldest >= 0 && tooOld(oldest); oldest = byAge.first()) {
            settle(oldest);
            expired += records.empty(oldest) ? 0 : 1;
            release(oldest);
            steps++;
        }
        // Steps are left once the sweep of unproven pages is through: it goes by record, and a move could take one past
        // it.
        return steps + filing.file(maxSteps - steps);
    }

    private int sweepUnproven(int maxSteps) {
        int cursor = (int) roots.get(PoolLayout.CURSOR);
        int end = (int) Math.min(records.high(), (long) cursor + maxSteps);
        for (int record = cursor; record < end; record++) {
            long head = records.head(record);
            // A page complete since then holds nothing that was not proven.
            if (records.used(record) && Memory.getInt(head + PageHeadLayout.COMPLETE) < proven) {
                settle(record);
                if (records.empty(record)) {
                    release(record);
                }
            }
        }
        roots.set(PoolLayout.CURSOR, end >= records.high() ? PoolLayout.SWEPT : end);
        return Math.max(0, end - cursor);
    }

    private boolean tooOld(int record) {
        return timeToLiveSeconds > 0 && (long) now - records.confirmed(record) >= timeToLiveSeconds;
    }

    /** Closes nothing: the file is the prefix index's. */
    @Override
    public void close() {
        // The pages are in the file already.
    }
}
