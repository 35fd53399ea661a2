package io.penstock.dataplane.hints;

import io.penstock.index.read.LiveReader;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * What an engine calls the blocks of a prompt, asked of the index beside the core.
 *
 * <p><b>Threading:</b> one thread. <b>Cost:</b> nothing allocated once an index was asked.
 */
final class BlockNames {
    private final IndexReaders indexes;
    private final Long2ObjectHashMap<LiveReader> readers = new Long2ObjectHashMap<>();
    private final long[] names;

    BlockNames(IndexReaders indexes, int mostBlocks) {
        this.indexes = indexes;
        names = new long[mostBlocks];
    }

    /** Asks for the first blocks of an order, up to what the source holds; answers how many have names. */
    int ask(HintOrder order) {
        int wanted =
                Math.min(Math.min(order.fetch.blocks, names.length), order.hashes == null ? 0 : order.hashes.length);
        long key = (long) order.model << Integer.SIZE | order.blockSize;
        int named = ask(readers.get(key), order, wanted);
        if (named == LiveReader.UNREADABLE) {
            // The core has opened the index anew, or not yet at all.
            LiveReader fresh = indexes.reader(order.model, order.blockSize);
            if (fresh == null) {
                return 0;
            }
            readers.put(key, fresh);
            named = ask(fresh, order, wanted);
        }
        return Math.max(0, named);
    }

    private int ask(LiveReader reader, HintOrder order, int wanted) {
        return reader == null
                ? LiveReader.UNREADABLE
                : reader.names(order.hashes, wanted, order.fetch.indexSlot, names);
    }

    /** The names of the last answer; valid until the next. */
    long[] names() {
        return names;
    }
}
