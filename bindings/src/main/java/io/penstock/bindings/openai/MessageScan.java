package io.penstock.bindings.openai;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.penstock.bindings.harness.InputTrigger;
import java.io.IOException;
import java.util.Set;

/**
 * Reads a list of messages or input items: how many, whether any part is not text, and what kind the last one is.
 *
 * <p><b>Threading:</b> one thread, one use.
 */
final class MessageScan {
    private static final Set<String> MEDIA = Set.of(
            "image_url",
            "input_image",
            "image",
            "input_audio",
            "audio",
            "audio_url",
            "video",
            "video_url",
            "file",
            "input_file",
            "document");

    /** Items of the Responses API by which a client's tool answers. */
    private static final Set<String> TOOL_OUTPUTS = Set.of(
            "function_call_output",
            "computer_call_output",
            "local_shell_call_output",
            "shell_call_output",
            "apply_patch_call_output",
            "custom_tool_call_output");

    private final ApiKind kind;
    private int count;
    private boolean media;
    private String role;
    private String type;
    private String execution;
    private boolean toolResult;

    MessageScan(ApiKind kind) {
        this.kind = kind;
    }

    int count() {
        return count;
    }

    boolean hasMedia() {
        return media;
    }

    /** Reads the list that the parser has just entered. */
    void list(JsonParser in) throws IOException {
        for (JsonToken token = in.nextToken(); token != JsonToken.END_ARRAY && token != null; token = in.nextToken()) {
            count++;
            role = null;
            type = null;
            execution = null;
            toolResult = false;
            if (token == JsonToken.START_OBJECT) {
                message(in);
            } else {
                in.skipChildren();
            }
        }
    }

    private void message(JsonParser in) throws IOException {
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String key = in.currentName();
            JsonToken value = in.nextToken();
            boolean text = value == JsonToken.VALUE_STRING;
            switch (key) {
                case "role" -> role = text ? in.getText() : null;
                case "type" -> type = text ? in.getText() : null;
                case "execution" -> execution = text ? in.getText() : null;
                case "content", "output" -> {
                    if (value == JsonToken.START_ARRAY) {
                        parts(in, true);
                    } else {
                        in.skipChildren();
                    }
                }
                default -> in.skipChildren();
            }
        }
    }

    private void parts(JsonParser in, boolean top) throws IOException {
        for (JsonToken token = in.nextToken(); token != JsonToken.END_ARRAY && token != null; token = in.nextToken()) {
            if (token == JsonToken.START_OBJECT) {
                part(in, top);
            } else {
                in.skipChildren();
            }
        }
    }

    private void part(JsonParser in, boolean top) throws IOException {
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String key = in.currentName();
            JsonToken value = in.nextToken();
            if (key.equals("type") && value == JsonToken.VALUE_STRING) {
                String name = in.getText();
                media |= MEDIA.contains(name);
                toolResult |= top && name.equals("tool_result");
            } else if (top && key.equals("content") && value == JsonToken.START_ARRAY) {
                parts(in, false);
            } else {
                in.skipChildren();
            }
        }
    }

    /** The rule of each API for the last item. */
    InputTrigger trigger() {
        return switch (kind) {
            case CHAT -> chatTrigger();
            case RESPONSES -> responsesTrigger();
            case MESSAGES ->
                !"user".equals(role)
                        ? InputTrigger.OTHER
                        : toolResult ? InputTrigger.TOOL_RESULT : InputTrigger.USER_MESSAGE;
            case COMPLETIONS -> InputTrigger.OTHER;
            case EMBEDDINGS, TOKENIZE, COUNT_TOKENS -> null;
        };
    }

    private InputTrigger chatTrigger() {
        if ("user".equals(role)) {
            return InputTrigger.USER_MESSAGE;
        }
        return "tool".equals(role) || "function".equals(role) ? InputTrigger.TOOL_RESULT : InputTrigger.OTHER;
    }

    private InputTrigger responsesTrigger() {
        if (type == null || type.equals("message")) {
            return "user".equals(role) ? InputTrigger.USER_MESSAGE : InputTrigger.OTHER;
        }
        boolean output = TOOL_OUTPUTS.contains(type) || type.equals("tool_search_output") && "client".equals(execution);
        return output ? InputTrigger.TOOL_RESULT : InputTrigger.OTHER;
    }
}
