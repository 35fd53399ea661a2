package io.penstock.dataplane.tokens;

import io.penstock.dataplane.hashing.PageHasher;
import io.penstock.dataplane.hashing.PoolPages;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.tokens.SessionPages.Kept;
import io.penstock.dataplane.tokens.SessionPages.Key;
import java.util.Arrays;

/**
 * Gives a request the keys under which a shared pool would hold its pages. What a session's earlier prompts have in common
 * with this one is known from the sequence hashes, wherever the tokens came from; only the pages after it are hashed.
 *
 * <p>No keys where a prompt's tokens are not the engine's, nor where engines mix in what is not known here: of an adapter a
 * path or a number of their own, of media their hashes.
 *
 * <p><b>Threading:</b> thread-safe. <b>Cost:</b> without a pool one look-up; else docs/benchmarks.md.
 */
final class PageKeys {
    /** Tokens whose pages are keyed on an event loop at most; longer prompts go to a worker. */
    static final int MOST_AT_ONCE = 16_384;

    private final SessionPages sessions;
    private final TokenCounts counts;
    private volatile PoolPages.Source source = PoolPages.Source.NONE;

    PageKeys(SessionPages sessions, TokenCounts counts) {
        this.sessions = sessions;
        this.counts = counts;
    }

    void follow(PoolPages.Source next) {
        source = next;
    }

    /** Whether a prompt's pages take longer than a pass over its bytes. */
    boolean areCostly(PromptInput in) {
        return in.ids() != null && in.ids().length > MOST_AT_ONCE && source.of(in.model()) != null;
    }

    /** Adds the keys of a prompt whose sequence hashes are in {@code out}. */
    void add(int[] tokens, int count, PromptInput in, RouteRequest out) {
        PoolPages pool = source.of(in.model());
        if (pool == null) {
            return;
        }
        if (!in.adapter().isEmpty() || in.beyondTokens()) {
            counts.pagesUnkeyed.increment();
            return;
        }
        PageHasher hasher = pool.hasher();
        int pages = hasher.pages(count);
        if (pages == 0) {
            return;
        }
        Key key = in.sessionKey() == 0 || out.hashings == 0
                ? null
                : new Key(in.sessionKey(), pool.pool(), in.cacheSalt());
        Kept near = key == null ? null : sessions.nearest(key, hasher, out);
        int common = near == null ? 0 : near.common(out);
        int same = near == null ? 0 : Math.min(pages, near.pagesOf(common));
        long[] keys;
        if (same == pages && near.pages() == pages) {
            keys = near.keys();
        } else {
            keys = same == 0
                    ? new long[pages * PageHasher.KEY_WORDS]
                    : Arrays.copyOf(near.keys(), pages * PageHasher.KEY_WORDS);
            hasher.salted(in.cacheSalt()).chain(tokens, count, same, keys);
        }
        counts.pagesReused.add(same);
        counts.pagesHashed.add(pages - same);
        out.addPages(pool.pool(), hasher.pageSize(), keys, pages);
        if (key != null) {
            // A side question shares the system prompt at most: it must not take the place of the long context.
            boolean continues = near != null && 2L * common >= (long) near.blocks() * near.blockSize();
            sessions.keep(key, Kept.of(hasher, out, keys, pages), continues ? near : null);
        }
    }
}
