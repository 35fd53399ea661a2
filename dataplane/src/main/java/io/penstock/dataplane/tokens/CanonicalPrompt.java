package io.penstock.dataplane.tokens;

import io.penstock.bindings.openai.ApiKind;
import java.io.IOException;

/**
 * The text of a prompt in one order, whatever the order of the body: tools, system, then messages or input. What moves
 * from turn to turn without meaning is left out: {@code cache_control} marks, and Claude Code's billing header. Key
 * order inside a message is kept as sent; white space and the way of escaping are not.
 *
 * <p>Why not the raw bytes: harnesses put messages before tools, and move their cache marks each turn, so raw prefixes of
 * two turns part early.
 *
 * <p><b>Threading:</b> one thread, one use. <b>Cost:</b> one pass over the bytes ({@link CanonicalJson}); sections that
 * came in another order are copied once more.
 */
final class CanonicalPrompt {
    private static final byte[] TOOL = CanonicalJson.ascii("tool ");
    private static final byte[] SYSTEM = CanonicalJson.ascii("system ");
    private static final byte[] NONE = {};
    private static final int MESSAGES = 3;
    private static final int PLAIN = 5;
    private static final int SECTIONS = 6;

    private final ApiKind api;
    private final CanonicalJson json;
    private final int[] starts = new int[SECTIONS];
    private final int[] ends = new int[SECTIONS];
    private boolean messagesListed;

    private CanonicalPrompt(ApiKind api, byte[] body, int offset, int length) {
        this.api = api;
        this.json = new CanonicalJson(body, offset, length);
    }

    /** The canonical text as UTF-8, empty if the body holds no prompt, with room behind it in the array. */
    record Text(byte[] bytes, int from, int length) {}

    /**
     * The canonical text of a body.
     *
     * @throws IOException if the body is not a JSON object
     */
    static Text of(ApiKind api, byte[] body, int offset, int length) throws IOException {
        CanonicalPrompt prompt = new CanonicalPrompt(api, body, offset, length);
        prompt.read();
        return prompt.arranged();
    }

    private void read() throws IOException {
        json.expect('{');
        if (json.take('}')) {
            return;
        }
        do {
            int section = section(json.key());
            if (section < 0) {
                json.skip();
                continue;
            }
            // Given twice, a key counts with its last value.
            starts[section] = json.length();
            if (section == PLAIN) {
                plain();
            } else {
                lines(section);
            }
            ends[section] = json.length();
        } while (json.take(','));
        json.expect('}');
    }

    /** The section of a key, in the order of the result; -1 where the key is not part of the prompt. */
    private int section(String key) {
        boolean texts = api == ApiKind.COMPLETIONS || api == ApiKind.TOKENIZE;
        return switch (key) {
            case "prompt" -> texts ? PLAIN : -1;
            case "input" -> api == ApiKind.EMBEDDINGS ? PLAIN : 4;
            case "tools" -> 0;
            case "system" -> 1;
            case "instructions" -> 2;
            case "messages" -> MESSAGES;
            default -> -1;
        };
    }

    private void lines(int section) throws IOException {
        byte[] kind = section == 0 ? TOOL : section < MESSAGES ? SYSTEM : NONE;
        byte first = json.peek();
        messagesListed |= section == MESSAGES && first == '[';
        if (first == '"') {
            line(kind, 2);
        } else if (json.take('[')) {
            if (!json.take(']')) {
                do {
                    line(kind, 0);
                } while (json.take(','));
                json.expect(']');
            }
        } else {
            json.skip();
        }
    }

    /** One item behind its kind; none if it has no more than {@code least} bytes. */
    private void line(byte[] kind, int least) throws IOException {
        int start = json.length();
        json.write(kind);
        if (json.item() && json.length() - start - kind.length > least) {
            json.write(new byte[] {'\n'});
        } else {
            json.backTo(start);
        }
    }

    private void plain() throws IOException {
        if (json.peek() == '"') {
            json.bareText();
        } else if (json.peek() == '[') {
            json.item();
        } else {
            json.skip();
        }
    }

    private Text arranged() {
        boolean text = switch (api) {
            case CHAT, MESSAGES, COUNT_TOKENS, RESPONSES -> false;
            case COMPLETIONS -> true;
            case EMBEDDINGS, TOKENIZE -> !messagesListed;
        };
        int first = text ? PLAIN : 0;
        int past = text ? SECTIONS : PLAIN;
        int from = -1;
        int next = -1;
        boolean inPlace = true;
        for (int i = first; i < past; i++) {
            if (ends[i] > starts[i]) {
                inPlace &= next < 0 || starts[i] == next;
                from = next < 0 ? starts[i] : from;
                next = ends[i];
            }
        }
        if (inPlace) {
            return new Text(json.written(), Math.max(0, from), Math.max(0, next) - Math.max(0, from));
        }
        byte[] out = new byte[json.length() + CanonicalJson.SPARE];
        int total = 0;
        for (int i = first; i < past; i++) {
            System.arraycopy(json.written(), starts[i], out, total, ends[i] - starts[i]);
            total += ends[i] - starts[i];
        }
        return new Text(out, 0, total);
    }
}
