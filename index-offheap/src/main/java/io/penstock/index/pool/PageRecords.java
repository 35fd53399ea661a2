package io.penstock.index.pool;

import io.penstock.index.layout.PageHeadLayout;
import io.penstock.index.layout.PageRecordLayout;
import io.penstock.index.layout.PoolGeometry;
import io.penstock.index.layout.PoolLayout;
import io.penstock.index.pages.Memory;
import io.penstock.index.pages.PageFile;

/**
 * The pages' records with their heads. A page that comes takes the record behind the one taken last where that is free, so
 * that a prompt's pages, which come in the order of their chain, lie in a row.
 *
 * <p><b>Threading:</b> owned by the writer. <b>Cost:</b> nothing allocated.
 */
final class PageRecords {
    private final PageFile pages;
    private final PoolRoots roots;
    private final PoolGeometry geometry;
    private final int words;
    private final int lastBits;
    private final RecordList free;

    PageRecords(PageFile pages, PoolRoots roots, PoolGeometry geometry) {
        this.pages = pages;
        this.roots = roots;
        this.geometry = geometry;
        words = PageRecordLayout.words(geometry.objects);
        lastBits = geometry.objects - (words - 1) * Long.SIZE;
        free = new RecordList(roots, this, PoolLayout.FREE_FIRST, PoolLayout.FREE_LAST);
    }

    /** Address of a record. */
    long address(int record) {
        return pages.address(geometry.records + (long) record * geometry.recordBytes);
    }

    /** Address of a record's head. */
    long head(int record) {
        return pages.address(geometry.heads + (long) record * PageHeadLayout.BYTES);
    }

    /** Heads from a record's on that lie in one page of the file. */
    int headsInARow(int record) {
        long offset = geometry.heads + (long) record * PageHeadLayout.BYTES;
        return (int) (pages.pageBytes() - offset % pages.pageBytes()) / PageHeadLayout.BYTES;
    }

    /** Records ever used: those from here on mean nothing. */
    int high() {
        return (int) roots.get(PoolLayout.HIGH);
    }

    /** Whether a record below {@link #high} is a page's. */
    boolean used(int record) {
        return Memory.getLong(head(record) + PageHeadLayout.FINGERPRINT) != 0;
    }

    /** Takes a record for a new page, with no object there; there must be one. */
    int take(long fingerprint, long[] key, int at) {
        int record = next();
        roots.set(PoolLayout.LAST_TAKEN, record + 1L);
        roots.add(PoolLayout.PAGES, 1);
        long to = address(record);
        for (int i = 0; i < PageIndex.KEY_WORDS; i++) {
            Memory.putLong(to + PageRecordLayout.KEY + 8L * i, key[at + i]);
        }
        Memory.zero(to + PageRecordLayout.PRESENT, 2L * words * Long.BYTES);
        long head = head(record);
        Memory.putLong(head + PageHeadLayout.FINGERPRINT, fingerprint);
        Memory.putLong(head + PageHeadLayout.COMPLETE, 0);
        return record;
    }

    private int next() {
        int high = high();
        int behind = (int) roots.get(PoolLayout.LAST_TAKEN);
        int record = behind < high && !used(behind) ? behind : high < geometry.capacityPages ? high : free.first();
        if (record == high) {
            roots.set(PoolLayout.HIGH, high + 1L);
        } else {
            free.unlink(record);
        }
        return record;
    }

    /** Times a page was missed since it was confirmed. */
    int misses(int record) {
        return Memory.getInt(head(record) + PageHeadLayout.MISSES) & ~PageHeadLayout.FILED;
    }

    void setMisses(int record, int misses) {
        long at = head(record) + PageHeadLayout.MISSES;
        Memory.putInt(at, Memory.getInt(at) & PageHeadLayout.FILED | misses);
    }

    /** Whether a page keeps its record. */
    boolean filed(int record) {
        return Memory.getInt(head(record) + PageHeadLayout.MISSES) < 0;
    }

    /** Lets a page keep its record from now on. */
    void setFiled(int record) {
        long at = head(record) + PageHeadLayout.MISSES;
        Memory.putInt(at, Memory.getInt(at) | PageHeadLayout.FILED);
    }

    /** What the records say of their pages changes places; links and table are the caller's. */
    void exchange(int one, int other) {
        exchange(head(one), head(other), PageHeadLayout.BYTES);
        exchange(address(one), address(other), PageRecordLayout.NEWER);
        exchange(address(one) + PageRecordLayout.PRESENT, address(other) + PageRecordLayout.PRESENT, 16 * words);
    }

    private static void exchange(long one, long other, int bytes) {
        for (int at = 0; at < bytes; at += Long.BYTES) {
            long word = Memory.getLong(one + at);
            Memory.putLong(one + at, Memory.getLong(other + at));
            Memory.putLong(other + at, word);
        }
    }

    /** A page moves to a free record, and its own becomes free. */
    void move(int record, int toFree, RecordList list) {
        free.unlink(toFree);
        exchange(record, toFree);
        list.replace(record, toFree);
        Memory.putLong(head(record) + PageHeadLayout.FINGERPRINT, 0);
        free.append(record);
    }

    /** Gives a record back. */
    void free(int record) {
        Memory.putLong(head(record) + PageHeadLayout.FINGERPRINT, 0);
        free.append(record);
        roots.add(PoolLayout.PAGES, -1);
    }

    /** Whether a record is that key's. */
    boolean is(int record, long[] key, int at) {
        long from = address(record) + PageRecordLayout.KEY;
        return Memory.getLong(from) == key[at]
                && Memory.getLong(from + 8) == key[at + 1]
                && Memory.getLong(from + 16) == key[at + 2]
                && Memory.getLong(from + 24) == key[at + 3];
    }

    /** Whether an object is there. */
    boolean has(int record, int object) {
        return (Memory.getLong(presentWord(record, object)) >>> object & 1) != 0;
    }

    /** Notes an object as there and listed. */
    void put(int record, int object) {
        long at = presentWord(record, object);
        Memory.putLong(at, Memory.getLong(at) | 1L << object);
        long listed = at + 8L * words;
        Memory.putLong(listed, Memory.getLong(listed) | 1L << object);
    }

    /** Notes an object as not there. */
    void take(int record, int object) {
        long at = presentWord(record, object);
        Memory.putLong(at, Memory.getLong(at) & ~(1L << object));
        long listed = at + 8L * words;
        Memory.putLong(listed, Memory.getLong(listed) & ~(1L << object));
    }

    private long presentWord(int record, int object) {
        return address(record) + PageRecordLayout.PRESENT + 8L * (object >>> 6);
    }

    /** Whether no object is there. */
    boolean empty(int record) {
        long at = address(record) + PageRecordLayout.PRESENT;
        long any = 0;
        for (int i = 0; i < words; i++) {
            any |= Memory.getLong(at + 8L * i);
        }
        return any == 0;
    }

    /** Whether all objects are there. */
    boolean allPresent(int record) {
        return full(address(record) + PageRecordLayout.PRESENT);
    }

    /** Whether all objects were confirmed in the record's listing. */
    boolean allListed(int record) {
        return full(address(record) + PageRecordLayout.PRESENT + 8L * words);
    }

    private boolean full(long mask) {
        for (int i = 0; i < words - 1; i++) {
            if (Memory.getLong(mask + 8L * i) != -1) {
                return false;
            }
        }
        return Memory.getLong(mask + 8L * (words - 1)) == -1L >>> -lastBits;
    }

    /** Lets go of all objects that were not listed; answers how many. */
    int keepListed(int record) {
        long at = address(record) + PageRecordLayout.PRESENT;
        int gone = 0;
        for (int i = 0; i < words; i++) {
            long present = Memory.getLong(at + 8L * i);
            long listed = Memory.getLong(at + 8L * (words + i));
            gone += Long.bitCount(present & ~listed);
            Memory.putLong(at + 8L * i, present & listed);
        }
        return gone;
    }

    /** Begins a listing: nothing is listed yet. */
    void forgetListed(int record) {
        Memory.zero(address(record) + PageRecordLayout.PRESENT + 8L * words, 8L * words);
    }

    int listing(int record) {
        return Memory.getInt(address(record) + PageRecordLayout.LISTING);
    }

    int confirmed(int record) {
        return Memory.getInt(address(record) + PageRecordLayout.CONFIRMED);
    }

    void setConfirmed(int record, int second, int listing) {
        long at = address(record);
        Memory.putInt(at + PageRecordLayout.CONFIRMED, second);
        Memory.putInt(at + PageRecordLayout.LISTING, listing);
    }
}
