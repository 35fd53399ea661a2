package io.penstock.bindings.anthropic;

import io.penstock.bindings.openai.StreamEvents;
import java.nio.ByteBuffer;

/**
 * Events of Anthropic's message stream, and its bodies.
 *
 * <p>{@code message_start} gives the prompt's usage, {@code message_delta} the output's and the stop reason, {@code
 * message_stop} ends the stream. Anthropic counts prompt tokens that were neither read from nor written to the cache as
 * {@code input_tokens}; {@link #promptTokens()} is the sum of the three.
 *
 * <p><b>Threading:</b> one thread, one answer.
 */
public final class AnthropicStreamEvents extends StreamEvents {
    private static final byte[] TYPE = name("type");
    private static final byte[] MESSAGE = name("message");
    private static final byte[] USAGE_KEY = name("usage");
    private static final byte[] DELTA = name("delta");
    private static final byte[] CONTENT_BLOCK = name("content_block");
    private static final byte[] CONTENT_KEY = name("content");
    private static final byte[] TEXT = name("text");
    private static final byte[] THINKING = name("thinking");
    private static final byte[] PARTIAL_JSON = name("partial_json");
    private static final byte[] TOOL_USE = name("tool_use");
    private static final byte[] STOP_REASON = name("stop_reason");
    private static final byte[] STOP_SEQUENCE = name("stop_sequence");
    private static final byte[] ID = name("id");
    private static final byte[] NAME = name("name");
    private static final byte[] MESSAGE_STOP = name("message_stop");
    private static final byte[] ERROR_TYPE = name("error");
    private static final byte[] INPUT_TOKENS = name("input_tokens");
    private static final byte[] OUTPUT_TOKENS = name("output_tokens");
    private static final byte[] CACHE_READ = name("cache_read_input_tokens");
    private static final byte[] CACHE_CREATION = name("cache_creation_input_tokens");

    /** Container that the last key of the outermost object opened. */
    private enum Within {
        OTHER,
        MESSAGE,
        DELTA,
        BLOCK,
        CONTENT
    }

    private int uncached = -1;
    private int created = -1;

    // What the content block under the eye says; told when it is over.
    private int blockAt = -1;
    private boolean blockIsTool;
    private String toolId;
    private String toolName;

    @Override
    protected int json(ByteBuffer bytes, int start, int length) {
        members.reset(bytes, start, length);
        Within within = Within.OTHER;
        int usageDepth = 0;
        int flags = 0;
        while (members.next()) {
            int depth = members.depth();
            if (depth <= usageDepth) {
                usageDepth = 0;
            }
            if (depth == 1) {
                within = within();
                flags |= outer();
            }
            boolean place = depth == 1 || depth == 2 && within == Within.MESSAGE;
            if (place && members.keyIs(USAGE_KEY) && members.valueIsFilled()) {
                usageDepth = depth;
                flags |= USAGE;
            } else if (usageDepth > 0 && depth == usageDepth + 1) {
                usage();
            } else if (depth == 2 && (within == Within.DELTA || within == Within.BLOCK)) {
                flags |= output();
                block(depth, within == Within.BLOCK);
            } else if (depth == 3 && within == Within.CONTENT) {
                flags |= output();
                block(depth, true);
            }
        }
        blockOver();
        if ((flags & USAGE) != 0 && uncached >= 0) {
            promptTokens = uncached + Math.max(0, cachedTokens) + Math.max(0, created);
        }
        return flags;
    }

    private Within within() {
        if (members.keyIs(MESSAGE)) {
            return Within.MESSAGE;
        }
        if (members.keyIs(DELTA)) {
            return Within.DELTA;
        }
        if (members.keyIs(CONTENT_BLOCK)) {
            return Within.BLOCK;
        }
        return members.keyIs(CONTENT_KEY) ? Within.CONTENT : Within.OTHER;
    }

    private int outer() {
        if (members.keyIs(TYPE)) {
            return members.valueIs(MESSAGE_STOP) ? DONE : members.valueIs(ERROR_TYPE) ? ERROR : 0;
        }
        return members.keyIs(STOP_REASON) ? stopReason() : stopSequence();
    }

    private int stopSequence() {
        if (members.keyIs(STOP_SEQUENCE)) {
            ended(null, members.scalar());
        }
        return 0;
    }

    private int stopReason() {
        if (members.value() != '"') {
            return 0;
        }
        finishReason = members.text();
        ended(finishReason, null);
        return FINISH;
    }

    /** A member of a content block: another one where the object is another. */
    private void block(int depth, boolean content) {
        if (!content) {
            stopSequence();
            return;
        }
        if (members.opened(depth) != blockAt) {
            blockOver();
            blockAt = members.opened(depth);
        }
        if (members.keyIs(TYPE)) {
            blockIsTool = members.valueIs(TOOL_USE);
        } else if (members.keyIs(ID)) {
            toolId = members.scalar();
        } else if (members.keyIs(NAME)) {
            toolName = members.scalar();
        }
    }

    private void blockOver() {
        if (blockIsTool) {
            called(toolId, toolName);
        }
        blockAt = -1;
        blockIsTool = false;
        toolId = null;
        toolName = null;
    }

    /** A member of a delta or a content block. */
    private int output() {
        if (members.keyIs(STOP_REASON)) {
            return stopReason();
        }
        if (members.keyIs(TYPE)) {
            return members.valueIs(TOOL_USE) ? CONTENT | TOOL_CALL : 0;
        }
        if (!members.valueIsFilled()) {
            return 0;
        }
        if (members.keyIs(PARTIAL_JSON)) {
            return CONTENT | TOOL_CALL;
        }
        return members.keyIs(TEXT) || members.keyIs(THINKING) ? CONTENT : 0;
    }

    private void usage() {
        if (members.keyIs(INPUT_TOKENS)) {
            uncached = members.number(uncached);
        } else if (members.keyIs(OUTPUT_TOKENS)) {
            completionTokens = members.number(completionTokens);
        } else if (members.keyIs(CACHE_READ)) {
            cachedTokens = members.number(cachedTokens);
        } else if (members.keyIs(CACHE_CREATION)) {
            created = members.number(created);
        }
    }
}
