package io.penstock.dataplane.sinks;

import io.penstock.dataplane.journal.TraceRecord;
import java.util.Locale;

/** Event types of Dynamo's request trace; there is no start of a request. */
public enum DynamoEvent {
    /** A request ended. */
    REQUEST_END,
    /** A request's content: only where the operator asked for it. */
    REQUEST_PAYLOAD,
    /** A tool began. */
    TOOL_START,
    /** A tool ended well. */
    TOOL_END,
    /** A tool failed. */
    TOOL_ERROR;

    /** The word on the wire. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it tells of a tool. */
    public boolean isTool() {
        return this == TOOL_START || this == TOOL_END || this == TOOL_ERROR;
    }

    /** The event of a word on the wire, or null. */
    public static DynamoEvent of(String wire) {
        for (DynamoEvent event : values()) {
            if (event.wire().equals(wire)) {
                return event;
            }
        }
        return null;
    }

    /** The event that tells such a record, or null: what Dynamo's trace has no word for. */
    static DynamoEvent of(TraceRecord.Kind kind) {
        return switch (kind) {
            case REQUEST_END -> REQUEST_END;
            case TOOL_START -> TOOL_START;
            case TOOL_END -> TOOL_END;
            case TOOL_ERROR -> TOOL_ERROR;
            case ADMISSION, HINT -> null;
        };
    }

    TraceRecord.Kind kind() {
        return switch (this) {
            case REQUEST_END, REQUEST_PAYLOAD -> TraceRecord.Kind.REQUEST_END;
            case TOOL_START -> TraceRecord.Kind.TOOL_START;
            case TOOL_END -> TraceRecord.Kind.TOOL_END;
            case TOOL_ERROR -> TraceRecord.Kind.TOOL_ERROR;
        };
    }
}
