package io.penstock.index;

import io.penstock.index.layout.Geometry;
import io.penstock.index.layout.HeaderLayout;
import io.penstock.index.pages.IndexFile;
import io.penstock.index.pages.PageFile;
import io.penstock.index.read.LiveReader;
import io.penstock.index.read.SharedPages;
import io.penstock.index.structure.StepLog;
import io.penstock.index.structure.Structures;

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
    private boolean closed;

    private OffHeapIndex(IndexConfig config, IndexFile file, Structures in, RecoveryReport recovery) {
        this.config = config;
        this.file = file;
        this.in = in;
        this.recovery = recovery;
        shared = new SharedPages(file.pages(), file.geometry());
    }

    /**
     * Opens the file, or makes it. A file that another writer has, that is not an index, or that was made with other
     * numbers is refused; one whose content cannot be trusted is replaced by an empty one, which {@link #recovery} says.
     *
     * @throws IndexFileException with one line naming the check that failed
     */
    public static OffHeapIndex open(IndexConfig config) {
        long begin = System.nanoTime();
        IndexFile file = IndexFile.open(config);
        try {
            return switch (file.content()) {
                case FRESH -> empty(config, file, RecoveryReport.Outcome.CREATED, "new file", begin);
                case CLEAN -> clean(config, file, begin);
                case KILLED -> repaired(config, file, begin);
                case OTHER_BOOT ->
                    empty(
                            config,
                            file.replaced(config),
                            RecoveryReport.Outcome.EMPTY_OTHER_BOOT,
                            "left open by a writer under another boot of the machine",
                            begin);
                case DAMAGED ->
                    empty(
                            config,
                            file.replaced(config),
                            RecoveryReport.Outcome.EMPTY_DAMAGED,
                            "page sums do not hold",
                            begin);
            };
        } catch (IllegalStateException | IndexFileException unusable) {
            file.abandon();
            throw unusable;
        }
    }

    private static OffHeapIndex clean(IndexConfig config, IndexFile file, long begin) {
        Structures in = new Structures(file, config);
        in.load();
        return opened(config, file, in, RecoveryReport.Outcome.CLEAN, "", 0, begin);
    }

    private static OffHeapIndex repaired(IndexConfig config, IndexFile file, long begin) {
        StepLog left = new StepLog(file.pages(), file.geometry());
        if (!left.plausible((long) file.pages().pageCount() * file.pages().pageBytes())) {
            return empty(config, file.replaced(config), RecoveryReport.Outcome.EMPTY_DAMAGED, "undo log", begin);
        }
        int undone = left.rollback();
        Structures in = new Structures(file, config);
        String wrong = in.repair.repair();
        if (wrong != null) {
            return empty(config, file.replaced(config), RecoveryReport.Outcome.EMPTY_DAMAGED, wrong, begin);
        }
        return opened(config, file, in, RecoveryReport.Outcome.REPAIRED, "writer was killed", undone, begin);
    }

    private static OffHeapIndex empty(
            IndexConfig config, IndexFile file, RecoveryReport.Outcome outcome, String detail, long begin) {
        Structures in = new Structures(file, config);
        in.format();
        in.load();
        file.publish(config);
        return opened(config, file, in, outcome, detail, 0, begin);
    }

    private static OffHeapIndex opened(
            IndexConfig config,
            IndexFile file,
            Structures in,
            RecoveryReport.Outcome outcome,
            String detail,
            int undone,
            long begin) {
        String line = file.prefixRestored() ? detail + "; Chronicle's header restored from its copy" : detail;
        int torn = clearTorn(in);
        line = torn > 0 ? line + "; slots cleared that were left within a batch: " + torn : line;
        return new OffHeapIndex(
                config, file, in, new RecoveryReport(outcome, line, undone, torn, System.nanoTime() - begin));
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
        shared.close();
        file.abandon();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            shared.close();
            file.close();
        }
    }
}
