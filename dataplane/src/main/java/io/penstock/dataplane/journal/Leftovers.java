package io.penstock.dataplane.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import net.openhft.chronicle.core.values.LongValue;
import net.openhft.chronicle.queue.impl.TableStore;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.queue.impl.single.TableStoreWriteLock;
import net.openhft.chronicle.queue.impl.table.Metadata;
import net.openhft.chronicle.queue.impl.table.SingleTableBuilder;

/**
 * Clears away what a killed writer left in a queue's folder and what Chronicle would wait for, or fail over.
 *
 * <p>Locks name their owner by process id, and in a container the next process has the same one: the queue would wait for
 * itself. A file that was only being made has no record yet and is made anew; so is metadata that cannot be read, whose
 * content is only what the files tell. Whoever calls this holds the folder's file lock, so nobody else writes.
 *
 * <p><b>Threading:</b> stateless.
 */
final class Leftovers {
    private static final String METADATA = "metadata.cq4t";
    private static final String WRITE_LOCK = "chronicle.write.lock";

    private Leftovers() {}

    static void clear(Path folder, JournalRoll roll) {
        try {
            Map.Entry<Integer, Path> youngest =
                    JournalFolder.files(folder, roll).lastEntry();
            if (youngest != null && isEmpty(youngest.getValue())) {
                Files.delete(youngest.getValue());
            }
            Path metadata = folder.resolve(METADATA);
            if (Files.exists(metadata) && !(isBegun(metadata) && released(metadata))) {
                Files.delete(metadata);
            }
        } catch (IOException failed) {
            throw new IllegalStateException("journal cannot be opened: folder=" + folder, failed);
        }
    }

    private static boolean isEmpty(Path path) throws IOException {
        try (CycleFile file = new CycleFile(path)) {
            return file.next() != CycleFile.Found.DOCUMENT;
        }
    }

    /** Whether the first document is whole; Chronicle would take a file of zeros for its own and give it another content. */
    private static boolean isBegun(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path)) {
            ByteBuffer header = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            return channel.read(header, 0) == Integer.BYTES && header.getInt(0) > 0;
        }
    }

    /** Frees the locks; false if the file is none of Chronicle's. */
    private static boolean released(Path metadata) {
        // The names in the file are known from here on; otherwise only from the first queue on.
        SingleChronicleQueueBuilder.addAliases();
        try (TableStore<?> store =
                SingleTableBuilder.binary(metadata, Metadata.NoMeta.INSTANCE).build()) {
            release(store.acquireValueFor(WRITE_LOCK));
            release(store.acquireValueFor(TableStoreWriteLock.APPEND_LOCK_KEY));
            return true;
        } catch (RuntimeException unreadable) {
            return false;
        }
    }

    private static void release(LongValue lock) {
        lock.setOrderedValue(TableStoreWriteLock.UNLOCKED);
    }
}
