package io.penstock.dataplane.workers;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * What SGLang says of itself in {@code /server_info}.
 *
 * @param blockSize tokens of a block, 0 if not said
 * @param dpSize ranks, 0 if not said
 * @param kvBlocks blocks of a rank, 0 if not said
 * @param maxBatchedTokens tokens of the largest prefill batch, 0 if not said
 * @param feeds one per rank; empty when events are off
 */
record SglangAnswers(int blockSize, int dpSize, long kvBlocks, long maxBatchedTokens, List<RankFeed> feeds) {

    /** Whether the answer is SGLang's. */
    static boolean isSglang(JsonNode info) {
        return info != null && (info.has("kv_events") || info.has("page_size"));
    }

    /** Reads the answer. */
    static SglangAnswers of(JsonNode info, String host, String topic) {
        JsonNode events = info.path("kv_events");
        int blockSize = positive(events.path("block_size"), positive(info.path("page_size"), 0));
        int dpSize = positive(events.path("dp_size"), positive(info.path("dp_size"), 0));
        int tokens = positive(info.path("max_total_num_tokens"), 0);
        return new SglangAnswers(
                blockSize,
                dpSize,
                blockSize > 0 ? tokens / blockSize : 0,
                positive(info.path("max_prefill_tokens"), 0),
                feeds(events, host, topic, Math.max(1, dpSize)));
    }

    private static List<RankFeed> feeds(JsonNode events, String host, String topic, int ranks) {
        String bound = events.path("endpoint_host").asText("*");
        int port = positive(events.path("endpoint_port_base"), 0);
        int replay = positive(events.path("replay_endpoint_port_base"), 0);
        if (port == 0 || !events.path("publisher").asText("zmq").equals("zmq")) {
            return List.of();
        }
        List<RankFeed> feeds = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            feeds.add(new RankFeed(
                    ZmqEndpoint.tcp(bound, port + rank, host),
                    replay == 0 ? null : ZmqEndpoint.tcp(bound, replay + rank, host),
                    topic.isEmpty() ? events.path("topic").asText("") : topic));
        }
        return List.copyOf(feeds);
    }

    private static int positive(JsonNode node, int otherwise) {
        int value = node.asInt(0);
        return value > 0 ? value : otherwise;
    }
}
