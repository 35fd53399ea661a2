package io.penstock.index.image;

import java.io.IOException;

/**
 * An image whose moment somebody else chooses: for one that takes several indexes, and what belongs to them, as of the
 * same moment between two events.
 *
 * <p>{@link #copy} as often as wanted; then {@link #finish} on the writer's thread; when that says {@link #AGAIN}, both once
 * more; after {@link #COMPLETE}, {@link #write}. It is never taken within a batch.
 *
 * <p><b>Threading:</b> owned by the image's thread, but {@link #finish} by the writer, handed over through the owner.
 */
public final class JointImage implements AutoCloseable {
    /** Answer of {@link #finish}: the image is of this moment. */
    public static final int COMPLETE = ImageTaker.COMPLETE;

    /** Answer of {@link #finish}: more has changed than one stop may copy. */
    public static final int AGAIN = ImageTaker.COPY_AGAIN;

    /** Answer of {@link #finish}: a batch is open. */
    public static final int LATER = ImageTaker.LATER;

    private final ImageBarrier barrier;
    private final ImageTaker taker;

    JointImage(ImageBarrier barrier, ImageTaker taker) {
        this.barrier = barrier;
        this.taker = taker;
    }

    /**
     * Copies what has changed, beside the writer.
     *
     * @throws IOException in one line, when the index was closed
     */
    public void copy() throws IOException {
        barrier.copyBeside(taker);
    }

    /**
     * Completes the image as of now, if it can.
     *
     * @return {@link #COMPLETE}, {@link #AGAIN} or {@link #LATER}
     * @throws IllegalStateException when a run does not hold its sum: the index is damaged
     */
    public int finish() {
        return taker.finish();
    }

    /** Writes it to the disk and gives it its name. */
    public ImageReport write() throws IOException {
        return taker.write();
    }

    /** Lets go; an image that was not written is deleted. */
    @Override
    public void close() throws IOException {
        taker.close();
    }
}
