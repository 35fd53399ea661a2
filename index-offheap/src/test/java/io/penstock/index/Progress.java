package io.penstock.index;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** How far a writer is, in a mapped file, so that readers in other processes see it too. */
final class Progress implements AutoCloseable {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();
    private static final long STARTED = 0;
    private static final long DONE = 64;
    private static final long STOP = 128;
    private static final long BYTES = 192;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment words;

    Progress(Path file) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            words = channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, arena);
        }
    }

    /** The writer begins the operation: what of it is seen is seen after this. */
    void started(long operation) {
        WORD.setVolatile(words, STARTED, operation + 1);
    }

    /** The writer has done the operation. */
    void done(long operation) {
        WORD.setVolatile(words, DONE, operation + 1);
    }

    /** Operations that are done; before a look-up. */
    long done() {
        return (long) WORD.getVolatile(words, DONE);
    }

    /** Operations that may have begun; after a look-up. */
    long started() {
        VarHandle.fullFence();
        return (long) WORD.getVolatile(words, STARTED);
    }

    void stop() {
        WORD.setVolatile(words, STOP, 1L);
    }

    boolean stopped() {
        return (long) WORD.getVolatile(words, STOP) != 0;
    }

    @Override
    public void close() {
        arena.close();
    }
}
