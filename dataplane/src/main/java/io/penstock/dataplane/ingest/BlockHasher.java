package io.penstock.dataplane.ingest;

import io.penstock.bindings.events.KvEventCursor;
import io.penstock.index.ChainHash;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import net.openhft.hashing.LongHashFunction;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Local hashes of stored blocks, by the rules of {@link io.penstock.dataplane.hashing.PromptHasher}; a block with
 * multimodal objects appends their hashes, sorted, to its tokens.
 *
 * <p><b>Threading:</b> owned by a reader. <b>Cost:</b> hash functions are kept per seed, so an adapter and salt cost an
 * allocation when first seen; nothing after that.
 */
final class BlockHasher {
    private static final LongHashFunction ADAPTER = LongHashFunction.xx3(0);
    private static final LongHashFunction SALT = LongHashFunction.xx3(1);
    private static final VarHandle U32 = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle U64 = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int MAX_SEEDS = 8_192;

    private final Long2ObjectHashMap<LongHashFunction> functions = new Long2ObjectHashMap<>();
    private byte[] mixed = new byte[1024];

    /** What an adapter adds to the seed. */
    static long adapterTerm(byte[] bytes, int offset, int length) {
        return length == 0 ? 0 : ADAPTER.hashBytes(bytes, offset, length);
    }

    /** What a salt adds to the seed. */
    static long saltTerm(byte[] bytes, int offset, int length) {
        return length == 0 ? 0 : SALT.hashBytes(bytes, offset, length);
    }

    /** Hashes blocks {@code from} to {@code from + count} of the event into {@code out}, from index 0. */
    void hash(KvEventCursor event, int from, int count, long seedTerms, long[] out) {
        LongHashFunction function = function(ChainHash.SEED + seedTerms);
        int blockSize = event.blockSize();
        int[] tokens = event.tokens();
        for (int i = 0; i < count; i++) {
            int block = from + i;
            out[i] = event.mmCount(block) == 0
                    ? function.hashInts(tokens, block * blockSize, blockSize)
                    : mixed(event, block, function);
        }
    }

    private long mixed(KvEventCursor event, int block, LongHashFunction function) {
        int blockSize = event.blockSize();
        int objects = event.mmCount(block);
        int length = 4 * blockSize + 8 * objects;
        if (length > mixed.length) {
            mixed = new byte[2 * length];
        }
        for (int i = 0; i < blockSize; i++) {
            U32.set(mixed, 4 * i, event.tokens()[block * blockSize + i]);
        }
        for (int j = 0; j < objects; j++) {
            U64.set(mixed, 4 * blockSize + 8 * j, event.mmHash(block, j));
        }
        return function.hashBytes(mixed, 0, length);
    }

    private LongHashFunction function(long seed) {
        LongHashFunction function = functions.get(seed);
        if (function == null) {
            if (functions.size() >= MAX_SEEDS) {
                functions.clear();
            }
            function = LongHashFunction.xx3(seed);
            functions.put(seed, function);
        }
        return function;
    }
}
