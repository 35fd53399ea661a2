package io.penstock.dataplane.pool;

/** What a pool's feed counts, for metrics. The names in lower case are the metrics' names. */
public enum PoolCounter {
    /** Messages taken from the master's event socket. */
    MESSAGES,
    /** Stored events of our tenant. */
    STORED_EVENTS,
    /** Removed events of our tenant. */
    REMOVED_EVENTS,
    /** Cleared events of our tenant. */
    CLEARED_EVENTS,
    /** Objects of our layouts that listings showed. */
    LISTED_OBJECTS,
    /** Names in events that no layout knows. */
    FOREIGN_NAMES,
    /** Names in listings that no layout knows. */
    LISTED_FOREIGN_NAMES,
    /** Names in events of our models' pages, but of a rank, part or pool that their layout lacks: it is not the engines'. */
    UNKNOWN_PARTS,
    /** The same in listings. */
    LISTED_UNKNOWN_PARTS,
    /** Listed objects passed over, because an event said in the meantime that they are gone. */
    LISTED_GONE,
    /** Messages whose frames are not those of the protocol, or too large. */
    BAD_FRAMES,
    /** Messages that do not decode: everything is listed anew. */
    MALFORMED_BATCHES,
    /** Events that are no map. */
    SKIPPED_NOT_A_MAP,
    /** Events of a type that is not known. */
    SKIPPED_UNKNOWN_TYPE,
    /** Events without an object's name: the master was started without {@code emit_object_key}. */
    SKIPPED_KEYLESS,
    /** Events of other tenants. */
    WRONG_TENANT,
    /** Messages that came twice. */
    DUPLICATE_MESSAGES,
    /** Missing messages found by the sequence. */
    GAPS,
    /** Missing messages found by asking the master, since none came after them. */
    LOST_TAILS,
    /** Sequence numbers that stepped back: the master is another. */
    STEPS_BACK,
    /** Connections made after the first. */
    RECONNECTS,
    /** Times that the pool stopped to count until the next listing. */
    DOUBTED,
    /** Complete listings. */
    LISTINGS,
    /** Listings that the master did not give to their end. */
    LISTINGS_FAILED,
    /** Listings given up, because events were lost or a layout changed meanwhile. */
    LISTINGS_ABANDONED,
    /** Listings ahead of time, because probes found too many objects gone. */
    LISTINGS_EARLY,
    /** Objects asked for between listings. */
    PROBES,
    /** Probed objects that were gone though no event said so. */
    PROBES_STALE,
    /** Probes that nothing could be learnt from. */
    PROBES_UNKNOWN,
    /** Pages that an engine did not find, taken up to be probed first. */
    SUSPECTS,
    /** Such pages dropped, because too many wait. */
    SUSPECTS_DROPPED,
    /** Questions to the master that it did not answer. */
    MASTER_SILENT,
    /** Sockets that could not be made. */
    SOCKET_FAILURES,
    /** Offers that the pipeline refused because it was full; offered again later. */
    REFUSED_OFFERS,
    /** Times that the feed itself failed and started over. */
    INTERNAL_FAILURES
}
