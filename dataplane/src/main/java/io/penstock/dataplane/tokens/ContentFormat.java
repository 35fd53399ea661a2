package io.penstock.dataplane.tokens;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a template wants a message's content: as one text, or as a list of parts. vLLM decides by whether the template
 * loops over a message's content; so do we.
 */
enum ContentFormat {
    /** Parts are joined by newlines. */
    TEXT,
    /** Every content is a list of {@code {"type": "text", "text": ...}}. */
    PARTS;

    private static final Pattern SET = Pattern.compile("\\{%-?\\+?\\s*set\\s+(\\w+)\\s*=\\s*([^%]*?)\\s*[-+]?%\\}");
    private static final Pattern FOR = Pattern.compile("\\{%-?\\+?\\s*for\\s+(\\w+)\\s+in\\s+([^%]*?)\\s*[-+]?%\\}");
    /** What may follow a name that still is the same sequence: slices and filters. */
    private static final String SAME = "(?:\\[[^\\]\\[]*:[^\\]\\[]*\\]|\\s*\\|\\s*\\w+(?:\\([^)]*\\))?|\\s+is\\s+(?:not\\s+)?\\w+)*";

    /** The format that a template asks for. */
    static ContentFormat of(String template) {
        Set<String> lists = new HashSet<>(Set.of("messages"));
        Deque<String> open = new ArrayDeque<>(lists);
        while (!open.isEmpty()) {
            Pattern same = Pattern.compile(Pattern.quote(open.pop()) + SAME);
            Matcher m = SET.matcher(template);
            while (m.find()) {
                if (same.matcher(m.group(2)).matches() && lists.add(m.group(1))) {
                    open.push(m.group(1));
                }
            }
        }
        Set<String> messages = new HashSet<>();
        Matcher loops = FOR.matcher(template);
        while (loops.find()) {
            for (String list : lists) {
                if (iterates(loops.group(2), Pattern.quote(list))) {
                    messages.add(loops.group(1));
                }
            }
        }
        loops.reset();
        while (loops.find()) {
            for (String message : messages) {
                String content = Pattern.quote(message) + "(?:\\.content|\\[\\s*['\"]content['\"]\\s*\\])";
                if (iterates(loops.group(2), content)) {
                    return PARTS;
                }
            }
        }
        return TEXT;
    }

    private static boolean iterates(String over, String what) {
        return Pattern.compile(what + SAME + "(?:\\s+if\\s.*)?(?:\\s+recursive)?", Pattern.DOTALL)
                .matcher(over)
                .matches();
    }
}
