package io.penstock.dataplane.engine;

import com.fasterxml.jackson.databind.JsonNode;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Locale;

/**
 * Makes a sequence of a request: reads it, tokenises it, checks its limits, hashes its prompt, and hands it to a rank.
 *
 * <p>Headers of the simulator: {@code x-sim-output-tokens: n} ends the text after n tokens; {@code x-sim-finish:
 * stop|length|tool_calls} says
 * why; {@code x-sim-tool-call: name} calls that function. {@code tool_choice} "required" or a named function calls it
 * as well. Without any of
 * them the text runs to {@code max_tokens} and ends with "length".
 *
 * <p><b>Threading:</b> called by HTTP loops.
 */
final class GenerationFront {
    private final EngineState engine;

    GenerationFront(EngineState engine) {
        this.engine = engine;
    }

    /** A sequence under way, with what it takes to cancel it. */
    record Running(EngineRank rank, Sequence sequence) {
        void cancel() {
            rank.cancel(sequence);
        }
    }

    /** Reads a request and submits it. */
    Running submit(
            ChannelHandlerContext ctx,
            ApiKind kind,
            byte[] body,
            HttpHeaders headers,
            boolean keepAlive,
            Runnable onEnd)
            throws RefusedException {
        GenerationRequest request = RequestReader.read(body);
        if (request.choices != 1) {
            throw RefusedException.bad("the simulated engine gives one choice a request: n=" + request.choices, "n");
        }
        BlockHasher.Adapter adapter = engine.adapter(request.model);
        EngineRank rank = engine.rank(headers.get("x-data-parallel-rank"));
        int[] prompt = promptTokens(kind, request);
        int room = engine.config.maxModelLen() - prompt.length;
        if (prompt.length == 0) {
            throw RefusedException.bad("the prompt is empty", "prompt");
        }
        if (room < 1) {
            throw RefusedException.bad(
                    "This model's maximum context length is " + engine.config.maxModelLen()
                            + " tokens, but the prompt has " + prompt.length + ".",
                    "prompt");
        }
        String tool = tool(request, headers);
        OutputText plan = plan(request, headers, prompt, room, tool);
        String model = request.model == null ? engine.config.model() : request.model;
        Answer answer =
                Answer.of(kind, engine.nextId(), System.currentTimeMillis() / 1000, model, request, prompt, tool);
        Exchange exchange =
                new Exchange(ctx, keepAlive, answer, rank, engine.faults, engine.config, plan.length(), onEnd);
        int blockSize = engine.config.cache().blockSize();
        int fullBlocks = prompt.length / blockSize;
        BlockHashes hashes = new BlockHashes(
                rank.hasher(), blockSize, adapter, request.cacheSalt, fullBlocks + plan.length() / blockSize + 1);
        hashes.extendTo(prompt, fullBlocks);
        String session = request.sessionId != null ? request.sessionId : headers.get("x-session-id");
        Sequence sequence =
                new Sequence(prompt, hashes, plan, request.cacheSalt, adapter, session, request.reportHits, exchange);
        exchange.open();
        rank.submit(sequence);
        return new Running(rank, sequence);
    }

    /** The prompt's token ids, whatever form it came in. */
    static int[] promptTokens(ApiKind kind, GenerationRequest request) throws RefusedException {
        if (request.promptTokens != null) {
            return request.promptTokens;
        }
        if (kind == ApiKind.COMPLETION || kind == ApiKind.GENERATE) {
            if (request.promptText == null) {
                throw RefusedException.bad("the request has no prompt", "prompt");
            }
            return SimTokenizer.encode(request.promptText);
        }
        return SimTokenizer.encode(ChatTemplate.render(request));
    }

    private OutputText plan(GenerationRequest request, HttpHeaders headers, int[] prompt, int room, String tool)
            throws RefusedException {
        int limit = Math.min(room, request.maxTokens < 0 ? engine.config.defaultMaxTokens() : request.maxTokens);
        String finish = headers.get("x-sim-finish", "").toLowerCase(Locale.ROOT);
        int wanted = number(headers, "x-sim-output-tokens", limit);
        int length = request.ignoreEos ? limit : Math.min(limit, Math.max(wanted, Math.max(1, request.minTokens)));
        FinishReason end = switch (finish) {
            case "stop" -> FinishReason.STOP;
            case "length" -> FinishReason.LENGTH;
            case "tool_calls" -> tool == null ? FinishReason.STOP : FinishReason.TOOL_CALLS;
            case "" ->
                tool != null ? FinishReason.TOOL_CALLS : length < limit ? FinishReason.STOP : FinishReason.LENGTH;
            default ->
                throw RefusedException.bad("x-sim-finish is stop, length or tool_calls: " + finish, "x-sim-finish");
        };
        // A call needs room for "{}" and the end mark; with less it is cut like any text.
        boolean cut = request.ignoreEos && tool == null || end == FinishReason.TOOL_CALLS && length < 3;
        return OutputText.of(prompt, engine.config.seed(), length, cut ? FinishReason.LENGTH : end);
    }

    private static String tool(GenerationRequest request, HttpHeaders headers) {
        String named = headers.get("x-sim-tool-call");
        if (named != null) {
            return named;
        }
        JsonNode choice = request.toolChoice;
        boolean byHeader = "tool_calls".equalsIgnoreCase(headers.get("x-sim-finish"));
        if (choice != null && choice.isObject()) {
            String name = choice.path("function")
                    .path("name")
                    .asText(choice.path("name").asText(null));
            if (name != null) {
                return name;
            }
            byHeader |= "any".equals(choice.path("type").asText());
        }
        boolean required =
                byHeader || choice != null && ("required".equals(choice.asText()) || "any".equals(choice.asText()));
        if (!required || request.tools == null || request.tools.isEmpty()) {
            return null;
        }
        JsonNode first = request.tools.get(0);
        return first.path("function").path("name").asText(first.path("name").asText("tool"));
    }

    private static int number(HttpHeaders headers, String name, int otherwise) throws RefusedException {
        String value = headers.get(name);
        if (value == null) {
            return otherwise;
        }
        try {
            return Math.max(1, Integer.parseInt(value.trim()));
        } catch (NumberFormatException e) {
            throw RefusedException.bad(name + " is no number: " + value, name);
        }
    }
}
