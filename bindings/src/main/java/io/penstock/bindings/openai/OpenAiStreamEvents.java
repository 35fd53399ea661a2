package io.penstock.bindings.openai;

import java.nio.ByteBuffer;

/**
 * Events of OpenAI's three streaming APIs, and their bodies.
 *
 * <p>Chat and completions: chunks with {@code choices}, at the end one with empty {@code choices} and {@code usage} if
 * asked for, then {@code [DONE]}. Responses: events with a {@code type}; {@code response.completed} carries the whole
 * response with its usage.
 *
 * <p><b>Threading:</b> one thread, one answer.
 */
public final class OpenAiStreamEvents extends StreamEvents {
    private static final byte[] CHOICES = name("choices");
    private static final byte[] USAGE_KEY = name("usage");
    private static final byte[] ERROR_KEY = name("error");
    private static final byte[] RESPONSE = name("response");
    private static final byte[] TYPE = name("type");
    private static final byte[] DELTA = name("delta");
    private static final byte[] STATUS = name("status");
    private static final byte[] REASON = name("reason");
    private static final byte[] SEQUENCE = name("sequence_number");
    private static final byte[] ID = name("id");
    private static final byte[] FINISH_REASON = name("finish_reason");
    private static final byte[] TEXT = name("text");
    private static final byte[] CONTENT_KEY = name("content");
    private static final byte[] REASONING = name("reasoning");
    private static final byte[] REASONING_CONTENT = name("reasoning_content");
    private static final byte[] REFUSAL = name("refusal");
    private static final byte[] TOOL_CALLS = name("tool_calls");
    private static final byte[] PROMPT_TOKENS = name("prompt_tokens");
    private static final byte[] INPUT_TOKENS = name("input_tokens");
    private static final byte[] COMPLETION_TOKENS = name("completion_tokens");
    private static final byte[] OUTPUT_TOKENS = name("output_tokens");
    private static final byte[] CACHED_TOKENS = name("cached_tokens");
    private static final byte[] INCOMPLETE = name("incomplete_details");
    private static final byte[] ITEM = name("item");
    private static final byte[] OUTPUT = name("output");
    private static final byte[] OUTPUT_INDEX = name("output_index");
    private static final String ITEM_ADDED = "response.output_item.added";
    private static final String ITEM_DONE = "response.output_item.done";

    private final boolean responses;
    private long sequence = -1;
    private String responseId;

    // Where the walk is: depth of an open usage object, and which container the last key of depth 1 opened.
    private int usageDepth;
    private boolean inChoices;
    private boolean inResponse;
    private boolean inIncomplete;
    private boolean inItem;
    private boolean inOutput;
    private int outputDepth;
    private int outputIndex;
    private String type;
    private final ChoiceWalk choices = new ChoiceWalk(members, end);
    private final ItemWalk items = new ItemWalk(members, end);

    /** Events of a chat, completions or responses stream. */
    public OpenAiStreamEvents(ApiKind kind) {
        responses = kind == ApiKind.RESPONSES;
    }

    /** Last {@code sequence_number} of a Responses stream, or -1. */
    public long sequenceNumber() {
        return sequence;
    }

    /** {@code id} of the response in a Responses stream, or null. */
    public String responseId() {
        return responseId;
    }

    @Override
    protected int json(ByteBuffer bytes, int start, int length) {
        members.reset(bytes, start, length);
        usageDepth = 0;
        inChoices = false;
        inResponse = false;
        inIncomplete = false;
        inItem = false;
        inOutput = false;
        outputIndex = -1;
        type = null;
        choices.begin();
        int flags = 0;
        boolean noChoices = false;
        while (members.next()) {
            int depth = members.depth();
            if (depth <= usageDepth) {
                usageDepth = 0;
            }
            if (depth == 1) {
                noChoices |= members.keyIs(CHOICES) && members.valueIsEmptyList();
                flags |= outer();
            } else if (usageDepth > 0) {
                usage(depth - usageDepth);
            } else if (inChoices) {
                choices.member(depth);
                flags |= choice(depth);
            } else if (inItem) {
                items.member(2);
            } else if (inOutput && depth > outputDepth) {
                items.member(outputDepth + 2);
            } else if (inResponse && depth == 2) {
                flags |= response();
            } else if (inIncomplete && members.keyIs(REASON)) {
                finishReason = members.text();
                inIncomplete = false;
            }
        }
        settle();
        if (noChoices && (flags & USAGE) != 0) {
            flags |= USAGE_ONLY;
        }
        return flags;
    }

    /** The event or body is over: tells what its last objects said. */
    private void settle() {
        choices.over();
        if (!responses) {
            return;
        }
        if (ITEM_ADDED.equals(type) || ITEM_DONE.equals(type)) {
            items.event(ITEM_ADDED.equals(type), outputIndex);
        } else {
            items.listed();
        }
        ended(finishReason, null);
    }

    private int outer() {
        inChoices = members.keyIs(CHOICES);
        inResponse = false;
        inItem = false;
        inOutput = false;
        if (members.keyIs(ERROR_KEY) && members.valueIsFilled()) {
            return ERROR;
        }
        if (!responses) {
            return members.keyIs(USAGE_KEY) ? openUsage(1) : 0;
        }
        if (members.keyIs(TYPE)) {
            type = members.text();
            return type(type);
        }
        if (members.keyIs(SEQUENCE)) {
            sequence = members.number(-1);
        } else if (members.keyIs(RESPONSE)) {
            inResponse = true;
        } else if (members.keyIs(ITEM)) {
            inItem = true;
        } else if (members.keyIs(OUTPUT_INDEX)) {
            outputIndex = members.number(-1);
        } else if (!members.keyIs(DELTA)) {
            // The body of an answer that is not a stream is the response itself.
            return response();
        }
        return 0;
    }

    private static int type(String type) {
        if (type == null) {
            return 0;
        }
        return switch (type) {
            case "response.completed", "response.incomplete" -> DONE | FINISH;
            case "response.failed" -> DONE | ERROR;
            case "error" -> ERROR;
            case "response.function_call_arguments.delta", "response.custom_tool_call_input.delta" ->
                CONTENT | TOOL_CALL;
            default -> type.endsWith(".delta") ? CONTENT : 0;
        };
    }

    private int response() {
        inIncomplete = members.keyIs(INCOMPLETE) && members.valueIsFilled();
        inOutput = members.keyIs(OUTPUT) && members.value() == '[';
        outputDepth = members.depth();
        if (members.keyIs(USAGE_KEY)) {
            return openUsage(members.depth());
        }
        if (members.keyIs(ID) && responseId == null) {
            responseId = members.text();
        } else if (members.keyIs(STATUS) && !inProgress(members.text())) {
            finishReason = members.text();
            return FINISH;
        }
        return 0;
    }

    private static boolean inProgress(String status) {
        return status == null || status.equals("in_progress") || status.equals("queued");
    }

    private int openUsage(int depth) {
        if (!members.valueIsFilled()) {
            return 0;
        }
        usageDepth = depth;
        return USAGE;
    }

    private void usage(int below) {
        if (below == 1 && (members.keyIs(PROMPT_TOKENS) || members.keyIs(INPUT_TOKENS))) {
            promptTokens = members.number(promptTokens);
        } else if (below == 1 && (members.keyIs(COMPLETION_TOKENS) || members.keyIs(OUTPUT_TOKENS))) {
            completionTokens = members.number(completionTokens);
        } else if (below == 2 && members.keyIs(CACHED_TOKENS)) {
            cachedTokens = members.number(cachedTokens);
        }
    }

    /** A member of a choice (depth 3) or of its delta or message (depth 4). */
    private int choice(int depth) {
        if (members.value() != '"' && members.value() != '[' || !members.valueIsFilled()) {
            return 0;
        }
        boolean text = members.value() == '"';
        if (depth == 3 && text) {
            if (members.keyIs(FINISH_REASON)) {
                finishReason = members.text();
                return FINISH;
            }
            return members.keyIs(TEXT) ? CONTENT : 0;
        }
        if (depth != 4) {
            return 0;
        }
        if (!text) {
            return members.keyIs(TOOL_CALLS) ? CONTENT | TOOL_CALL : 0;
        }
        boolean output = members.keyIs(CONTENT_KEY)
                || members.keyIs(REASONING_CONTENT)
                || members.keyIs(REASONING)
                || members.keyIs(REFUSAL);
        return output ? CONTENT : 0;
    }
}
