package io.penstock.index;

import io.penstock.index.image.ImageBarrier;
import io.penstock.index.image.ImageFile;
import io.penstock.index.image.ImageLayout;
import io.penstock.index.image.ImageReport;
import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.pages.IndexFile;
import io.penstock.index.pages.PageFile;
import io.penstock.index.read.LiveReader;
import io.penstock.index.read.SharedPages;
import io.penstock.index.structure.StepLog;
import io.penstock.index.structure.Structures;
import java.io.IOException;
import java.nio.file.Files;

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
    private boolean closed;

    private OffHeapIndex(IndexFile file, Structures in, RecoveryReport recovery) {
        config = file.config();
        this.file = file;
        this.in = in;
        this.recovery = recovery;
        shared = new SharedPages(file.pages(), file.geometry());
        images = new ImageBarrier(in, config, file.geometry());
    }

    /**
     * Opens the file, or makes it. A file that another writer has, that is not an index, or that was made with another page
     * size, block size or number of slots is refused; its capacity is its own. One whose content cannot be trusted is
     * replaced by what its image holds, or by an empty one, which {@link #recovery} says.
     *
     * @throws IndexFileException with one line naming the check that failed
     */
    public static OffHeapIndex open(IndexConfig config) {
        long begin = System.nanoTime();
        IndexFile file = IndexFile.open(config);
        try {
            return switch (file.content()) {
                case FRESH -> created(file, begin);
                case CLEAN -> clean(file, config, begin);
                case KILLED -> repaired(file, config, begin);
                case OTHER_BOOT ->
                    anew(
                            file.replaced(),
                            RecoveryReport.Outcome.EMPTY_OTHER_BOOT,
                            "left open by a writer under another boot of the machine",
                            begin);
                case DAMAGED ->
                    anew(file.replaced(), RecoveryReport.Outcome.EMPTY_DAMAGED, "page sums do not hold", begin);
            };
        } catch (IllegalStateException | IndexFileException unusable) {
            file.abandon();
            throw unusable;
        }
    }

    private static OffHeapIndex created(IndexFile file, long begin) {
        try {
            // A file of that name was taken away: its content is not to come back after the next power loss.
            Files.deleteIfExists(ImageLayout.beside(file.config().file()));
        } catch (IOException stays) {
            throw new IndexFileException(
                    "former image cannot be deleted: file=" + file.config().file(), stays);
        }
        return empty(file, RecoveryReport.Outcome.CREATED, "new file", begin);
    }

    private static OffHeapIndex clean(IndexFile file, IndexConfig wanted, long begin) {
        Structures in = new Structures(file, file.config());
        in.load();
        return opened(file, in, RecoveryReport.Outcome.CLEAN, capacityKept(file, wanted), 0, begin);
    }

    private static String capacityKept(IndexFile file, IndexConfig wanted) {
        long asked = wanted.capacityBlocks();
        long own = file.config().capacityBlocks();
        return asked == IndexConfig.AUTOMATIC || asked == own
                ? ""
                : "capacity is the file's own: capacityBlocks=" + own + ", asked for " + asked;
    }

    private static OffHeapIndex repaired(IndexFile file, IndexConfig wanted, long begin) {
        StepLog left = new StepLog(file.pages(), file.geometry());
        if (!left.plausible((long) file.pages().pageCount() * file.pages().pageBytes())) {
            return anew(file.replaced(), RecoveryReport.Outcome.EMPTY_DAMAGED, "undo log", begin);
        }
        int undone = left.rollback();
        Structures in = new Structures(file, file.config());
        String wrong = in.repair.repair();
        if (wrong != null) {
            return anew(file.replaced(), RecoveryReport.Outcome.EMPTY_DAMAGED, wrong, begin);
        }
        String line = "writer was killed";
        String kept = capacityKept(file, wanted);
        line = kept.isEmpty() ? line : line + "; " + kept;
        return opened(file, in, RecoveryReport.Outcome.REPAIRED, line, undone, begin);
    }

    /** Into a fresh file: what the image holds if it is sound, else nothing. */
    private static OffHeapIndex anew(IndexFile fresh, RecoveryReport.Outcome outcome, String detail, long begin) {
        if (!ImageFile.exists(fresh.config().file())) {
            return empty(fresh, outcome, detail, begin);
        }
        IndexFile file = fresh;
        String wrong;
        try (ImageFile image = ImageFile.open(fresh.config().file())) {
            wrong = restore(file, image);
            if (wrong == null) {
                Structures in = new Structures(file, file.config());
                in.load();
                file.publish();
                String restored = detail + "; restored from the " + image + counts(in);
                return opened(file, in, RecoveryReport.Outcome.RESTORED_IMAGE, restored, 0, begin);
            }
            file = file.replaced();
        } catch (IOException unsound) {
            wrong = unsound.getMessage();
        }
        return empty(file, outcome, detail + "; image not used, " + wrong, begin);
    }

    /**
     * Makes a new file of what an image holds.
     *
     * @throws IOException in one line, when it does not fit; no file is left then
     */
    static OffHeapIndex openFrom(ImageFile image, IndexConfig config) throws IOException {
        long begin = System.nanoTime();
        IndexFile file = IndexFile.open(config);
        String wrong = file.content() == IndexFile.Content.FRESH ? restore(file, image) : "there is a file already";
        if (wrong != null) {
            file.abandon();
            throw new IOException(wrong);
        }
        Structures in = new Structures(file, file.config());
        in.load();
        file.publish();
        return opened(file, in, RecoveryReport.Outcome.RESTORED_IMAGE, image.toString(), 0, begin);
    }

    private static String counts(Structures in) {
        int slots = 0;
        int positions = 0;
        for (int slot = 0; slot < in.directory.limit(); slot++) {
            if (in.directory.isOpen(slot)) {
                slots++;
                positions += in.directory.sequence(slot) == NO_POSITION ? 0 : 1;
            }
        }
        return ": slots=" + slots + ", blocks=" + in.steps.root(HeaderLayout.BLOCKS) + ", positions=" + positions;
    }

    private static String restore(IndexFile file, ImageFile image) {
        Structures truth = new Structures(file, file.config());
        truth.format();
        truth.load();
        String wrong = image.restore(truth, file.config());
        return wrong != null ? wrong : new Structures(file, file.config()).repair.repair();
    }

    private static OffHeapIndex empty(IndexFile file, RecoveryReport.Outcome outcome, String detail, long begin) {
        Structures in = new Structures(file, file.config());
        in.format();
        in.load();
        file.publish();
        return opened(file, in, outcome, detail, 0, begin);
    }

    private static OffHeapIndex opened(
            IndexFile file, Structures in, RecoveryReport.Outcome outcome, String detail, int undone, long begin) {
        String line = file.prefixRestored() ? detail + "; Chronicle's header restored from its copy" : detail;
        int torn = clearTorn(in);
        line = torn > 0 ? line + "; slots cleared that were left within a batch: " + torn : line;
        return new OffHeapIndex(file, in, new RecoveryReport(outcome, line, undone, torn, System.nanoTime() - begin));
    }

    private static int clearTorn(Structures in) {
        int torn = 0;
        for (int slot = 0; slot < in.directory.limit(); slot++) {
            if (in.directory.batchOpen(slot)) {
                makeRoomForHolder(in);
                in.directory.end(slot, false);
                in.directory.position(slot, NO_POSITION, 0, 0);
                torn++;
            }
        }
        return torn;
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
        makeRoomForHolder(in);
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
            makeRoomForHolder(in);
            in.directory.end(slot, false);
        }
    }

    /** Only when generations died faster than they were swept: there are twice as many holders as slots. */
    private static void makeRoomForHolder(Structures in) {
        while (!in.holders.anyFree() && in.holders.anyDying()) {
            in.sweeper.sweep(Integer.MAX_VALUE);
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
