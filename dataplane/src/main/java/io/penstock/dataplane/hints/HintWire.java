package io.penstock.dataplane.hints;

/**
 * A delivery whose messages are answered.
 *
 * <p><b>Threading:</b> owned by the sending thread.
 */
interface HintWire extends HintDelivery {
    /**
     * Takes what has come in.
     *
     * @return how many messages
     */
    int poll(Answers answers);

    /** Time went by: peers that are not known yet are asked again. */
    void tick(long nowNs);

    /** Takes one message that came in. */
    @FunctionalInterface
    interface Answers {
        /** The message is in the first {@code length} bytes; it must not be kept. Must not throw. */
        void message(byte[] bytes, int length);
    }
}
