package io.penstock.index;

import io.penstock.index.image.ImageBarrier;
import io.penstock.index.image.ImageFile;
import io.penstock.index.image.ImageReport;
import io.penstock.index.image.JointImage;
import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.pages.IndexFile;
import io.penstock.index.pages.PageFile;
import io.penstock.index.pool.OffHeapPageIndex;
import io.penstock.index.pool.PageIndex;
import io.penstock.index.read.LiveReader;
import io.penstock.index.read.SharedPages;
import io.penstock.index.structure.Structures;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The prefix index in an off-heap file: a radix index whose compressed edges are runs of up to 512 blocks and whose
 * children are found by hash. What it answers is what {@link io.penstock.index.reference.ReferenceIndex} answers; there
 * the open rules are stated (when a block is known, how long a name lasts, when a slot gets a hash domain of its own).
 *
 * <p>Differences to the reference: {@link #blockCount} includes blocks of dead generations until {@link #sweep} has taken
 * them; capacity is enforced; more than 8,192 copies of one block by one slot in one tier count as 8,192; of a stored
 * event that finds no room ({@link #OUT_OF_CAPACITY}) the steps done before stay, a step being up to 512 blocks of one
 * run.
 *
 * <p>Killed at any moment, the file reopens with every step that was done, and nothing of the one in flight. A stored
 * event of many runs is several steps in order, a removal likewise; positions and slot changes are one step each.
 *
 * <p><b>Threading:</b> single writer; look-ups by the writer's thread, by others through {@link #reader}. <b>Cost:</b> nothing allocated by stored, removed,
 * match, position and sweep once the longest event was seen.
 */
public final class OffHeapIndex implements PrefixIndex {
    private final IndexConfig config;
    private final IndexFile file;
    private final Structures in;
    private final RecoveryReport recovery;
    private final SharedPages shared;
    private final ImageBarrier images;
    private PageIndex pageIndex;
    private boolean closed;

    private OffHeapIndex(Opening opened) {
        file = opened.file();
        config = file.config();
        in = opened.in();
        recovery = opened.recovery();
        shared = new SharedPages(file.pages(), file.geometry());
        images = new ImageBarrier(in, config, file.geometry());
    }

    /**
     * Opens the file, or makes it. A file that another writer has, that is not an index, or that was made with another page
     * size, block size or number of slots is refused; its capacity is its own. One that was made with another shared pool than
     * the one asked for is made anew with the same blocks and that pool, empty. One whose content cannot be trusted is
     * replaced by what its image holds, or by an empty one, which {@link #recovery} says.
     *
     * @throws IndexFileException with one line naming the check that failed
     */
    public static OffHeapIndex open(IndexConfig config) {
        IndexResize.givePool(config);
        return new OffHeapIndex(Opening.open(config));
    }

    /**
     * Makes a new file of what an image holds.
     *
     * @throws IOException in one line, when it does not fit
     */
    static OffHeapIndex openFrom(ImageFile image, IndexConfig config) throws IOException {
        return new OffHeapIndex(Opening.openFrom(image, config));
    }

    /**
     * Makes a new file of the image beside {@code imaged}, with the numbers of the index that the image was taken of.
     *
     * @throws IOException in one line, when the image is not sound
     */
    public static OffHeapIndex openImage(Path imaged, Path file) throws IOException {
        try (ImageFile image = ImageFile.open(imaged)) {
            return openFrom(image, image.config(file));
        }
    }

    /** Does what the first open in a JVM does before it looks at a file: for a thread beside other start-up work. */
    public static void prepare() {
        PageFile.prepare();
    }

    /** Chronicle Map's part of the time that the open took, nanoseconds. */
    public long mapOpenNs() {
        return file.pages().openNs();
    }

    /** What was found when the file was opened. */
    public RecoveryReport recovery() {
        return recovery;
    }

    /**
     * Look-ups for another thread, beside the writer; one for each thread. It answers {@link LiveReader#UNREADABLE} once the
     * index is closed. Any thread may ask.
     */
    public LiveReader reader() {
        return shared.reader();
    }

    /**
     * Takes a checkpoint image beside the file ({@code FILE.image}) and waits until it is on the disk: the index as of one
     * moment between two events, for an open after a loss of power. By any thread but the writer's, which must go on calling
     * {@link #position} or {@link #atRest}.
     *
     * @param patienceNs how long to wait for a moment at which no slot is within a batch; after it slots within one are taken
     *     as torn, and come back cleared
     * @throws IOException in one line, when it cannot be had; a former image stays
     */
    public ImageReport checkpoint(long patienceNs) throws IOException {
        return images.take(patienceNs);
    }

    /** The same on the writer's thread, which stands still for all of it. */
    public ImageReport checkpointNow() throws IOException {
        return images.takeNow();
    }

    /**
     * Begins an image beside {@code file} ({@code FILE.image}), whose moment the caller chooses on the writer's thread.
     *
     * @throws IOException in one line, when it cannot be begun there
     */
    public JointImage jointImage(Path file) throws IOException {
        return images.joint(file);
    }

    /**
     * The shared pool's pages in this file, as a clean stop left them, or empty; null when the file was made without. There is
     * one for the file, made by the first call; it lives as long as the file is open, which its own close does not change.
     *
     * @param timeToLiveSeconds age at which a page that nothing confirms is given up; 0 for never
     */
    public PageIndex pageIndex(int timeToLiveSeconds) {
        if (pageIndex == null && file.geometry().pool != null) {
            pageIndex = new OffHeapPageIndex(file.pages(), file.geometry().pool, timeToLiveSeconds);
        }
        return pageIndex;
    }

    /** How the file was made. */
    public IndexConfig config() {
        return config;
    }

    @Override
    public void atRest() {
        images.atRest();
    }

    /** Checks all structures against each other: null when all holds, else one line. Reads everything. */
    public String verify() {
        return in.verifier.verify();
    }

    /** Removals that took more from a holder than was said, because the file had no room to note the rest. */
    public long lossyRemovals() {
        return in.remover.lossyRemovals();
    }

    @Override
    public int blockSize() {
        return config.blockSize();
    }

    @Override
    public long capacityBlocks() {
        return config.capacityBlocks();
    }

    @Override
    public long blockCount() {
        return in.steps.root(HeaderLayout.BLOCKS);
    }

    @Override
    public long usedBytes() {
        return in.steps.root(HeaderLayout.GRANULES_USED) * (Geometry.GRANULE_BYTES + Integer.BYTES)
                + in.steps.root(HeaderLayout.SIDE_USED) * Geometry.SIDE_UNIT_BYTES
                + in.runBytes()
                + file.geometry().granules
                - file.geometry().map;
    }

    @Override
    public int openSlot(String worker, int dpRank) {
        in.makeRoomForHolder();
        return in.directory.open(worker, dpRank);
    }

    @Override
    public int slotLimit() {
        return in.directory.limit();
    }

    @Override
    public boolean isOpen(int slot) {
        return in.directory.isOpen(slot);
    }

    @Override
    public String workerOf(int slot) {
        return in.directory.worker(slot);
    }

    @Override
    public int dpRankOf(int slot) {
        return isOpen(slot) ? in.directory.dpRank(slot) : -1;
    }

    @Override
    public int generationOf(int slot) {
        return in.directory.generation(slot);
    }

    @Override
    public long heldBlocks(int slot, int tier) {
        return isOpen(slot) && tier >>> 2 == 0 ? in.holders.held(in.directory.holder(slot), tier) : 0;
    }

    @Override
    public void removeSlot(int slot) {
        if (isOpen(slot)) {
            in.directory.end(slot, true);
        }
    }

    @Override
    public void clearSlot(int slot) {
        if (isOpen(slot)) {
            in.makeRoomForHolder();
            in.directory.end(slot, false);
        }
    }

    @Override
    public void batchBegun(int slot) {
        if (isOpen(slot)) {
            in.directory.batchBegun(slot);
        }
    }

    @Override
    public int tornSlots() {
        return recovery.tornSlots();
    }

    @Override
    public void position(int slot, long sequence, long timestampBits, long batchHash) {
        if (isOpen(slot)) {
            in.directory.position(slot, sequence, timestampBits, batchHash);
        }
        images.atRest();
    }

    @Override
    public long positionSequence(int slot) {
        return isOpen(slot) ? in.directory.sequence(slot) : NO_POSITION;
    }

    @Override
    public long positionTimestampBits(int slot) {
        return isOpen(slot) ? in.directory.timestampBits(slot) : 0;
    }

    @Override
    public long positionHash(int slot) {
        return isOpen(slot) ? in.directory.batchHash(slot) : 0;
    }

    @Override
    public long stored(
            int slot,
            int tier,
            boolean root,
            long parentEngineHash,
            long[] engineHashes,
            long[] localHashes,
            int from,
            int count) {
        if (!isOpen(slot) || tier >>> 2 != 0) {
            return UNKNOWN_SLOT;
        }
        return in.applier.stored(
                in.directory.holder(slot), tier, root, parentEngineHash, engineHashes, localHashes, from, count);
    }

    @Override
    public long storedChained(
            int slot,
            int tier,
            boolean root,
            long parentEngineHash,
            long[] engineHashes,
            long[] sequenceHashes,
            int from,
            int count) {
        if (!isOpen(slot) || tier >>> 2 != 0) {
            return UNKNOWN_SLOT;
        }
        return in.applier.storedChained(
                in.directory.holder(slot), tier, root, parentEngineHash, engineHashes, sequenceHashes, from, count);
    }

    @Override
    public long removed(int slot, int tier, long[] engineHashes, int from, int count) {
        if (!isOpen(slot) || tier >>> 2 != 0) {
            return UNKNOWN_SLOT;
        }
        return in.remover.removed(in.directory.holder(slot), tier, engineHashes, from, count);
    }

    @Override
    public int match(long[] sequenceHashes, int count, Overlaps out) {
        return in.matcher.match(sequenceHashes, count, out);
    }

    @Override
    public int sweep(int maxSteps) {
        return in.sweeper.sweep(maxSteps);
    }

    /** Lets go of the file as it is, dirty, as a kill would. */
    public void abandon() {
        closed = true;
        images.close();
        shared.close();
        file.abandon();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            images.close();
            shared.close();
            file.close();
        }
    }
}
