package io.penstock.dataplane.tokens;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
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
    private final Map<Character, List<Map.Entry<Integer, String>>> byFirst = new HashMap<>();
    private final BitSet known = new BitSet();
    private final BitSet firsts = new BitSet();

    private CutTokens(Map<Integer, String> contents) {
        this.contents = contents;
        // Longest first: where one cut token begins another, the tokenizer takes the longer.
        contents.entrySet().stream()
                .sorted((a, b) -> b.getValue().length() - a.getValue().length())
                .forEach(e -> byFirst.computeIfAbsent(e.getValue().charAt(0), k -> new ArrayList<>())
                        .add(e));
        contents.keySet().forEach(known::set);
        byFirst.keySet().forEach(firsts::set);
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
     * The cuts of a text from a character and token on. A token whose id stands among the tokens more often than its
     * content in the text (the unknown token, a byte's token) came about otherwise there, and is left out.
     */
    Cuts find(String text, int fromChar, int[] tokens, int fromToken) {
        Map<Integer, Integer> surplus = new HashMap<>();
        int[] ids = new int[16];
        int[] at = new int[16];
        int n = 0;
        for (int i = fromToken; i < tokens.length; i++) {
            if (known.get(tokens[i])) {
                surplus.merge(tokens[i], 1, Integer::sum);
                if (n == ids.length) {
                    ids = Arrays.copyOf(ids, n * 2);
                    at = Arrays.copyOf(at, n * 2);
                }
                ids[n] = tokens[i];
                at[n++] = i;
            }
        }
        int[] chars = new int[Math.max(1, n)];
        int[] found = new int[Math.max(1, n)];
        int m = 0;
        for (int c = next(text, fromChar); c >= 0; ) {
            int id = matching(text, c);
            if (m == n) {
                return Cuts.NONE;
            }
            surplus.merge(id, -1, Integer::sum);
            chars[m] = c;
            found[m++] = id;
            c = next(text, c + contents.get(id).length());
        }
        return paired(ids, at, n, chars, found, m, surplus);
    }

    private static Cuts paired(
            int[] ids, int[] at, int n, int[] chars, int[] found, int m, Map<Integer, Integer> surplus) {
        int[] outChars = new int[m];
        int[] outTokens = new int[m];
        int k = 0;
        int j = 0;
        for (int i = 0; i < n; i++) {
            if (surplus.get(ids[i]) != 0) {
                continue;
            }
            while (j < m && surplus.get(found[j]) != 0) {
                j++;
            }
            if (j == m || found[j] != ids[i]) {
                return Cuts.NONE;
            }
            outChars[k] = chars[j++];
            outTokens[k++] = at[i];
        }
        return new Cuts(Arrays.copyOf(outChars, k), Arrays.copyOf(outTokens, k));
    }

    /** Length of the cut token with this id, or -1. */
    int length(int id) {
        String content = contents.get(id);
        return content == null ? -1 : content.length();
    }

    /** The first cut token at or after a character, or -1. One look at each character, whatever the number of tokens. */
    private int next(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            if (firsts.get(text.charAt(i)) && matching(text, i) >= 0) {
                return i;
            }
        }
        return -1;
    }

    private int matching(String text, int at) {
        for (Map.Entry<Integer, String> e : byFirst.getOrDefault(text.charAt(at), List.of())) {
            if (text.startsWith(e.getValue(), at)) {
                return e.getKey();
            }
        }
        return -1;
    }
}
