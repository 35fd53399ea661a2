package io.penstock.dataplane.metrics;

/** What the pipeline counts. The ordinal is the counter's id in the file: new ones are added at the end. */
public enum Counter {
    /** Requests placed by index and load. */
    REQUESTS_ROUTED("requests routed"),
    /** Requests placed without the index, because the core has failed. */
    REQUESTS_DEGRADED("requests routed degraded"),
    /** Requests whose model has no worker. */
    REQUESTS_NO_WORKER("requests refused: no worker"),
    /** Requests for which no worker is eligible. */
    REQUESTS_NONE_ELIGIBLE("requests refused: none eligible"),
    /** Requests refused because all eligible workers are busy. */
    REQUESTS_ALL_BUSY("requests refused: all busy"),
    /** Requests whose pinned worker cannot take them. */
    REQUESTS_PINNED_UNAVAILABLE("requests refused: pinned worker unavailable"),
    /** Requests with more blocks than allowed, routed by load. */
    REQUESTS_TOO_LONG("requests over maxBlocksPerRequest"),
    /** Requests without hashes for a pool's block size. */
    REQUESTS_UNHASHED("requests without hashes for a pool"),
    /** Life-cycle calls with an old ticket. */
    TICKETS_STALE("stale tickets"),
    /** Requests no longer counted as load because nothing was heard of them. */
    REQUESTS_EXPIRED("requests expired"),
    /** Requests routed without being tracked, since the table is full. */
    REQUESTS_UNTRACKED("requests untracked: table full"),
    /** Prompts whose blocks found no room; their load is counted without sharing. */
    PATHS_UNTRACKED("prompts untracked: no room for hashes"),
    /** Predicted holders confirmed by events. */
    PREDICTED_CONFIRMED("predicted holders confirmed"),
    /** Predicted holders that no event confirmed in time. */
    PREDICTED_EXPIRED("predicted holders expired"),
    /** Times a worker's overlap began to be trusted less. */
    OVERLAP_DISTRUSTED("workers whose overlap became distrusted"),
    /** Request ring full on route. */
    REQUEST_RING_FULL("request ring full"),
    /** Life-cycle calls that found the request ring full. */
    LIFECYCLE_RING_FULL("request ring full: life cycle dropped"),
    /** Event ring full: the source is read more slowly. */
    EVENT_RING_FULL("event ring full"),
    /** No block buffer free: the source is read more slowly. */
    BLOCK_BUFFERS_EXHAUSTED("block buffers exhausted"),
    /** Records dropped because a consumer of decisions is behind. */
    DECISIONS_DROPPED("decision records dropped"),
    /** Ticks that found the request ring full. */
    TICKS_DROPPED("ticks dropped"),
    /** Replies to the front that threw. */
    REPLIES_FAILED("replies failed"),
    /** Blocks taken into indexes. */
    BLOCKS_STORED("blocks stored"),
    /** Blocks removed from indexes. */
    BLOCKS_REMOVED("blocks removed"),
    /** Removals of blocks that the index did not know there. */
    BLOCKS_REMOVED_UNKNOWN("blocks removed: unknown"),
    /** Stored events whose parent is unknown. */
    STORED_UNKNOWN_PARENT("stored events dropped: unknown parent"),
    /** Stored events that found the index full. */
    STORED_OUT_OF_CAPACITY("stored events dropped: index full"),
    /** Events of slots that no worker has. */
    EVENTS_UNKNOWN_SLOT("events dropped: unknown slot"),
    /** Events with fields out of range. */
    EVENTS_INVALID("events dropped: out of range"),
    /** Events dropped because the core has failed. */
    EVENTS_DEGRADED("events dropped: core failed"),
    /** All blocks of a slot dropped by its engine. */
    SLOTS_CLEARED("slots cleared"),
    /** Slots whose past was lost. */
    SLOTS_COLD("slots cold"),
    /** Slots whose engine proved to be the one known. */
    SLOTS_PROVEN("slots proven"),
    /** Workers that could not be taken in. */
    WORKERS_REFUSED("workers refused"),
    /** Calls about workers that the core does not know. */
    WORKERS_UNKNOWN("worker changes dropped: unknown worker"),
    /** Failures of the core. */
    CORE_FAILURES("core failures"),
    /** Indexes reopened after a failure. */
    CORE_REOPENED("core reopened"),
    /** Look-ups that found more holders than room. */
    OVERLAPS_DROPPED("overlap entries dropped"),
    /** Slots whose events were in doubt while they were read. */
    SLOTS_DOUBTED("slots doubted"),
    /** Slots cleared at the start because the last writer ended within a batch. */
    SLOTS_TORN("slots torn"),
    /** Trace records dropped before the journal: a ring was full or the core had failed. */
    TRACES_DROPPED("trace records dropped"),
    /** Records of the input log left out, because its writer is behind. */
    INPUT_LOG_DROPPED("input log records dropped"),
    /** Times that the input log began to leave records out. */
    INPUT_LOG_GAPS("input log gaps"),
    /** Bytes written to the input log. */
    INPUT_LOG_BYTES("input log bytes"),
    /** Checkpoints taken beside the input log. */
    INPUT_LOG_CHECKPOINTS("input log checkpoints"),
    /** Checkpoints that could not be taken; the next try is made later. */
    INPUT_LOG_CHECKPOINTS_FAILED("input log checkpoints failed"),
    /** Frames that could not be written; what they held is a gap. */
    INPUT_LOG_WRITE_FAILURES("input log write failures"),
    /** Objects of shared pools that became resident, by events. */
    POOL_OBJECTS_STORED("pool objects stored"),
    /** Objects of shared pools that a listing showed and that were not known. */
    POOL_OBJECTS_SEEN("pool objects learnt from listings"),
    /** The same while the pool counted: the index lacked them. */
    POOL_OBJECTS_MISSING("pool objects found missing by listings"),
    /** Objects of shared pools that were known and are there. */
    POOL_OBJECTS_CONFIRMED("pool objects confirmed"),
    /** Objects beyond the number that the layout has for a page. */
    POOL_OBJECTS_REFUSED("pool objects dropped: beyond the layout"),
    /** Objects of pools whose layout is not known. */
    POOL_OBJECTS_WITHOUT_LAYOUT("pool objects dropped: no layout"),
    /** Objects that left shared pools. */
    POOL_OBJECTS_REMOVED("pool objects removed"),
    /** Removals of objects that were not known. */
    POOL_OBJECTS_REMOVED_UNKNOWN("pool objects removed: unknown"),
    /** What is told of a pool whose layout is not known. */
    POOL_EVENTS_WITHOUT_LAYOUT("pool events dropped: no layout"),
    /** What is told of pools with fields out of range. */
    POOL_EVENTS_INVALID("pool events dropped: out of range"),
    /** Shared pools whose pages could not be opened. */
    POOLS_UNOPENED("pools not opened"),
    /** Shared pools emptied by their owner. */
    POOLS_CLEARED("pools cleared"),
    /** Times that a shared pool ceased to count until the next listing. */
    POOLS_DOUBTED("pools doubted"),
    /** Complete listings of shared pools. */
    POOLS_LISTED("pools listed"),
    /** Prompts of which a shared pool could not tell anything: in doubt, or of another layout. */
    POOL_LOOKUPS_BLIND("pool lookups without an answer"),
    /** Pages of prompts looked up in shared pools. */
    POOL_PAGES_ASKED("pool pages asked"),
    /** Pages of prompts found in shared pools. */
    POOL_PAGES_FOUND("pool pages found"),
    /** Pages that an engine was expected to get from a shared pool. */
    POOL_PAGES_PROMISED("pool pages promised"),
    /** Such pages that by its own count it did not get. */
    POOL_PAGES_MISSED("pool pages missed"),
    /** Hints on their way to an engine. */
    HINTS_SENT("hints sent"),
    /** Hints that an engine does in full. */
    HINTS_ACCEPTED("hints accepted"),
    /** Hints that an engine does in part. */
    HINTS_CLIPPED("hints clipped"),
    /** Hints that an engine knows and leaves alone. */
    HINTS_IGNORED("hints ignored"),
    /** Hints whose action, or version of it, an engine does not know. */
    HINTS_UNSUPPORTED("hints unsupported"),
    /** Hints that an engine could not read. */
    HINTS_REJECTED("hints rejected"),
    /** Hints that nobody answered in time. */
    HINTS_UNANSWERED("hints unanswered"),
    /** Hints not made, because as many as allowed wait. */
    HINTS_DROPPED("hints dropped: queue full"),
    /** Hints for an engine that is not known, has gone, or cannot take them in this request. */
    HINTS_UNDELIVERED("hints undelivered"),
    /** Hints not made, because the index has no engine's name for what the target lacks. */
    HINTS_UNNAMED("hints unmade: blocks without an engine's name"),
    /** Answers that cannot be read, or that belong to no hint that waits. */
    HINT_ANSWERS_STRAY("hint answers without a hint");

    private final String label;

    Counter(String label) {
        this.label = label;
    }

    /** Label in the counters file. */
    public String label() {
        return label;
    }

    /** Name in Prometheus' style, without prefix: {@code requests_routed}. */
    public String metric() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
