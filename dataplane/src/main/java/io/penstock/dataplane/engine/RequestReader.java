package io.penstock.dataplane.engine;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Arrays;

/**
 * Reads a request body. Token arrays go straight into an array; only messages and tools become trees; unknown fields
 * are passed over, as vLLM does.
 *
 * <p><b>Threading:</b> stateless.
 */
final class RequestReader {
    static final ObjectMapper MAPPER = new ObjectMapper();
    private static final JsonFactory FACTORY = MAPPER.getFactory();

    private RequestReader() {}

    /** Reads a body; throws what the client is told. */
    static GenerationRequest read(byte[] body) throws RefusedException {
        GenerationRequest request = new GenerationRequest();
        try (JsonParser parser = FACTORY.createParser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw RefusedException.bad("body is not a JSON object", null);
            }
            readObject(parser, request, body.length);
            if (parser.nextToken() != null) {
                throw RefusedException.bad("text after the JSON object", null);
            }
            return request;
        } catch (IOException e) {
            throw RefusedException.bad("JSON decode error: " + firstLine(e.getMessage()), null);
        }
    }

    private static void readObject(JsonParser parser, GenerationRequest request, int bodyLength)
            throws IOException, RefusedException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (value == JsonToken.VALUE_NULL) {
                continue;
            }
            switch (name) {
                case "model" -> request.model = text(parser, value, name);
                case "prompt", "token_ids" -> prompt(parser, value, request, bodyLength);
                case "messages" -> request.messages = parser.readValueAsTree();
                case "input" -> input(parser, value, request, bodyLength);
                case "system", "instructions" -> request.system = parser.readValueAsTree();
                case "tools" -> request.tools = parser.readValueAsTree();
                case "tool_choice" -> request.toolChoice = parser.readValueAsTree();
                case "add_generation_prompt" -> request.addGenerationPrompt = flag(parser, value, name);
                case "stream" -> request.stream = flag(parser, value, name);
                case "stream_options" ->
                    request.includeUsage = tree(parser).path("include_usage").asBoolean(false);
                case "return_token_ids" -> request.returnTokenIds = flag(parser, value, name);
                case "ignore_eos" -> request.ignoreEos = flag(parser, value, name);
                case "max_tokens", "max_completion_tokens", "max_output_tokens" ->
                    request.maxTokens = count(parser, value, name, 1);
                case "min_tokens" -> request.minTokens = count(parser, value, name, 0);
                case "n" -> request.choices = count(parser, value, name, 1);
                case "cache_salt" -> request.cacheSalt = text(parser, value, name);
                case "session_id" -> request.sessionId = text(parser, value, name);
                case "nvext" -> extension(parser, value, request, bodyLength);
                case "vllm_xargs" -> extraArguments(tree(parser), request);
                case "sampling_params" -> samplingParameters(tree(parser), request);
                default -> parser.skipChildren();
            }
        }
    }

    private static void prompt(JsonParser parser, JsonToken value, GenerationRequest request, int bodyLength)
            throws IOException, RefusedException {
        if (value == JsonToken.VALUE_STRING) {
            request.promptText = parser.getText();
        } else if (value == JsonToken.START_ARRAY) {
            JsonToken first = parser.nextToken();
            if (first == JsonToken.START_ARRAY) {
                request.promptTokens = tokens(parser, parser.nextToken(), bodyLength);
                single(parser);
            } else if (first == JsonToken.VALUE_STRING) {
                request.promptText = parser.getText();
                single(parser);
            } else {
                request.promptTokens = tokens(parser, first, bodyLength);
            }
        } else {
            throw RefusedException.bad("prompt must be text or token ids", "prompt");
        }
    }

    private static void single(JsonParser parser) throws IOException, RefusedException {
        if (parser.nextToken() != JsonToken.END_ARRAY) {
            throw RefusedException.bad("the simulated engine takes one prompt a request", "prompt");
        }
    }

    private static int[] tokens(JsonParser parser, JsonToken first, int bodyLength)
            throws IOException, RefusedException {
        int[] ids = new int[Math.max(16, Math.min(bodyLength / 6, 1 << 20))];
        int n = 0;
        for (JsonToken token = first; token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            if (token != JsonToken.VALUE_NUMBER_INT || parser.getIntValue() < 0) {
                throw RefusedException.bad("a prompt's token ids are non-negative integers", "prompt");
            }
            if (n == ids.length) {
                ids = Arrays.copyOf(ids, 2 * n);
            }
            ids[n++] = parser.getIntValue();
        }
        return Arrays.copyOf(ids, n);
    }

    /** {@code input} of the Responses API: text, items, or (for {@code /v1/completions}-like clients) token ids. */
    private static void input(JsonParser parser, JsonToken value, GenerationRequest request, int bodyLength)
            throws IOException, RefusedException {
        if (value == JsonToken.VALUE_STRING) {
            request.messages = MAPPER.createArrayNode()
                    .add(MAPPER.createObjectNode().put("role", "user").put("content", parser.getText()));
        } else {
            request.messages = parser.readValueAsTree();
        }
    }

    /** Dynamo's extension: {@code token_data} holds the prompt's token ids beside the messages they were made of. */
    private static void extension(JsonParser parser, JsonToken value, GenerationRequest request, int bodyLength)
            throws IOException, RefusedException {
        if (value != JsonToken.START_OBJECT) {
            throw RefusedException.bad("nvext must be an object", "nvext");
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean ids = parser.currentName().equals("token_data");
            if (parser.nextToken() == JsonToken.START_ARRAY && ids) {
                request.promptTokens = tokens(parser, parser.nextToken(), bodyLength);
            } else {
                parser.skipChildren();
            }
        }
    }

    private static void extraArguments(JsonNode arguments, GenerationRequest request) {
        request.reportHits =
                "full".equals(arguments.path("kv_cache_report_mode").asText());
        if (request.sessionId == null && arguments.hasNonNull("session_id")) {
            request.sessionId = arguments.get("session_id").asText();
        }
    }

    private static void samplingParameters(JsonNode parameters, GenerationRequest request) throws RefusedException {
        request.maxTokens = parameters.path("max_tokens").asInt(request.maxTokens);
        request.minTokens = parameters.path("min_tokens").asInt(request.minTokens);
        request.ignoreEos = parameters.path("ignore_eos").asBoolean(request.ignoreEos);
        if (request.maxTokens == 0 || request.minTokens < 0) {
            throw RefusedException.bad("token limits must be positive", "sampling_params");
        }
    }

    private static JsonNode tree(JsonParser parser) throws IOException {
        return parser.readValueAsTree();
    }

    private static String text(JsonParser parser, JsonToken value, String name) throws IOException, RefusedException {
        if (value != JsonToken.VALUE_STRING) {
            throw RefusedException.bad(name + " must be a string", name);
        }
        return parser.getText();
    }

    private static boolean flag(JsonParser parser, JsonToken value, String name) throws IOException, RefusedException {
        if (!value.isBoolean()) {
            throw RefusedException.bad(name + " must be true or false", name);
        }
        return parser.getBooleanValue();
    }

    private static int count(JsonParser parser, JsonToken value, String name, int least)
            throws IOException, RefusedException {
        if (value != JsonToken.VALUE_NUMBER_INT || parser.getIntValue() < least) {
            throw RefusedException.bad(name + " must be at least " + least, name);
        }
        return parser.getIntValue();
    }

    private static String firstLine(String message) {
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
    }
}
