package io.penstock.dataplane.workers;

/**
 * Where one rank of a worker publishes its KV events.
 *
 * @param kvEvents ZMQ endpoint to subscribe to
 * @param kvReplay ZMQ endpoint of the replay socket, or null
 * @param topic topic prefix, empty for all
 */
public record RankFeed(String kvEvents, String kvReplay, String topic) {}
