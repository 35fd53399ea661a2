package io.penstock.index.read;

import java.lang.invoke.VarHandle;

/**
 * The reader's half of a version word: the writer makes it odd before it changes the words that the version guards and
 * even, two higher, when all are changed. What was loaded between {@link #read} of an even version and a
 * {@link #stood} that holds is what stood there together, at every instant between the two.
 *
 * <p>I1: a loop bound taken from a guarded word is used only after {@code stood}. I2: what {@code stood} did not confirm is
 * forgotten. So it does not matter when the writer uses memory again: a word is reused only in a step that made the
 * version of its former owner odd before, and the reader's version is then no longer there.
 *
 * <p><b>Threading:</b> thread-safe. A version would have to wrap around 2⁶³ changes within one look-up to deceive.
 */
final class Versions {
    private Versions() {}

    /**
     * The version before a read. Acquire; partner: the barrier in {@code VersionWord.leave}, which puts the writer's stores
     * before the even version.
     */
    static long read(PageView view, long offset) {
        return view.longAcquire(offset);
    }

    /** Whether the writer is at it. */
    static boolean changing(long version) {
        return (version & 1) != 0;
    }

    /**
     * Whether the version is still the one read before. The fence keeps the loads made in between above the load of the
     * version; partner: the barrier in {@code VersionWord.enter}, which puts the odd version before the writer's stores: who
     * saw one of those stores sees the odd version, or a later one, here.
     */
    static boolean stood(PageView view, long offset, long version) {
        VarHandle.acquireFence();
        return view.longAt(offset) == version;
    }
}
