package io.penstock.dataplane.tokens;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The last prompts of each session: text, tokens, hashes, and where the text can be cut. An agent resends its context
 * each turn, so most of a prompt is here already.
 *
 * <p>A session keeps up to {@value #PER_SESSION} prompts: agents ask side questions under the same session, and those
 * must not push out the long context. Least recently used sessions go first when the bytes exceed the limit.
 *
 * <p><b>Threading:</b> thread-safe; a prompt is immutable once kept.
 */
final class SessionPrompts {
    /** Prompts kept of one session. */
    static final int PER_SESSION = 3;

    /** Whose prompts: isolation by model, adapter and salt is part of the key. */
    record Key(long session, String model, String adapter, String salt) {}

    /**
     * A tokenised prompt.
     *
     * @param text rendered text
     * @param tokens its tokens, without what the tokenizer adds around a text
     * @param cuts where it can be cut
     * @param blockSizes block sizes hashed
     * @param hashes sequence hashes per block size
     * @param traces trace hashes per block size, null where they are the sequence hashes
     * @param lead tokens that were put before {@code tokens} when the hashes were made
     */
    record Prompt(
            String text,
            int[] tokens,
            CutTokens.Cuts cuts,
            int[] blockSizes,
            long[][] hashes,
            long[][] traces,
            int lead) {
        long bytes() {
            long hashBytes = bytes(hashes) + bytes(traces);
            return 200 + 2L * text.length() + 4L * tokens.length + 8L * cuts.chars().length + hashBytes;
        }

        private static long bytes(long[][] arrays) {
            long bytes = 0;
            for (long[] each : arrays) {
                bytes += each == null ? 8 : 16 + 8L * each.length;
            }
            return bytes;
        }

        /** Hashes of a block size, or null. */
        long[] hashes(int blockSize) {
            return of(blockSize, hashes);
        }

        /** Trace hashes of a block size, or null. */
        long[] traces(int blockSize) {
            return of(blockSize, traces);
        }

        private long[] of(int blockSize, long[][] arrays) {
            for (int i = 0; i < blockSizes.length; i++) {
                if (blockSizes[i] == blockSize) {
                    return arrays[i];
                }
            }
            return null;
        }
    }

    private final long limitBytes;
    private final LinkedHashMap<Key, List<Prompt>> sessions = new LinkedHashMap<>(64, 0.75f, true);
    private long bytes;

    SessionPrompts(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** The kept prompt that shares the longest beginning with {@code text}, or null. */
    Prompt nearest(Key key, String text) {
        List<Prompt> kept;
        synchronized (sessions) {
            List<Prompt> found = sessions.get(key);
            if (found == null) {
                return null;
            }
            kept = List.copyOf(found);
        }
        Prompt best = null;
        int longest = 0;
        for (Prompt p : kept) {
            int common = common(p.text, text);
            if (common > longest) {
                longest = common;
                best = p;
            }
        }
        return best;
    }

    /** Keeps a prompt as the session's latest, in the place of the one that it continues (null: of none). */
    void keep(Key key, Prompt prompt, Prompt continues) {
        if (prompt.bytes() > limitBytes) {
            return;
        }
        synchronized (sessions) {
            List<Prompt> kept = sessions.computeIfAbsent(key, k -> new ArrayList<>(1));
            if (continues != null && removed(kept, continues)) {
                bytes -= continues.bytes();
            }
            kept.addFirst(prompt);
            bytes += prompt.bytes();
            while (kept.size() > PER_SESSION) {
                bytes -= kept.removeLast().bytes();
            }
            var oldest = sessions.entrySet().iterator();
            while (bytes > limitBytes && oldest.hasNext()) {
                Map.Entry<Key, List<Prompt>> e = oldest.next();
                for (Prompt p : e.getValue()) {
                    bytes -= p.bytes();
                }
                oldest.remove();
            }
        }
    }

    /** By identity: two prompts of a session may be equal, and comparing them costs their length. */
    private static boolean removed(List<Prompt> kept, Prompt prompt) {
        for (int i = 0; i < kept.size(); i++) {
            if (kept.get(i) == prompt) {
                kept.remove(i);
                return true;
            }
        }
        return false;
    }

    /** Bytes kept, by the sizes of the arrays and texts. */
    long bytes() {
        synchronized (sessions) {
            return bytes;
        }
    }

    /** Sessions kept. */
    int size() {
        synchronized (sessions) {
            return sessions.size();
        }
    }

    /** Characters that two texts have in common at their beginning. */
    static int common(String a, String b) {
        int n = Math.min(a.length(), b.length());
        int at = 0;
        // regionMatches compares many characters at once; strides halve where the texts part.
        for (int stride = 4096; stride > 0; ) {
            if (at + stride <= n && a.regionMatches(at, b, at, stride)) {
                at += stride;
            } else {
                stride >>= 1;
            }
        }
        return at;
    }
}
