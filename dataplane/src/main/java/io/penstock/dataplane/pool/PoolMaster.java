package io.penstock.dataplane.pool;

import java.io.IOException;

/**
 * The master of a shared pool, asked over its admin port for what its event stream cannot tell: all objects, and how far
 * the stream has come. Neither lengthens an object's life in the store.
 *
 * <p><b>Threading:</b> one caller at a time; calls block, and end soon after the thread was interrupted.
 */
public interface PoolMaster {
    /** Where names go. */
    @FunctionalInterface
    interface Names {
        /**
         * Takes an object's name: ASCII, {@code length} bytes from {@code from} on, which are the caller's again
         * afterwards.
         *
         * @return false to end the listing
         */
        boolean name(byte[] bytes, int from, int length);
    }

    /**
     * How far the event stream has come.
     *
     * @param enabled whether the master publishes at all
     * @param batches messages published in this life of the master
     * @param dropped events that its own queue dropped
     * @param keyless events left out for want of an object's name
     */
    record Published(boolean enabled, long batches, long dropped, long keyless) {
        /** Highest sequence number that can have been given: a dropped event may have used one up. */
        long highest() {
            return batches + dropped;
        }
    }

    /** Place in one line, for messages. */
    String describe();

    /**
     * Tells all objects' names, in no order.
     *
     * @return how many, or -1 if {@code names} ended it
     * @throws IOException if the list is not there, or not to its end: what was told is then not all
     */
    long list(Names names) throws IOException;

    /**
     * How far the event stream has come.
     *
     * @return null if this master cannot tell
     * @throws IOException if it cannot be asked
     */
    Published published() throws IOException;
}
