package io.penstock.dataplane.journal;

import java.nio.file.Path;
import net.openhft.chronicle.core.time.TimeProvider;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.wire.DocumentContext;
import net.openhft.chronicle.wire.Wire;

/**
 * Documents of a Chronicle Queue.
 *
 * <p>Never pretouched: the open-source appender's {@code pretouch} ends in a stack overflow.
 *
 * <p><b>Threading:</b> the thread that opened it.
 */
final class QueueDocuments implements Documents, AutoCloseable {
    /** Mapped at a time; small, since a file left by a kill keeps the length of its last mapping. */
    static final long BLOCK_BYTES = 4L << 20;

    private final SingleChronicleQueue queue;
    private final ExcerptAppender appender;
    private DocumentContext begun;

    private QueueDocuments(SingleChronicleQueue queue) {
        this.queue = queue;
        appender = queue.createAppender();
    }

    /** The queue in {@code folder}, which nobody else writes; its files begin at {@code time}. */
    static QueueDocuments open(Path folder, JournalRoll roll, TimeProvider time) {
        StaleLocks.release(folder);
        return new QueueDocuments(SingleChronicleQueueBuilder.binary(folder)
                .rollCycle(roll.cycle())
                .blockSize(BLOCK_BYTES)
                .timeProvider(time)
                .build());
    }

    @Override
    public long begin() {
        begun = appender.writingDocument();
        return begun.index();
    }

    @Override
    public void write(byte[] document, int length) {
        DocumentContext context = begun == null ? appender.writingDocument() : begun;
        begun = null;
        try {
            Wire wire = context.wire();
            wire.bytes().write(document, 0, length);
        } catch (Throwable failed) {
            context.rollbackOnClose();
            throw failed;
        } finally {
            context.close();
        }
    }

    @Override
    public void abandon() {
        DocumentContext context = begun;
        begun = null;
        if (context != null) {
            context.rollbackOnClose();
            context.close();
        }
    }

    @Override
    public void close() {
        queue.close();
    }
}
