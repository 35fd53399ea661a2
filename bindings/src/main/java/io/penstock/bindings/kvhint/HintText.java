package io.penstock.bindings.kvhint;

import java.nio.charset.StandardCharsets;

/**
 * Writes hints as JSON into bytes of its own, which are used again for the next one.
 *
 * <p>Hashes are unsigned 64-bit numbers, written as such.
 *
 * <p><b>Threading:</b> one thread. <b>Cost:</b> nothing allocated once the longest message was seen; about 45 ns a hash.
 */
public final class HintText {
    private static final int MOST_DIGITS = 20;
    private static final String HEX = "0123456789abcdef";

    private final byte[] digits = new byte[MOST_DIGITS];
    private byte[] bytes = new byte[1024];
    private int length;
    private boolean firstAction;
    private boolean firstNumber;

    /** The text, in its first {@link #length} bytes; valid until the next change. */
    public byte[] bytes() {
        return bytes;
    }

    /** Bytes of the text. */
    public int length() {
        return length;
    }

    /** Forgets the text. */
    public HintText clear() {
        length = 0;
        return this;
    }

    /** Begins a message. */
    public void beginMessage(String id) {
        beginWithId();
        string(id);
        beginActions();
    }

    /** Begins a message called {@code prefix-number}: no text is made of it. */
    public void beginMessage(String prefix, long number) {
        beginWithId();
        ascii("\"");
        escaped(prefix);
        ascii("-");
        unsigned(number);
        ascii("\"");
        beginActions();
    }

    private void beginWithId() {
        clear();
        ascii("{\"protocol_version\":\"");
        ascii(HintMessage.PROTOCOL_VERSION);
        ascii("\",\"message_id\":");
    }

    private void beginActions() {
        ascii(",\"actions\":[");
        firstAction = true;
    }

    /** Begins an action, whose payload follows. */
    public void beginAction(String id, String type, String version) {
        if (!firstAction) {
            ascii(",");
        }
        firstAction = false;
        ascii("{\"action_id\":");
        string(id);
        ascii(",\"action_type\":");
        string(type);
        ascii(",\"action_version\":");
        string(version);
        ascii(",\"payload\":");
    }

    /** Ends an action. */
    public void endAction() {
        ascii("}");
    }

    /** Ends the message. */
    public void endMessage() {
        ascii("]}");
    }

    /** JSON as it is. */
    public void raw(byte[] json) {
        room(json.length);
        System.arraycopy(json, 0, bytes, length, json.length);
        length += json.length;
    }

    /** ASCII as it is. */
    void ascii(String text) {
        room(text.length());
        for (int i = 0; i < text.length(); i++) {
            bytes[length++] = (byte) text.charAt(i);
        }
    }

    /** A JSON string. */
    void string(String text) {
        ascii("\"");
        escaped(text);
        ascii("\"");
    }

    private void escaped(String text) {
        room(6 * text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~' || c == '"' || c == '\\') {
                bytes[length++] = '\\';
                bytes[length++] = 'u';
                for (int shift = 12; shift >= 0; shift -= 4) {
                    bytes[length++] = (byte) HEX.charAt(c >>> shift & 15);
                }
            } else {
                bytes[length++] = (byte) c;
            }
        }
    }

    /** Begins a list of numbers. */
    void beginNumbers() {
        ascii("[");
        firstNumber = true;
    }

    /** One number of the list, unsigned. */
    void number(long value) {
        if (!firstNumber) {
            ascii(",");
        }
        firstNumber = false;
        unsigned(value);
    }

    /** Ends the list. */
    void endNumbers() {
        ascii("]");
    }

    /** A number, unsigned. */
    void unsigned(long value) {
        int at = MOST_DIGITS;
        long rest = value;
        if (rest < 0) {
            long tenth = Long.divideUnsigned(rest, 10);
            digits[--at] = (byte) ('0' + (rest - tenth * 10));
            rest = tenth;
        }
        do {
            long tenth = rest / 10;
            digits[--at] = (byte) ('0' + (rest - tenth * 10));
            rest = tenth;
        } while (rest != 0);
        room(MOST_DIGITS - at);
        System.arraycopy(digits, at, bytes, length, MOST_DIGITS - at);
        length += MOST_DIGITS - at;
    }

    private void room(int more) {
        if (length + more > bytes.length) {
            byte[] larger = new byte[Math.max(length + more, bytes.length * 2)];
            System.arraycopy(bytes, 0, larger, 0, length);
            bytes = larger;
        }
    }

    @Override
    public String toString() {
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
