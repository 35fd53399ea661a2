package io.penstock.perf.index;

/**
 * What the index is given of the stream's events.
 *
 * <p><b>Threading:</b> immutable.
 */
enum Variant {
    /** Engine hashes and sequence hashes, as the published indexes get them. */
    GIVEN,
    /** Engine hashes and local hashes: the index chains. Look-ups are timed with their chain as well. */
    CHAIN,
    /** As given, each block stored twice by the same worker, and removed twice. */
    DOUBLED,
    /** As given, engine hashes differing from worker to worker: every worker in a hash domain of its own. */
    DOMAINS;

    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    /** How often each event is applied. */
    int copies() {
        return this == DOUBLED ? 2 : 1;
    }

    /** What the engine's hashes of a worker are xored with. */
    long mask(int worker) {
        return this == DOMAINS ? (worker + 1) * SPREAD : 0;
    }

    /** As in figures' names. */
    String label() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
