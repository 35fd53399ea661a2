package io.penstock.dataplane.tokens;

import io.penstock.dataplane.hashing.PromptHasher;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.tokens.SessionPrompts.Key;
import io.penstock.dataplane.tokens.SessionPrompts.Prompt;
import java.util.Arrays;

/**
 * Tokenises a text and hashes its blocks, taking what it can from the session's last prompt: up to the last cut in the
 * common beginning the tokens are kept, from there on the text is tokenised anew, beginning with the cut token itself so
 * that nothing after it takes itself for the beginning of a text. Hashes go on from the first block that changed.
 *
 * <p><b>Threading:</b> thread-safe.
 */
final class TokenisedPrompt {
    private final SessionPrompts sessions;
    private final PageKeys pages;
    private final TokenCounts counts;

    TokenisedPrompt(SessionPrompts sessions, PageKeys pages, TokenCounts counts) {
        this.sessions = sessions;
        this.pages = pages;
        this.counts = counts;
    }

    /** Fills tokens and hashes of {@code out} from a text. */
    void text(ModelPrompts model, String text, boolean special, PromptInput in, RouteRequest out) {
        if (special && model.tokenizer().front() == null) {
            int[] tokens = model.tokenizer().encode(text, true);
            counts.tokenised.add(tokens.length);
            ids(tokens, tokens.length, in, out);
            return;
        }
        Key key = in.sessionKey() == 0 ? null : new Key(in.sessionKey(), in.model(), in.adapter(), in.cacheSalt());
        Prompt before = key == null ? null : sessions.nearest(key, text);
        int[] front = special ? model.tokenizer().front() : new int[0];
        int[] back = special ? model.tokenizer().back() : new int[0];
        Prompt now = prompt(model, text, before);
        int[] all = around(front, now.tokens(), back);
        long[][] hashes = new long[in.blockSizes().length][];
        long[][] traces = new long[hashes.length][];
        int same = before == null || before.lead() != front.length
                ? 0
                : front.length + Math.max(0, mismatch(before.tokens(), now.tokens()));
        out.promptTokens = all.length;
        for (int i = 0; i < hashes.length; i++) {
            int size = in.blockSizes()[i];
            PromptHasher hasher = PromptHasher.of(size, in.adapter(), in.cacheSalt());
            hashes[i] = chain(hasher, all, before == null ? null : before.hashes(size), same);
            PromptHasher plain = isPlain(in) ? hasher : PromptHasher.of(size, null, null);
            traces[i] = isPlain(in) ? null : chain(plain, all, before == null ? null : before.traces(size), same);
            long partial = plain.partial(all, all.length, traces[i] == null ? hashes[i] : traces[i]);
            out.addHashing(size, hashes[i], hashes[i].length, traces[i], partial);
        }
        pages.add(all, all.length, in, out);
        if (key != null) {
            Prompt kept = new Prompt(text, now.tokens(), now.cuts(), in.blockSizes(), hashes, traces, front.length);
            // A side question shares the system prompt at most: it must not take the place of the long context.
            boolean continues =
                    before != null && mismatch(before.tokens(), now.tokens()) * 2L >= before.tokens().length;
            sessions.keep(key, kept, continues ? before : null);
        }
    }

    private static int mismatch(int[] a, int[] b) {
        int at = Arrays.mismatch(a, b);
        return at < 0 ? a.length : at;
    }

    private static int[] around(int[] front, int[] tokens, int[] back) {
        if (front.length + back.length == 0) {
            return tokens;
        }
        int[] all = Arrays.copyOf(front, front.length + tokens.length + back.length);
        System.arraycopy(tokens, 0, all, front.length, tokens.length);
        System.arraycopy(back, 0, all, front.length + tokens.length, back.length);
        return all;
    }

    /** Tokens and cuts of a text, the beginning from {@code before} where a cut allows. */
    private Prompt prompt(ModelPrompts model, String text, Prompt before) {
        Prompt spliced = before == null ? null : splice(model, text, before);
        if (spliced != null) {
            return spliced;
        }
        int[] tokens = model.tokenizer().encode(text, false);
        counts.tokenised.add(tokens.length);
        return new Prompt(
                text, tokens, model.cuts().find(text, 0, tokens, 0), new int[0], new long[0][], new long[0][], 0);
    }

    private Prompt splice(ModelPrompts model, String text, Prompt before) {
        int common = SessionPrompts.common(before.text(), text);
        int[] at = before.cuts().chars();
        int k = Arrays.binarySearch(at, common);
        for (k = k < 0 ? -k - 2 : k; k >= 0; k--) {
            int token = before.cuts().tokens()[k];
            if (at[k] + model.cuts().length(before.tokens()[token]) <= common) {
                break;
            }
        }
        if (k < 0) {
            return null;
        }
        int kept = before.cuts().tokens()[k];
        int[] tail = model.tokenizer().encode(text.substring(at[k]), false);
        if (tail.length == 0 || tail[0] != before.tokens()[kept]) {
            return null;
        }
        counts.tokenised.add(tail.length);
        counts.reused.add(kept);
        int[] tokens = Arrays.copyOf(before.tokens(), kept + tail.length);
        System.arraycopy(tail, 0, tokens, kept, tail.length);
        CutTokens.Cuts more = model.cuts().find(text, at[k], tokens, kept);
        CutTokens.Cuts cuts = more.chars().length == 0
                ? CutTokens.Cuts.NONE
                : new CutTokens.Cuts(
                        join(at, k, more.chars()), join(before.cuts().tokens(), k, more.tokens()));
        return new Prompt(text, tokens, cuts, new int[0], new long[0][], new long[0][], 0);
    }

    private static int[] join(int[] head, int n, int[] tail) {
        int[] out = Arrays.copyOf(head, n + tail.length);
        System.arraycopy(tail, 0, out, n, tail.length);
        return out;
    }

    /** Hashes of the full blocks; what {@code old} has of them is taken over, as far as {@code same} tokens reach. */
    private static long[] chain(PromptHasher hasher, int[] tokens, long[] old, int same) {
        long[] out = new long[hasher.blocks(tokens.length)];
        int from = old == null ? 0 : Math.min(Math.min(same / hasher.blockSize(), old.length), out.length);
        if (from > 0) {
            System.arraycopy(old, 0, out, 0, from);
        }
        hasher.chain(tokens, tokens.length, from, out);
        return out;
    }

    /** Whether the sequence hashes are the trace hashes too. */
    static boolean isPlain(PromptInput in) {
        return in.adapter().isEmpty() && in.cacheSalt().isEmpty();
    }

    /** Fills tokens and hashes of {@code out} from token ids. */
    void ids(int[] tokens, int count, PromptInput in, RouteRequest out) {
        out.promptTokens = count;
        for (int size : in.blockSizes()) {
            PromptHasher hasher = PromptHasher.of(size, in.adapter(), in.cacheSalt());
            long[] hashes = new long[hasher.blocks(count)];
            hasher.chain(tokens, count, 0, hashes);
            PromptHasher plain = isPlain(in) ? hasher : PromptHasher.of(size, null, null);
            long[] traces = isPlain(in) ? null : new long[hashes.length];
            if (traces != null) {
                plain.chain(tokens, count, 0, traces);
            }
            long partial = plain.partial(tokens, count, traces == null ? hashes : traces);
            out.addHashing(size, hashes, hashes.length, traces, partial);
        }
        pages.add(tokens, count, in, out);
    }
}
