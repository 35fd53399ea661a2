package io.penstock.dataplane.tokens;

import io.penstock.dataplane.hashing.PageHasher;
import io.penstock.dataplane.pipeline.RouteRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The page keys of each session's last prompts, beside the sequence hashes that say how much of them another prompt shares.
 *
 * <p>A session keeps up to {@value SessionPrompts#PER_SESSION}, as of its texts. Least recently used sessions go first
 * when the bytes exceed the limit.
 *
 * <p><b>Threading:</b> thread-safe; what is kept is immutable.
 */
final class SessionPages {
    /** Whose pages: isolation by model (through its pool) and salt is part of the key. */
    record Key(long session, int pool, String salt) {}

    /**
     * A prompt's pages.
     *
     * @param hasher that made the keys, without the salt
     * @param blockSize tokens of a block of {@code hashes}
     * @param hashes sequence hashes of the prompt's blocks
     * @param blocks how many
     * @param keys of the pages
     * @param pages how many
     */
    record Kept(PageHasher hasher, int blockSize, long[] hashes, int blocks, long[] keys, int pages) {
        static Kept of(PageHasher hasher, RouteRequest out, long[] keys, int pages) {
            int finest = 0;
            for (int i = 1; i < out.hashings; i++) {
                finest = out.blockSizes[i] < out.blockSizes[finest] ? i : finest;
            }
            return new Kept(
                    hasher, out.blockSizes[finest], out.sequenceHashes[finest], out.blockCounts[finest], keys, pages);
        }

        long bytes() {
            return 200 + 8L * hashes.length + 8L * keys.length;
        }

        /** Tokens that the prompt in {@code out} begins with alike. A chain's hashes part once and for all. */
        int common(RouteRequest out) {
            for (int i = 0; i < out.hashings; i++) {
                if (out.blockSizes[i] == blockSize) {
                    long[] other = out.sequenceHashes[i];
                    int low = 0;
                    int high = Math.min(blocks, out.blockCounts[i]);
                    while (low < high) {
                        int middle = (low + high + 1) >>> 1;
                        if (hashes[middle - 1] == other[middle - 1]) {
                            low = middle;
                        } else {
                            high = middle - 1;
                        }
                    }
                    return low * blockSize;
                }
            }
            return 0;
        }

        /** Pages whose keys depend on the first {@code tokens} only. */
        int pagesOf(int tokens) {
            return Math.min(pages, hasher.pages(tokens));
        }
    }

    private final long limitBytes;
    private final LinkedHashMap<Key, List<Kept>> sessions = new LinkedHashMap<>(64, 0.75f, true);
    private long bytes;

    SessionPages(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** The kept prompt that shares the most with the one in {@code out}, under the same rule; null where none does. */
    Kept nearest(Key key, PageHasher hasher, RouteRequest out) {
        List<Kept> kept;
        synchronized (sessions) {
            List<Kept> found = sessions.get(key);
            if (found == null) {
                return null;
            }
            kept = List.copyOf(found);
        }
        Kept best = null;
        int longest = 0;
        for (Kept k : kept) {
            int common = k.hasher == hasher ? k.common(out) : 0;
            if (common > longest) {
                longest = common;
                best = k;
            }
        }
        return best;
    }

    /** Keeps a prompt as the session's latest, in the place of the one that it continues (null: of none). */
    void keep(Key key, Kept prompt, Kept continues) {
        if (prompt.bytes() > limitBytes) {
            return;
        }
        synchronized (sessions) {
            List<Kept> kept = sessions.computeIfAbsent(key, k -> new ArrayList<>(1));
            if (continues != null && kept.removeIf(k -> k == continues)) {
                bytes -= continues.bytes();
            }
            kept.addFirst(prompt);
            bytes += prompt.bytes();
            while (kept.size() > SessionPrompts.PER_SESSION) {
                bytes -= kept.removeLast().bytes();
            }
            var oldest = sessions.entrySet().iterator();
            while (bytes > limitBytes && oldest.hasNext()) {
                Map.Entry<Key, List<Kept>> e = oldest.next();
                for (Kept k : e.getValue()) {
                    bytes -= k.bytes();
                }
                oldest.remove();
            }
        }
    }

    /** Bytes kept. */
    long bytes() {
        synchronized (sessions) {
            return bytes;
        }
    }
}
