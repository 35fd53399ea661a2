package io.penstock.bindings.openai;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.penstock.bindings.harness.BodyIdentity;
import io.penstock.bindings.harness.InputTrigger;
import io.penstock.bindings.openai.RequestScan.PromptKind;
import java.io.IOException;
import java.util.Locale;

/**
 * Fills a {@link RequestScan}: the keys of the body's object, each value read as far as routing needs it.
 *
 * <p><b>Threading:</b> one thread, one use.
 */
final class RequestScanner {
    /** Interning would put clients' key names into the JVM's own table. */
    static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    private final RequestScan scan;
    private final byte[] body;
    private final int offset;
    private final int length;
    private JsonParser in;
    private TokenIdList ids;
    private int maxTokens = -1;
    private int maxCompletionTokens = -1;
    private String promptCacheKey;
    private String clientSession;
    private String userId;
    private int[] tokenData;

    RequestScanner(RequestScan scan, byte[] body, int offset, int length) {
        this.scan = scan;
        this.body = body;
        this.offset = offset;
        this.length = length;
    }

    void run() {
        int first = firstByte();
        if (first < 0) {
            return;
        }
        ids = TokenIdList.find(scan.kind, body, offset, length);
        try (JsonParser parser = parser()) {
            in = parser;
            in.nextToken();
            object();
            if (in.nextToken() != null) {
                scan.fail("more than one JSON value", start());
            }
        } catch (JsonProcessingException e) {
            JsonLocation at = e.getLocation();
            long bytes = at == null ? -1 : at.getByteOffset();
            scan.fail(e.getOriginalMessage(), Math.clamp(position(bytes), 0, length));
        } catch (IOException | RuntimeException e) {
            // Jackson's own limits, such as its guard against key names made to collide, come unchecked.
            scan.fail(String.valueOf(e.getMessage()), 0);
        }
    }

    private JsonParser parser() throws IOException {
        return ids == null ? JSON.createParser(body, offset, length) : JSON.createParser(ids.rest());
    }

    private int position(long parsed) {
        return ids == null ? (int) parsed : ids.position((int) parsed);
    }

    /** Position of the opening brace; anything else, also UTF-16, which Jackson would accept, is an error. */
    private int firstByte() {
        for (int i = 0; i < length; i++) {
            byte b = body[offset + i];
            if (b == '{') {
                for (int k = 0; k < Math.min(4, length); k++) {
                    if (body[offset + k] == 0) {
                        scan.fail("not UTF-8", k);
                        return -1;
                    }
                }
                return i;
            }
            if (b != ' ' && b != '\t' && b != '\n' && b != '\r') {
                scan.fail("not a JSON object", i);
                return -1;
            }
        }
        scan.fail(length == 0 ? "empty body" : "not a JSON object", length);
        return -1;
    }

    private void object() throws IOException {
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            scan.isEmptyObject = false;
            String key = in.currentName();
            in.nextToken();
            field(key);
        }
        scan.objectEnd = start();
        scan.maxOutputTokens = maxCompletionTokens >= 0 ? maxCompletionTokens : Math.max(-1, maxTokens);
        scan.promptTokens = tokenData == null ? scan.promptTokens : tokenData;
        if (promptCacheKey != null || clientSession != null || userId != null) {
            scan.identity = new BodyIdentity(promptCacheKey, clientSession, userId);
        }
    }

    private void field(String key) throws IOException {
        switch (key) {
            case "model" -> model();
            case "stream" -> scan.stream = truth();
            case "stream_options" -> streamOptions();
            case "max_tokens" -> maxTokens = number(-1);
            case "max_completion_tokens", "max_output_tokens" -> maxCompletionTokens = number(-1);
            case "n" -> scan.choices = Math.max(1, number(1));
            case "prompt" -> prompt();
            case "input" -> input();
            case "messages" -> messages();
            case "cache_salt" -> scan.cacheSalt = text();
            case "extra_key" -> {
                scan.hasExtraKey = in.currentToken() != JsonToken.VALUE_NULL;
                in.skipChildren();
            }
            case "session_id" -> scan.sessionId = text();
            case "priority" ->
                scan.priority = in.currentToken() == JsonToken.VALUE_NUMBER_INT ? Integer.valueOf(number(0)) : null;
            case "user" -> scan.user = text();
            case "prompt_cache_key" -> promptCacheKey = text();
            case "metadata" -> userId = member("user_id");
            case "nvext" -> extension();
            case "kv_transfer_params" -> transferParams();
            case "kv_hints", "router_hint" -> hint();
            case "client_metadata" -> clientSession = member("session_id");
            default -> in.skipChildren();
        }
    }

    private void transferParams() throws IOException {
        scan.hasTransferParams = in.currentToken() != JsonToken.VALUE_NULL;
        if (in.currentToken() != JsonToken.START_OBJECT) {
            in.skipChildren();
            return;
        }
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            boolean hint =
                    in.currentName().equals("kv_hint") || in.currentName().equals("router_hint");
            in.nextToken();
            if (hint) {
                hint();
            } else {
                in.skipChildren();
            }
        }
    }

    private void hint() throws IOException {
        int start = start();
        in.skipChildren();
        scan.hintSpans.add(new Span(start, end()));
    }

    private void model() throws IOException {
        int start = start();
        scan.model = text();
        scan.modelSpan = scan.model == null ? null : new Span(start, end());
    }

    private void streamOptions() throws IOException {
        int start = start();
        JsonToken token = in.currentToken();
        scan.streamOptionsIsNull = token == JsonToken.VALUE_NULL;
        scan.streamOptionsIsObject = token == JsonToken.START_OBJECT;
        scan.streamOptionsIsEmpty = scan.streamOptionsIsObject;
        scan.includeUsage = false;
        scan.includeUsageSpan = null;
        scan.continuousUsageSpan = null;
        if (scan.streamOptionsIsObject) {
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                scan.streamOptionsIsEmpty = false;
                String key = in.currentName();
                in.nextToken();
                int valueStart = start();
                boolean truth = truth();
                if (key.equals("include_usage")) {
                    scan.includeUsage = truth;
                    scan.includeUsageSpan = new Span(valueStart, end());
                } else if (key.equals("continuous_usage_stats")) {
                    scan.continuousUsageSpan = truth ? new Span(valueStart, end()) : null;
                }
            }
        } else {
            in.skipChildren();
        }
        scan.streamOptions = new Span(start, end());
    }

    /** {@code input} is a prompt for embeddings, and text or items for responses. */
    private void input() throws IOException {
        if (scan.kind == ApiKind.RESPONSES) {
            if (in.currentToken() == JsonToken.START_ARRAY) {
                messages();
            } else {
                prompt();
                if (scan.promptKind == PromptKind.TEXT) {
                    scan.inputTrigger = InputTrigger.USER_MESSAGE;
                }
            }
        } else if (scan.kind == ApiKind.EMBEDDINGS) {
            prompt();
        } else {
            in.skipChildren();
        }
    }

    private void messages() throws IOException {
        int start = start();
        if (in.currentToken() != JsonToken.START_ARRAY) {
            in.skipChildren();
            return;
        }
        MessageScan messages = new MessageScan(scan.kind);
        messages.list(in);
        scan.messageCount = messages.count();
        scan.hasMedia = messages.hasMedia();
        scan.inputTrigger = messages.trigger();
        scan.messages = new Span(start, end());
        scan.promptKind = PromptKind.MESSAGES;
    }

    private void prompt() throws IOException {
        PromptScan prompt = new PromptScan(in, length, ids);
        prompt.read();
        scan.promptKind = prompt.kind();
        scan.promptTokens = prompt.tokens();
        scan.promptSpan = prompt.text();
    }

    /** Dynamo's extension: {@code token_data} holds the prompt's token ids beside the messages they were made of. */
    private void extension() throws IOException {
        if (in.currentToken() != JsonToken.START_OBJECT) {
            in.skipChildren();
            return;
        }
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            boolean wanted = in.currentName().equals("token_data");
            in.nextToken();
            if (wanted) {
                PromptScan prompt = new PromptScan(in, length, ids);
                prompt.read();
                tokenData = prompt.tokens();
            } else {
                in.skipChildren();
            }
        }
    }

    /** Text member of the current object, or null. */
    private String member(String name) throws IOException {
        if (in.currentToken() != JsonToken.START_OBJECT) {
            in.skipChildren();
            return null;
        }
        String value = null;
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            boolean wanted = in.currentName().equals(name);
            in.nextToken();
            if (wanted) {
                value = text();
            } else {
                in.skipChildren();
            }
        }
        return value;
    }

    private String text() throws IOException {
        if (in.currentToken() == JsonToken.VALUE_STRING) {
            return in.getText();
        }
        in.skipChildren();
        return null;
    }

    /** As engines read a flag: they take 1 and some words for true as well. */
    private boolean truth() throws IOException {
        JsonToken token = in.currentToken();
        if (token == JsonToken.VALUE_STRING) {
            return switch (in.getText().toLowerCase(Locale.ROOT)) {
                case "true", "t", "yes", "y", "on", "1" -> true;
                default -> false;
            };
        }
        if (token == JsonToken.VALUE_NUMBER_INT) {
            return number(0) == 1;
        }
        in.skipChildren();
        return token == JsonToken.VALUE_TRUE;
    }

    private int number(int otherwise) throws IOException {
        if (in.currentToken() == JsonToken.VALUE_NUMBER_INT) {
            return in.getNumberType() == JsonParser.NumberType.INT ? in.getIntValue() : Integer.MAX_VALUE;
        }
        in.skipChildren();
        return otherwise;
    }

    private int start() {
        return position(in.currentTokenLocation().getByteOffset());
    }

    private int end() throws IOException {
        in.finishToken();
        return position(in.currentLocation().getByteOffset());
    }

    /** The text of a JSON string that a scan has accepted. */
    static String decode(byte[] body, int offset, int length) {
        try (JsonParser parser = JSON.createParser(body, offset, length)) {
            parser.nextToken();
            return parser.getText();
        } catch (IOException e) {
            // Only longer than Jackson's limit for one string (20 MB) is left.
            return null;
        }
    }
}
