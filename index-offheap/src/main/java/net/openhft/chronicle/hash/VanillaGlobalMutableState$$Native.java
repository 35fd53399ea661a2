package net.openhft.chronicle.hash;

import net.openhft.chronicle.bytes.BytesStore;

/**
 * Chronicle Map's global counters over a file's bytes, under the name by which Chronicle looks for them.
 *
 * <p>Chronicle loads a class of this name and, where there is none, writes its source, starts javac in the process and
 * compiles it: two thirds of the CPU of a JVM's first open. It is the only class that our map makes it compile. The
 * layout is the one that Chronicle derives from the interface's annotations (numbers in little-endian order):
 *
 * <pre>
 *   0      3        8        13       17         25
 *   +------+--------+--------+--------+----------+
 *   | tier | first  | tiers  | headers| data     |
 *   | bulks| free   | in use | offset | bytes    |
 *   +------+--------+--------+--------+----------+
 * </pre>
 *
 * A test holds it against what this version of Chronicle generates itself.
 *
 * <p><b>Threading:</b> as its user, under the map's locks.
 */
@SuppressWarnings("rawtypes")
public final class VanillaGlobalMutableState$$Native implements VanillaGlobalMutableState {
    private static final int TIER_BULKS = 0;
    private static final int FIRST_FREE_TIER = TIER_BULKS + 3;
    private static final int TIERS_IN_USE = FIRST_FREE_TIER + 5;
    private static final int SEGMENT_HEADERS = TIERS_IN_USE + 5;
    private static final int DATA_BYTES = SEGMENT_HEADERS + 4;
    private static final int BYTES = DATA_BYTES + Long.BYTES;

    private BytesStore bytes;
    private long offset;

    private long number(int at, int width) {
        long value = 0;
        for (int i = width - 1; i >= 0; i--) {
            value = value << Byte.SIZE | bytes.readUnsignedByte(offset + at + i);
        }
        return value;
    }

    private void number(int at, int width, long value) {
        if (value < 0 || width < Long.BYTES && value >>> width * Byte.SIZE != 0) {
            throw new IllegalArgumentException("does not fit " + width + " bytes: value=" + value);
        }
        for (int i = 0; i < width; i++) {
            bytes.writeByte(offset + at + i, (byte) (value >>> i * Byte.SIZE));
        }
    }

    @Override
    public int getAllocatedExtraTierBulks() {
        return (int) number(TIER_BULKS, 3);
    }

    @Override
    public void setAllocatedExtraTierBulks(int bulks) {
        number(TIER_BULKS, 3, bulks);
    }

    @Override
    public long getFirstFreeTierIndex() {
        return number(FIRST_FREE_TIER, 5);
    }

    @Override
    public void setFirstFreeTierIndex(long index) {
        number(FIRST_FREE_TIER, 5, index);
    }

    @Override
    public long getExtraTiersInUse() {
        return number(TIERS_IN_USE, 5);
    }

    @Override
    public void setExtraTiersInUse(long tiers) {
        number(TIERS_IN_USE, 5, tiers);
    }

    @Override
    public long getSegmentHeadersOffset() {
        return number(SEGMENT_HEADERS, 4);
    }

    @Override
    public void setSegmentHeadersOffset(long at) {
        number(SEGMENT_HEADERS, 4, at);
    }

    @Override
    public long getDataStoreSize() {
        return number(DATA_BYTES, Long.BYTES);
    }

    @Override
    public void setDataStoreSize(long size) {
        number(DATA_BYTES, Long.BYTES, size);
    }

    @Override
    public long addDataStoreSize(long more) {
        long size = getDataStoreSize() + more;
        setDataStoreSize(size);
        return size;
    }

    /** Looks at other bytes from now on. */
    @Override
    public void bytesStore(BytesStore store, long from, long length) {
        if (length != BYTES || from + length > store.capacity()) {
            throw new IllegalArgumentException("not " + BYTES + " bytes within the store: from=" + from + ", length="
                    + length + ", capacity=" + store.capacity());
        }
        bytes = store;
        offset = from;
    }

    @Override
    public BytesStore<?, ?> bytesStore() {
        return bytes;
    }

    @Override
    public long offset() {
        return offset;
    }

    @Override
    public long maxSize() {
        return BYTES;
    }
}
