package io.penstock.bindings.openai;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Collects the edits of one scanned body: another model name, one more field, usage in the stream.
 *
 * <p><b>Threading:</b> one thread.
 */
public final class BodyEdits {
    private final RequestScan scan;
    private final List<Splice> splices = new ArrayList<>(4);
    private boolean hasKeys;

    /** Edits of a body that could be read. */
    public BodyEdits(RequestScan scan) {
        if (!scan.ok()) {
            throw new IllegalArgumentException("a body that cannot be read cannot be edited: error=" + scan.error);
        }
        this.scan = scan;
        this.hasKeys = !scan.isEmptyObject;
    }

    /** Asks for usage in the stream where the client did not; see {@link UsageSplice}. */
    public BodyEdits askForUsage() {
        if (UsageSplice.isNeeded(scan)) {
            if (scan.streamOptions == null) {
                addField("stream_options", UsageSplice.OPTIONS);
            } else {
                splices.addAll(UsageSplice.of(scan));
            }
        }
        return this;
    }

    /** Puts null in place of hints: those are the router's to give. */
    public BodyEdits dropHints() {
        for (Span span : scan.hintSpans) {
            splices.add(new Splice(span.start(), span.length(), utf8("null")));
        }
        return this;
    }

    /** Puts another name in place of the model's; adds one where there was none. */
    public BodyEdits model(String name) {
        String quoted = quote(name);
        if (scan.modelSpan == null) {
            return addField("model", quoted);
        }
        splices.add(new Splice(scan.modelSpan.start(), scan.modelSpan.length(), utf8(quoted)));
        return this;
    }

    /** Adds a field at the end of the object, where it also wins over an earlier one of that name. */
    public BodyEdits addField(String name, String json) {
        splices.add(new Splice(scan.objectEnd, 0, utf8((hasKeys ? "," : "") + quote(name) + ":" + json)));
        hasKeys = true;
        return this;
    }

    /** Adds a text field at the end of the object. */
    public BodyEdits addText(String name, String value) {
        return addField(name, quote(value));
    }

    /** The edits in the order of their offsets; those at one offset in the order in which they were made. */
    public List<Splice> splices() {
        splices.sort(Comparator.comparingInt(Splice::offset));
        return List.copyOf(splices);
    }

    static String quote(String text) {
        return "\"" + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + "\"";
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
