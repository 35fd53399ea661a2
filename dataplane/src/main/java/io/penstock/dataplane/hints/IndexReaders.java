package io.penstock.dataplane.hints;

import io.penstock.index.read.LiveReader;

/**
 * Where look-ups beside the core come from.
 *
 * <p><b>Threading:</b> thread-safe.
 */
@FunctionalInterface
public interface IndexReaders {
    /** A reader for one thread over the index of a model and block size, or null while that is not open. */
    LiveReader reader(int model, int blockSize);
}
