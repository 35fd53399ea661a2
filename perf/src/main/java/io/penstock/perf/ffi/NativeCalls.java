package io.penstock.perf.ffi;

/**
 * Calls by name, ready to be made.
 *
 * <p><b>Threading:</b> owned by one thread.
 */
interface NativeCalls extends AutoCloseable {
    /**
     * A call, or null for a name that is not among them.
     *
     * @throws IllegalStateException what makes it or its answer is not as it should be
     */
    Call find(String name);

    @Override
    void close();

    /** Something to be made many times. */
    interface Call {
        /** Makes it {@code times} times; throws where an answer is wrong. */
        void make(int times);

        /** What has to be done after a sample and is not timed. */
        default void settle(int times) {}
    }

    /** For answers that have to be what they are. */
    static void must(String what, long got, long want) {
        if (got != want) {
            throw new IllegalStateException(what + " gave " + got + ", not " + want);
        }
    }
}
