package io.penstock.dataplane.engine;

/**
 * Takes what the block pool tells of its cache, in the order in which it happens.
 *
 * <p><b>Threading:</b> called by the thread that owns the pool.
 */
interface KvEventSink {
    /** Full blocks {@code fromBlock} (inclusive) to {@code toBlock} (exclusive) of a sequence are in the cache now. */
    void stored(Sequence sequence, int fromBlock, int toBlock);

    /**
     * One physical copy of a block is gone.
     *
     * @param hash the wire's integer
     * @param digests array that holds the full digest
     * @param at where in it
     */
    void removed(long hash, byte[] digests, int at);

    /** The whole cache is gone. */
    void cleared();

    /** Hears nothing. */
    KvEventSink NONE = new KvEventSink() {
        @Override
        public void stored(Sequence sequence, int fromBlock, int toBlock) {}

        @Override
        public void removed(long hash, byte[] digests, int at) {}

        @Override
        public void cleared() {}
    };
}
