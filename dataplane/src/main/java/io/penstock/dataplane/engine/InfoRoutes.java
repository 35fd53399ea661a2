package io.penstock.dataplane.engine;

import java.util.List;

/**
 * The engine's answers that need no scheduler: models, event sources, tokens, rendering.
 *
 * <p><b>Threading:</b> thread-safe.
 */
final class InfoRoutes {
    private final EngineState engine;

    InfoRoutes(EngineState engine) {
        this.engine = engine;
    }

    /** {@code GET /v1/models}. */
    String models() {
        StringBuilder out = new StringBuilder(512).append("{\"object\":\"list\",\"data\":[");
        model(out, engine.config.model(), null);
        for (String adapter : engine.adapterNames()) {
            model(out.append(','), adapter, engine.config.model());
        }
        return out.append("]}").toString();
    }

    private void model(StringBuilder out, String id, String parent) {
        out.append("{\"id\":");
        JsonText.string(out, id);
        out.append(",\"object\":\"model\",\"created\":")
                .append(engine.startedSeconds)
                .append(",\"owned_by\":\"vllm\",\"root\":");
        JsonText.string(out, id);
        out.append(",\"parent\":");
        JsonText.string(out, parent);
        out.append(",\"max_model_len\":");
        out.append(parent == null ? Integer.toString(engine.config.maxModelLen()) : "null");
        out.append(",\"permission\":[]}");
    }

    /** {@code GET /kv_event_sources}: rank to the publisher's resolved configuration. */
    String kvEventSources() {
        EngineConfig.Events events = engine.config.events();
        StringBuilder out = new StringBuilder(256).append('{');
        for (int r = 0; events.enabled() && r < engine.ranks.size(); r++) {
            out.append(r == 0 ? "\"" : ",\"")
                    .append(r)
                    .append("\":{\"enable_kv_cache_events\":true,\"publisher\":\"zmq\",\"endpoint\":");
            JsonText.string(out, engine.ranks.get(r).publisher().endpoint());
            out.append(",\"replay_endpoint\":");
            JsonText.string(out, engine.replay.endpoint(r));
            out.append(",\"buffer_steps\":")
                    .append(events.bufferSteps())
                    .append(",\"hwm\":100000,\"max_queue_size\":100000,\"topic\":");
            JsonText.string(out, events.topic());
            out.append('}');
        }
        return out.append('}').toString();
    }

    /** {@code POST /tokenize}, of a prompt or of messages. */
    String tokenize(byte[] body) throws RefusedException {
        GenerationRequest request = RequestReader.read(body);
        engine.adapter(request.model);
        int[] tokens = request.promptText != null
                ? SimTokenizer.encode(request.promptText)
                : SimTokenizer.encode(ChatTemplate.render(request));
        StringBuilder out = new StringBuilder(64 + 4 * tokens.length);
        out.append("{\"count\":")
                .append(tokens.length)
                .append(",\"max_model_len\":")
                .append(engine.config.maxModelLen())
                .append(",\"tokens\":");
        JsonText.ints(out, tokens, 0, tokens.length);
        return out.append(",\"token_strs\":null}").toString();
    }

    /** {@code POST /detokenize}. */
    String detokenize(byte[] body) throws RefusedException {
        String renamed = "tokens";
        com.fasterxml.jackson.databind.JsonNode tokens = tree(body).path(renamed);
        int[] ids = new int[tokens.size()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = tokens.get(i).asInt(-1);
        }
        StringBuilder out = new StringBuilder("{\"prompt\":");
        Answer.text(out, ids, 0, ids.length);
        return out.append('}').toString();
    }

    /** {@code POST /v1/chat/completions/render}: the request as the engine would run it. */
    String render(byte[] body) throws RefusedException {
        GenerationRequest request = RequestReader.read(body);
        engine.adapter(request.model);
        int[] tokens = GenerationFront.promptTokens(ApiKind.CHAT, request);
        int room = Math.max(1, engine.config.maxModelLen() - tokens.length);
        int limit = request.maxTokens < 0 ? room : Math.min(room, request.maxTokens);
        StringBuilder out = new StringBuilder(512 + 4 * tokens.length)
                .append("{\"request_id\":\"chatcmpl-")
                .append(engine.nextId())
                .append("\",\"token_ids\":");
        JsonText.ints(out, tokens, 0, tokens.length);
        out.append(
                ",\"token_offsets\":null,\"features\":null,\"content_parts\":null,\"sampling_params\":{\"presence_penalty\":0.0,");
        out.append(
                "\"frequency_penalty\":0.0,\"repetition_penalty\":1.0,\"temperature\":1.0,\"top_p\":1.0,\"min_p\":0.0,\"stop\":[],");
        out.append("\"stop_token_ids\":[],\"max_tokens\":")
                .append(limit)
                .append(",\"output_kind\":2,\"skip_clone\":true,\"bad_words\":[],");
        out.append("\"skip_reading_prefix_cache\":false},\"model\":");
        JsonText.string(out, request.model == null ? engine.config.model() : request.model);
        out.append(",\"reasoning_ended\":null,\"reasoning_parser_kwargs\":null,\"return_token_ids\":")
                .append(request.returnTokenIds ? "true" : "null");
        out.append(",\"output_mode\":\"tokens\",\"stream\":")
                .append(request.stream)
                .append(",\"stream_options\":null,\"cache_salt\":");
        JsonText.string(out, request.cacheSalt);
        return out.append(",\"priority\":0,\"kv_transfer_params\":null,\"ec_transfer_params\":null}")
                .toString();
    }

    /** {@code GET /sim/state}: what the pools hold, for tests and for an operator of a demo. */
    String state() {
        StringBuilder out = new StringBuilder(256)
                .append("{\"incarnation\":")
                .append(engine.incarnation.get())
                .append(",\"ranks\":[");
        List<EngineRank> ranks = engine.ranks;
        for (int r = 0; r < ranks.size(); r++) {
            EngineRank rank = ranks.get(r);
            EngineStats stats = rank.stats();
            out.append(r == 0 ? "" : ",")
                    .append("{\"running\":")
                    .append(stats.running())
                    .append(",\"waiting\":")
                    .append(stats.waiting());
            out.append(",\"usedBlocks\":")
                    .append(stats.usedBlocks())
                    .append(",\"blocks\":")
                    .append(engine.config.cache().blocks());
            out.append(",\"nextSeq\":")
                    .append(rank.publisher() == null ? 0 : rank.publisher().nextSeq())
                    .append('}');
        }
        return out.append("]}").toString();
    }

    static com.fasterxml.jackson.databind.JsonNode tree(byte[] body) throws RefusedException {
        try {
            return RequestReader.MAPPER.readTree(body);
        } catch (java.io.IOException e) {
            throw RefusedException.bad("JSON decode error", null);
        }
    }
}
