package io.penstock.dataplane.inputlog;

import io.penstock.dataplane.pipeline.RouteReply;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.routing.PolicyKind;
import io.penstock.index.pool.PageRanges;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.MutableDirectBuffer;

/**
 * Body of a request: all that the core reads of it, and the session's key to find it by.
 *
 * <pre>
 *   0 model i32   4 prompt tokens i32   8 adapter i32   12 pinned worker i32   16 pinned rank i32   20 policy i32, -1 the default
 *  24 required taints u64   32 preferred taints u64   40 overlap credit f64   48 temperature f64   56 session key u64
 *  64 excluded slots i32   68 weights i32, -1 for none   72 hashings i32   then slots i32 each, weights f64 each, and per hashing:
 *     block size i32, blocks i32, hashes written i32, hashes u64 each
 *     then poolings i32, and per pooling: pool i32, page size i32, pages i32, ranges i32, then first page i32 and page after the
 *     last i32 of each: what the pool held of the prompt then
 * </pre>
 *
 * <p>Of a prompt with more blocks than the core looks at no hashes are written.
 *
 * <p><b>Threading:</b> immutable. <b>Cost:</b> writing allocates nothing.
 */
final class RouteBytes {
    private static final ByteOrder LE = ByteOrder.LITTLE_ENDIAN;
    private static final int SESSION = 56;
    private static final int FIXED = 76;
    private static final int HASHING = 3 * Integer.BYTES;
    private static final int POOLING = 4 * Integer.BYTES;
    private static final int RANGE = 2 * Integer.BYTES;

    private final int mostBlocks;

    RouteBytes(int mostBlocks) {
        this.mostBlocks = mostBlocks;
    }

    int length(RouteRequest r) {
        int weights = r.preferredWeights == null ? 0 : r.preferredWeights.length;
        int length = FIXED + r.excludedSlots.length * Integer.BYTES + weights * Double.BYTES;
        for (int i = 0; i < r.hashings; i++) {
            length += HASHING + hashes(r, i) * Long.BYTES;
        }
        length += Integer.BYTES;
        for (int i = 0; i < r.poolings; i++) {
            length += POOLING + ranges(r, i) * RANGE;
        }
        return length;
    }

    private static int ranges(RouteRequest r, int pooling) {
        return r.pageRanges[pooling] == null ? 0 : r.pageRanges[pooling].size();
    }

    private int hashes(RouteRequest r, int hashing) {
        return r.blockCounts[hashing] <= mostBlocks ? r.blockCounts[hashing] : 0;
    }

    void write(RouteRequest r, MutableDirectBuffer to, int from) {
        to.putInt(from, r.model, LE);
        to.putInt(from + 4, r.promptTokens, LE);
        to.putInt(from + 8, r.adapter, LE);
        to.putInt(from + 12, r.pinnedWorker, LE);
        to.putInt(from + 16, r.pinnedRank, LE);
        to.putInt(from + 20, r.policy == null ? -1 : r.policy.ordinal(), LE);
        to.putLong(from + 24, r.requiredTaints, LE);
        to.putLong(from + 32, r.preferredTaints, LE);
        to.putDouble(from + 40, r.overlapCredit, LE);
        to.putDouble(from + 48, r.temperature, LE);
        to.putLong(from + SESSION, r.sessionKey, LE);
        int weights = r.preferredWeights == null ? -1 : r.preferredWeights.length;
        to.putInt(from + 64, r.excludedSlots.length, LE);
        to.putInt(from + 68, weights, LE);
        to.putInt(from + 72, r.hashings, LE);
        int at = from + FIXED;
        for (int slot : r.excludedSlots) {
            to.putInt(at, slot, LE);
            at += Integer.BYTES;
        }
        for (int i = 0; i < weights; i++) {
            to.putDouble(at, r.preferredWeights[i], LE);
            at += Double.BYTES;
        }
        for (int i = 0; i < r.hashings; i++) {
            int count = hashes(r, i);
            to.putInt(at, r.blockSizes[i], LE);
            to.putInt(at + Integer.BYTES, r.blockCounts[i], LE);
            to.putInt(at + 2 * Integer.BYTES, count, LE);
            BlockBytes.longs(r.sequenceHashes[i], count, to, at + HASHING);
            at += HASHING + count * Long.BYTES;
        }
        pools(r, to, at);
    }

    private static void pools(RouteRequest r, MutableDirectBuffer to, int from) {
        to.putInt(from, r.poolings, LE);
        int at = from + Integer.BYTES;
        for (int i = 0; i < r.poolings; i++) {
            int count = ranges(r, i);
            to.putInt(at, r.pools[i], LE);
            to.putInt(at + Integer.BYTES, r.pageSizes[i], LE);
            to.putInt(at + 2 * Integer.BYTES, r.pageCounts[i], LE);
            to.putInt(at + 3 * Integer.BYTES, count, LE);
            at += POOLING;
            for (int n = 0; n < count; n++) {
                to.putInt(at, r.pageRanges[i].start(n), LE);
                to.putInt(at + Integer.BYTES, r.pageRanges[i].end(n), LE);
                at += RANGE;
            }
        }
    }

    static RouteRequest read(ByteBuffer body, boolean exact, RouteReply reply) {
        RouteRequest r = new RouteRequest(reply);
        r.exact = exact;
        r.model = body.getInt();
        r.promptTokens = body.getInt();
        r.adapter = body.getInt();
        r.pinnedWorker = body.getInt();
        r.pinnedRank = body.getInt();
        int policy = body.getInt();
        r.policy = policy < 0 ? null : PolicyKind.values()[policy];
        r.requiredTaints = body.getLong();
        r.preferredTaints = body.getLong();
        r.overlapCredit = body.getDouble();
        r.temperature = body.getDouble();
        r.sessionKey = body.getLong();
        r.excludedSlots = new int[body.getInt()];
        int weights = body.getInt();
        int hashings = body.getInt();
        for (int i = 0; i < r.excludedSlots.length; i++) {
            r.excludedSlots[i] = body.getInt();
        }
        r.preferredWeights = weights < 0 ? null : new double[weights];
        for (int i = 0; i < weights; i++) {
            r.preferredWeights[i] = body.getDouble();
        }
        for (int i = 0; i < hashings; i++) {
            int blockSize = body.getInt();
            int blocks = body.getInt();
            long[] hashes = new long[body.getInt()];
            for (int b = 0; b < hashes.length; b++) {
                hashes[b] = body.getLong();
            }
            r.addHashing(blockSize, hashes, blocks);
        }
        pools(r, body);
        return r;
    }

    private static void pools(RouteRequest r, ByteBuffer body) {
        int poolings = body.getInt();
        for (int i = 0; i < poolings; i++) {
            r.addPages(body.getInt(), body.getInt(), null, body.getInt());
            PageRanges held = new PageRanges();
            int count = body.getInt();
            for (int n = 0; n < count; n++) {
                int start = body.getInt();
                int end = body.getInt();
                for (int page = start; page < end; page++) {
                    held.add(page);
                }
            }
            r.pageRanges[i] = held;
        }
    }
}
