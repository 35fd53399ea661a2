package io.penstock.index.image;

import io.penstock.index.IndexConfig;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.layout.HolderLayout;
import io.penstock.index.layout.SlotLayout;
import io.penstock.index.pages.BootId;
import io.penstock.index.structure.RunRecords;
import io.penstock.index.structure.Structures;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Takes the image of an index beside its writer, exact as of one instant.
 *
 * <p>{@link #copy} goes through all runs beside the writer, copies each as it stood at an even version and remembers that
 * version. {@link #finish} is called by the writer between two events: it copies the runs whose version is not the
 * remembered one, the slots and the holders. A run whose version is the same has not changed since it was copied, for every
 * change of a run raises its version: so the records together are the index of this instant. If more has changed than the
 * writer should stop for, it does not: the image's thread copies again, and there is less each time.
 *
 * <p>The writer takes the instant when no slot is within a batch; pressed to take any, those slots stand in the image as
 * torn and come back cleared, as after a kill.
 *
 * <p><b>Threading:</b> {@link #copy}, {@link #write} by the image's thread, {@link #finish} by the writer, handed over through
 * the owner. <b>Cost:</b> 24 bytes for each run header; the writer allocates nothing.
 */
final class ImageTaker implements AutoCloseable {
    /** Most words that the writer copies in one stop: 2 MiB. */
    private static final int STOP_WORDS = 1 << 18;

    /** Answer of {@link #finish}: the image is complete. */
    static final int COMPLETE = 0;

    /** Answer of {@link #finish}: more has changed than one stop may copy. */
    static final int COPY_AGAIN = 1;

    /** Answer of {@link #finish}: a batch is open. */
    static final int LATER = 2;

    private static final long NEVER = -1;

    private final Structures in;
    private final IndexConfig config;
    private final RecordSink sink;
    private final RunRecords beside;
    private final long[] versions;
    private final boolean[] present;
    private final long[] rest = new long[STOP_WORDS];
    private final long[] slots;
    private final long[] holders;
    private int restWords;
    private int slotCount;
    private long blocks;
    private long domain;
    private int passes;
    private long copyNs;
    private long stopNs;
    private int stopRuns;
    private int tornSlots;
    private volatile boolean stopped;
    private volatile boolean pressed;

    /** Begins an image of {@code in}, beside {@code file}. */
    ImageTaker(Structures in, IndexConfig config, Path file, int runCount, int holderCount) throws IOException {
        this.in = in;
        this.config = config;
        beside = in.records.another();
        versions = new long[runCount];
        Arrays.fill(versions, NEVER);
        present = new boolean[runCount];
        slots = new long[config.maxSlots() * SlotLayout.BYTES / Long.BYTES];
        holders = new long[holderCount * HolderLayout.BYTES / Long.BYTES];
        sink = new RecordSink(ImageLayout.beside(file));
    }

    /** Copies what has changed since it was last copied; answers how many runs that were. */
    int copy() throws IOException {
        long begin = System.nanoTime();
        drain();
        int copied = 0;
        int high = beside.high();
        for (int id = 0; id < high && !stopped; id++) {
            long version = beside.version(id);
            if (version != versions[id]) {
                int used = beside.copy(id, version);
                if (used != RunRecords.CHANGING) {
                    note(id, version, used);
                    sink.words(beside.words(), used);
                    copied++;
                }
            }
        }
        passes++;
        copyNs += System.nanoTime() - begin;
        return copied;
    }

    private void note(int id, long version, int used) {
        versions[id] = version;
        present[id] = used > RunRecords.ABSENT_WORDS;
    }

    /** What the writer copied in a stop goes to the file before newer records of the same runs. */
    private void drain() throws IOException {
        sink.words(rest, restWords);
        restWords = 0;
    }

    /** From now on the writer takes the next moment between events, even within batches. */
    void press() {
        pressed = true;
    }

    /** The copying ends early; the image is given up. */
    void stop() {
        stopped = true;
    }

    /**
     * Completes the image as of now.
     *
     * @return {@link #COMPLETE}, {@link #COPY_AGAIN} or {@link #LATER}
     * @throws IllegalStateException when a run does not hold its sum: the index is damaged
     */
    int finish() {
        int open = in.directory.openBatches();
        if (open > 0 && !pressed) {
            return LATER;
        }
        tornSlots = open;
        long begin = System.nanoTime();
        boolean complete = copyRest();
        if (complete) {
            slotCount = in.directory.limit();
            in.directory.copy(slots);
            in.holders.copy(holders);
            blocks = in.steps.root(HeaderLayout.BLOCKS);
            domain = in.steps.root(HeaderLayout.NEXT_DOMAIN);
        }
        stopNs = Math.max(stopNs, System.nanoTime() - begin);
        return complete ? COMPLETE : COPY_AGAIN;
    }

    private boolean copyRest() {
        RunRecords records = in.records;
        int high = records.high();
        stopRuns = 0;
        for (int id = 0; id < high; id++) {
            long version = records.version(id);
            if (version == versions[id]) {
                continue;
            }
            int used = records.copy(id, version);
            if (used == RunRecords.CHANGING) {
                throw new IllegalStateException("run does not hold its sum: run=" + id);
            }
            if (restWords + used > STOP_WORDS) {
                return false;
            }
            System.arraycopy(records.words(), 0, rest, restWords, used);
            restWords += used;
            note(id, version, used);
            stopRuns++;
        }
        return true;
    }

    /** Writes the rest and publishes; after {@link #finish} answered true. */
    ImageReport write() throws IOException {
        long begin = System.nanoTime();
        drain();
        ByteBuffer header = ByteBuffer.allocate(ImageLayout.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        header.putLong(ImageLayout.RECORDS_SUM, sink.endSection());
        header.putLong(ImageLayout.RECORD_BYTES, sink.written() - ImageLayout.BYTES);
        sink.words(slots, slotCount * SlotLayout.BYTES / Long.BYTES);
        header.putLong(ImageLayout.SLOTS_SUM, sink.endSection());
        sink.words(holders, holders.length);
        header.putLong(ImageLayout.HOLDERS_SUM, sink.endSection());
        int runs = 0;
        for (boolean there : present) {
            runs += there ? 1 : 0;
        }
        BootId boot = BootId.current();
        header.putLong(ImageLayout.MAGIC, ImageLayout.MAGIC_VALUE)
                .putInt(ImageLayout.VERSION, ImageLayout.VERSION_VALUE)
                .putInt(ImageLayout.HEADER_BYTES, ImageLayout.BYTES)
                .putInt(ImageLayout.BLOCK_SIZE, config.blockSize())
                .putInt(ImageLayout.MAX_SLOTS, config.maxSlots())
                .putLong(ImageLayout.CAPACITY_BLOCKS, config.capacityBlocks())
                .putInt(ImageLayout.PAGE_BYTES, config.pageBytes())
                .putLong(ImageLayout.TAKEN_AT, System.currentTimeMillis())
                .putLong(ImageLayout.BOOT, boot.high())
                .putLong(ImageLayout.BOOT + Long.BYTES, boot.low())
                .putLong(ImageLayout.NEXT_DOMAIN, domain)
                .putLong(ImageLayout.SLOTS, slotCount)
                .putLong(ImageLayout.HOLDERS, holders.length * Long.BYTES / HolderLayout.BYTES)
                .putLong(ImageLayout.RUNS, runs)
                .putLong(ImageLayout.BLOCKS, blocks);
        header.putLong(ImageLayout.HEADER_SUM, ImageFile.headerSum(header));
        long bytes = sink.written();
        sink.publish(header);
        return new ImageReport(
                blocks, runs, bytes, passes, copyNs, stopNs, stopRuns, tornSlots, System.nanoTime() - begin);
    }

    /** Lets go; an image that was not published is deleted. */
    @Override
    public void close() throws IOException {
        sink.close();
    }
}
