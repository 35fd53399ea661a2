package io.penstock.dataplane.ingest;

/** What a feed knows about its engine. */
public enum FeedState {
    /** The engine's past is lost, or it was never heard: its blocks count from now on only. */
    COLD,
    /** A replay is being asked for, to prove the incarnation or to fill a gap. */
    PROVING,
    /** Events are applied as they come. */
    LIVE
}
