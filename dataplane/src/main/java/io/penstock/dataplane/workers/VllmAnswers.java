package io.penstock.dataplane.workers;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What vLLM says of itself: {@code /metrics} (info metric {@code vllm:cache_config_info}, one per rank) and {@code
 * /kv_event_sources} (rank to resolved publisher).
 *
 * @param blockSize tokens of a block, 0 if not said
 * @param kvBlocks usable blocks of a rank, 0 if not said
 * @param ranks ranks that have metrics
 */
record VllmAnswers(int blockSize, long kvBlocks, int ranks) {
    private static final String METRIC = "vllm:cache_config_info{";
    private static final Pattern BLOCK_SIZE = Pattern.compile("[{,]block_size=\"(\\d{1,9})\"");
    private static final Pattern BLOCKS = Pattern.compile("[{,]num_gpu_blocks=\"(\\d{1,12})\"");

    /** Reads the metrics; null, or another server's, give zeros. */
    static VllmAnswers ofMetrics(String metrics) {
        int blockSize = 0;
        long blocks = 0;
        int ranks = 0;
        int at = metrics == null ? -1 : metrics.indexOf(METRIC);
        while (at >= 0) {
            int end = metrics.indexOf('\n', at);
            String line = metrics.substring(at, end < 0 ? metrics.length() : end);
            blockSize = Math.max(blockSize, (int) number(BLOCK_SIZE, line));
            blocks = Math.max(blocks, number(BLOCKS, line));
            ranks++;
            at = metrics.indexOf(METRIC, at + METRIC.length());
        }
        // One block is the reserved null block.
        return new VllmAnswers(blockSize, Math.max(0, blocks - 1), ranks);
    }

    private static long number(Pattern pattern, String line) {
        Matcher matcher = pattern.matcher(line);
        return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }

    /** Feeds by rank; empty when events are off, or any rank cannot be read. */
    static List<RankFeed> feeds(JsonNode sources, String host, String topic) {
        List<RankFeed> feeds = new ArrayList<>();
        for (int rank = 0; sources != null && rank < sources.size(); rank++) {
            JsonNode source = sources.path(Integer.toString(rank));
            String endpoint = source.path("endpoint").asText("");
            String events = ZmqEndpoint.resolve(endpoint, host, 0);
            if (events == null
                    || !source.path("enable_kv_cache_events").asBoolean(true)
                    || !source.path("publisher").asText("zmq").equals("zmq")) {
                return List.of();
            }
            String replay = source.path("replay_endpoint").textValue();
            feeds.add(new RankFeed(
                    events,
                    replay == null ? null : ZmqEndpoint.resolve(replay, host, 0),
                    topic.isEmpty() ? source.path("topic").asText("") : topic));
        }
        return List.copyOf(feeds);
    }
}
