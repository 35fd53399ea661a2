package io.penstock.dataplane.ingest;

/** What a feed counts, for metrics. The names in lower case are the metrics' labels. */
public enum FeedCounter {
    /** Batches applied, live or replayed. */
    BATCHES,
    /** Batches applied out of a replay. */
    REPLAYED_BATCHES,
    /** Stored events handed over. */
    STORED_EVENTS,
    /** Removed events handed over. */
    REMOVED_EVENTS,
    /** Cleared events handed over. */
    CLEARED_EVENTS,
    /** Blocks of stored events handed over. */
    STORED_BLOCKS,
    /** Blocks of removed events handed over. */
    REMOVED_BLOCKS,
    /** Messages whose frames are not those of the protocol, or too large. */
    BAD_FRAMES,
    /** Batches that do not decode: the engine is cold from there on. */
    MALFORMED_BATCHES,
    /** Live batches that were known already. */
    DUPLICATE_BATCHES,
    /** Live batches that a complete replay does not know: of a life that is over. */
    FOREIGN_BATCHES,
    /** Batches that name another rank than the feed's. */
    WRONG_RANK_BATCHES,
    /** Missing batches found in the live sequence. */
    GAPS,
    /** Replays asked for. */
    REPLAYS,
    /** Replays without an answer in time. */
    REPLAY_TIMEOUTS,
    /** Replays whose first batch is younger than asked for. */
    REPLAYS_TOO_SHORT,
    /** Replays with a batch missing inside. */
    REPLAYS_WITH_HOLES,
    /** Times that the engine proved to be the one known. */
    PROVEN,
    /** Times that live events were in doubt, after a connection or a gap. */
    DOUBTED,
    /** Times that the engine became cold: what was known of it was lost. */
    COLD,
    /** Times that an engine was taken up of which nothing was known. */
    NEW,
    /** Connections made after the first. */
    RECONNECTS,
    /** Sockets that could not be made. */
    SOCKET_FAILURES,
    /** Times that the feed itself failed and started over. */
    INTERNAL_FAILURES,
    /** Offers that the pipeline refused because it was full; offered again later. */
    REFUSED_OFFERS,
    /** Requests for a replay that came too early, or where no replay socket is known. */
    REPLAY_REQUESTS_IGNORED,
    /** Stored events in another block size than the worker's. */
    DROPPED_BLOCK_SIZE,
    /** Bigram events of an engine that is not indexed by bigrams. */
    DROPPED_BIGRAM,
    /** Events of attention groups that hold no whole prefix. */
    DROPPED_NON_MAIN_GROUP,
    /** Events of blocks that lie on another node. */
    DROPPED_REMOTE,
    /** Events of an owner that is not known. */
    DROPPED_UNKNOWN_OWNER,
    /** Events of a medium that is not known. */
    DROPPED_UNKNOWN_MEDIUM,
    /** Events of a type that is not known. */
    DROPPED_UNKNOWN_TYPE,
    /** Stored events without tokens, as offloading connectors send them. */
    DROPPED_PLACEHOLDER,
    /** Stored events whose tokens do not fill their blocks. */
    DROPPED_LENGTH,
    /** Stored events that name themselves as their parent. */
    DROPPED_SELF_REFERENCE,
    /** Stored events of an adapter without a name. */
    DROPPED_UNNAMED_ADAPTER,
    /** Stored events whose content is not given by token ids. */
    DROPPED_OPAQUE_CONTENT
}
