package io.penstock.dataplane.pool;

/**
 * One listing of all objects.
 *
 * <p><b>Threading:</b> given up by the feed, which the errand's thread sees.
 */
final class ListingRun {
    /** Layouts that the names are read by. */
    final ObjectNames names;

    /** Most objects a second, so that the pipeline has room for other things; 0: as fast as they come. */
    final int objectsPerSecond;

    /** When it was asked for. */
    final long startMs;

    private volatile boolean abandoned;

    ListingRun(ObjectNames names, int objectsPerSecond, long startMs) {
        this.names = names;
        this.objectsPerSecond = objectsPerSecond;
        this.startMs = startMs;
    }

    void abandon() {
        abandoned = true;
    }

    boolean abandoned() {
        return abandoned;
    }
}
