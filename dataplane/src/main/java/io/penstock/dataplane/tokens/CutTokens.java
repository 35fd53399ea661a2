package io.penstock.dataplane.tokens;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The added tokens at which a text can be cut without changing its tokens.
 *
 * <p>The tokenizer itself first splits a text at its added tokens, then tokenises each piece alone: no merge crosses
 * them. A token serves as a cut only if whether it matches cannot depend on what stands around it:
 *
 * <ol>
 *   <li>I1: matched in the raw text (not {@code normalized}), as it stands (no {@code lstrip}, {@code rstrip},
 *       {@code single_word}, no white space in it);
 *   <li>I2: no other added token contains it, or ends with what it begins with, so its every occurrence is a match.
 * </ol>
 *
 * <p><b>Threading:</b> immutable.
 */
final class CutTokens {
    private final Map<Integer, String> contents;
    private final Map<Character, List<String>> byFirst = new HashMap<>();

    private CutTokens(Map<Integer, String> contents) {
        this.contents = contents;
        // Longest first: where one cut token begins another, the tokenizer takes the longer.
        contents.values().stream()
                .sorted((a, b) -> b.length() - a.length())
                .forEach(c -> byFirst.computeIfAbsent(c.charAt(0), k -> new ArrayList<>()).add(c));
    }

    /** Where each cut token stands in a text and in its tokens. */
    record Cuts(int[] chars, int[] tokens) {
        static final Cuts NONE = new Cuts(new int[0], new int[0]);
    }

    /** From the {@code added_tokens} of a {@code tokenizer.json}. */
    static CutTokens of(List<?> addedTokens) {
        List<Map<?, ?>> all = new ArrayList<>();
        for (Object t : addedTokens) {
            if (t instanceof Map<?, ?> m && m.get("content") instanceof String && m.get("id") instanceof Number) {
                all.add(m);
            }
        }
        Map<Integer, String> safe = new HashMap<>();
        for (Map<?, ?> t : all) {
            String content = (String) t.get("content");
            if (plain(t) && all.stream().allMatch(o -> o == t || apart(content, (String) o.get("content")))) {
                safe.put(((Number) t.get("id")).intValue(), content);
            }
        }
        return new CutTokens(safe);
    }

    private static boolean plain(Map<?, ?> t) {
        String content = (String) t.get("content");
        return !Boolean.TRUE.equals(t.get("normalized"))
                && !Boolean.TRUE.equals(t.get("lstrip"))
                && !Boolean.TRUE.equals(t.get("rstrip"))
                && !Boolean.TRUE.equals(t.get("single_word"))
                && !content.isEmpty()
                && content.chars().noneMatch(Character::isWhitespace);
    }

    private static boolean apart(String content, String other) {
        if (other.contains(content)) {
            return false;
        }
        for (int n = 1; n < content.length(); n++) {
            if (other.endsWith(content.substring(0, n))) {
                return false;
            }
        }
        return true;
    }

    /**
     * The cuts of a text from a character and token on; none if text and tokens do not tell the same story (a token's
     * id that came about otherwise).
     */
    Cuts find(String text, int fromChar, int[] tokens, int fromToken) {
        int[] chars = new int[16];
        int[] at = new int[16];
        int n = 0;
        int c = fromChar;
        for (int i = fromToken; i < tokens.length; i++) {
            String content = contents.get(tokens[i]);
            if (content == null) {
                continue;
            }
            int found = next(text, c);
            if (found < 0 || !text.startsWith(content, found)) {
                return Cuts.NONE;
            }
            if (n == chars.length) {
                chars = java.util.Arrays.copyOf(chars, n * 2);
                at = java.util.Arrays.copyOf(at, n * 2);
            }
            chars[n] = found;
            at[n++] = i;
            c = found + content.length();
        }
        if (next(text, c) >= 0) {
            return Cuts.NONE;
        }
        return new Cuts(java.util.Arrays.copyOf(chars, n), java.util.Arrays.copyOf(at, n));
    }

    /** Length of the cut token with this id, or -1. */
    int length(int id) {
        String content = contents.get(id);
        return content == null ? -1 : content.length();
    }

    /** Number of tokens that serve as cuts. */
    int size() {
        return contents.size();
    }

    /** The first cut token at or after a character, or -1. Real tokenizers begin all of theirs with one or two characters. */
    private int next(String text, int from) {
        int best = -1;
        for (Map.Entry<Character, List<String>> e : byFirst.entrySet()) {
            int end = best < 0 ? text.length() : best;
            for (int i = text.indexOf(e.getKey(), from); i >= 0 && i < end; i = text.indexOf(e.getKey(), i + 1)) {
                if (matches(text, i, e.getValue())) {
                    best = i;
                    break;
                }
            }
        }
        return best;
    }

    private static boolean matches(String text, int at, List<String> contents) {
        for (String content : contents) {
            if (text.startsWith(content, at)) {
                return true;
            }
        }
        return false;
    }
}
