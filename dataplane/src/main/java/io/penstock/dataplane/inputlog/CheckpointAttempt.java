package io.penstock.dataplane.inputlog;

import io.penstock.dataplane.core.RouterCore;
import io.penstock.dataplane.core.StateTape;
import io.penstock.index.OffHeapIndex;
import io.penstock.index.PrefixIndex;
import io.penstock.index.image.JointImage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One checkpoint while it is taken: the images of all indexes and the core's state, all of one moment.
 *
 * <p><b>Threading:</b> owned by the checkpoints' thread, but {@link #finish} by the core's, handed over through the owner.
 */
final class CheckpointAttempt implements AutoCloseable {
    /** Answer of {@link #finish}: an index was opened meanwhile that this checkpoint does not have. */
    static final int OVERTAKEN = -1;

    private final List<JointImage> images = new ArrayList<>();
    private final ByteBuffer memory;
    private long seq;
    private long stateBytes;
    private boolean full;
    private long stopNs;

    /**
     * Begins the images in {@code folder}.
     *
     * @throws IOException in one line, when an index cannot be imaged
     */
    CheckpointAttempt(Path folder, List<PrefixIndex> indexes, ByteBuffer memory) throws IOException {
        this.memory = memory;
        LogFolder.delete(folder);
        Files.createDirectories(folder);
        try {
            for (PrefixIndex index : indexes) {
                if (!(index instanceof OffHeapIndex file)) {
                    throw new IOException(
                            "index cannot be imaged: " + index.getClass().getSimpleName());
                }
                images.add(file.jointImage(folder.resolve(CheckpointFile.pool(images.size()))));
            }
        } catch (IOException failed) {
            close();
            throw failed;
        }
    }

    /** Copies what has changed, beside the core. */
    void copy() throws IOException {
        for (JointImage image : images) {
            image.copy();
        }
    }

    /**
     * Takes all as of now: answers {@link JointImage#COMPLETE}, {@link JointImage#AGAIN}, {@link JointImage#LATER} or
     * {@link #OVERTAKEN}.
     *
     * @throws IllegalStateException when an index is damaged
     */
    int finish(long atSeq, RouterCore core) {
        if (core.pools() != images.size()) {
            return OVERTAKEN;
        }
        long begin = System.nanoTime();
        for (int i = 0; i < images.size(); i++) {
            int result = images.get(i).finish();
            if (result != JointImage.COMPLETE) {
                return result;
            }
        }
        StateTape tape = StateTape.writing(MemorySegment.ofBuffer(memory));
        core.carry(tape, null);
        seq = atSeq;
        stateBytes = tape.position();
        full = tape.isFull();
        stopNs = System.nanoTime() - begin;
        return JointImage.COMPLETE;
    }

    /** Whether the state found no room. */
    boolean isFull() {
        return full;
    }

    /** Number of the last input contained. */
    long seq() {
        return seq;
    }

    /** How long the core stood still for the last {@link #finish} that completed. */
    long stopNs() {
        return stopNs;
    }

    /** Writes images and state. */
    void write(Path folder, String settings) throws IOException {
        for (JointImage image : images) {
            image.write();
        }
        CheckpointFile.write(folder, seq, settings, memory.duplicate().clear().limit((int) stateBytes));
    }

    @Override
    public void close() {
        for (JointImage image : images) {
            try {
                image.close();
            } catch (IOException stays) {
                // What is left of it lies in the folder that the next attempt deletes.
                continue;
            }
        }
    }
}
