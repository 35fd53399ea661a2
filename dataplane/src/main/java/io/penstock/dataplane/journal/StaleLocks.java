package io.penstock.dataplane.journal;

import java.nio.file.Files;
import java.nio.file.Path;
import net.openhft.chronicle.queue.impl.TableStore;
import net.openhft.chronicle.queue.impl.single.TableStoreWriteLock;
import net.openhft.chronicle.queue.impl.table.Metadata;
import net.openhft.chronicle.queue.impl.table.SingleTableBuilder;
import net.openhft.chronicle.threads.Pauser;

/**
 * Frees the locks that a killed writer left in the queue's metadata.
 *
 * <p>They name their owner by process id, and in a container the next process has the same one: the queue would wait for
 * itself. Whoever calls this holds the folder's file lock, so nobody else writes.
 *
 * <p><b>Threading:</b> stateless.
 */
final class StaleLocks {
    private static final String METADATA = "metadata.cq4t";
    private static final long TIMEOUT_MS = 1_000;

    private StaleLocks() {}

    static void release(Path folder) {
        Path metadata = folder.resolve(METADATA);
        if (!Files.exists(metadata)) {
            return;
        }
        try (TableStore<?> store =
                SingleTableBuilder.binary(metadata, Metadata.NoMeta.INSTANCE).build()) {
            release(new TableStoreWriteLock(store, Pauser::balanced, TIMEOUT_MS));
            release(new TableStoreWriteLock(store, Pauser::balanced, TIMEOUT_MS, TableStoreWriteLock.APPEND_LOCK_KEY));
        }
    }

    private static void release(TableStoreWriteLock lock) {
        if (lock.locked()) {
            lock.forceUnlock();
        }
        lock.close();
    }
}
