package io.penstock.dataplane.journal;

import java.nio.file.Path;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.BytesStore;
import net.openhft.chronicle.core.time.TimeProvider;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.wire.DocumentContext;

/**
 * Documents of a Chronicle Queue.
 *
 * <p>Never pretouched: the open-source appender's {@code pretouch} ends in a stack overflow.
 *
 * <p><b>Threading:</b> the thread that opened it.
 */
final class QueueDocuments implements Documents, AutoCloseable {
    /**
     * Mapped at a time: each new mapping begins without pages. Sparse; a file left by a kill keeps that length, though not
     * the bytes, until the next one begins.
     */
    static final long BLOCK_BYTES = 64L << 20;

    private final SingleChronicleQueue queue;
    private final ExcerptAppender appender;
    private final PagesAhead ahead;
    private DocumentContext begun;

    private QueueDocuments(SingleChronicleQueue queue, PagesAhead ahead) {
        this.queue = queue;
        this.ahead = ahead;
        appender = queue.createAppender();
    }

    /**
     * The queue in {@code folder}, which nobody else writes.
     *
     * @param time which file is written
     * @param ahead told where it is written
     */
    static QueueDocuments open(Path folder, JournalRoll roll, TimeProvider time, PagesAhead ahead) {
        Leftovers.clear(folder, roll);
        return new QueueDocuments(
                SingleChronicleQueueBuilder.binary(folder)
                        .rollCycle(roll.cycle())
                        .blockSize(BLOCK_BYTES)
                        .timeProvider(time)
                        .build(),
                ahead);
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
            Bytes<?> bytes = context.wire().bytes();
            bytes.write(document, 0, length);
            BytesStore<?, ?> mapped = bytes.bytesStore();
            if (mapped != null) {
                long at = bytes.writePosition();
                if (mapped.inside(at)) {
                    long address = mapped.addressForWrite(at);
                    ahead.wrote(address, address - at + mapped.safeLimit());
                }
            }
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
