package io.penstock.index.inspect;

import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.PageHeadLayout;
import io.penstock.index.layout.PoolGeometry;
import io.penstock.index.layout.PoolLayout;
import io.penstock.index.read.MappedIndex;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads the shared pool's region. A router at work changes it meanwhile: the counts are each right for some moment.
 *
 * <p><b>Threading:</b> stateless. <b>Cost:</b> reads 16 bytes a page.
 */
final class PoolReader {
    private PoolReader() {}

    /** What the region holds; null when the file has none, or its header is damaged. */
    static Summary.Pool read(MappedIndex file) {
        int page = file.intAt(HeaderLayout.POOL_PAGE);
        if (page == 0) {
            return null;
        }
        long at = (long) page * file.geometry().pageBytes;
        PoolGeometry pool;
        try {
            pool = PoolGeometry.ofHeader(
                    ByteBuffer.wrap(file.bytesAt(at, PoolLayout.BYTES)).order(ByteOrder.LITTLE_ENDIAN), at);
        } catch (IllegalArgumentException damaged) {
            return null;
        }
        boolean used = file.longAt(at + PoolLayout.STATE) == PoolLayout.USED;
        long proven = file.longAt(at + PoolLayout.PROVEN);
        return new Summary.Pool(
                pool.capacityPages,
                pool.objects,
                used ? file.longAt(at + PoolLayout.PAGES) : 0,
                used ? complete(file, pool, proven) : 0,
                used ? file.longAt(at + PoolLayout.LISTING) : 0,
                used ? proven : 0);
    }

    private static long complete(MappedIndex file, PoolGeometry pool, long proven) {
        long high = Math.clamp(file.longAt(pool.header + PoolLayout.HIGH), 0, pool.capacityPages);
        long complete = 0;
        for (long record = 0; record < high; record++) {
            long head = pool.heads + record * PageHeadLayout.BYTES;
            if (file.longAt(head + PageHeadLayout.FINGERPRINT) != 0
                    && file.intAt(head + PageHeadLayout.COMPLETE) >= proven) {
                complete++;
            }
        }
        return complete;
    }
}
