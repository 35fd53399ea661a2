package io.penstock.index;

/**
 * Which worker holds which prefix, in which tier.
 *
 * <p>Blocks are named twice: by the engine's own hash, opaque, in which removals and parents are given, and by the
 * sequence hash, chained from the root ({@link ChainHash}), in which requests ask. The index computes the sequence hash
 * of a stored block from its parent's and its local hash. A <i>slot</i> is a dense number for (worker, dpRank).
 *
 * <p>What it promises:
 * <ul>
 *   <li>I1: a lookup equals that of {@code ReferenceIndex} after the same calls.
 *   <li>I2: a block whose parent the slot's hash domain does not know is refused, never a root.
 *   <li>I3: a block stored k times by one slot in one tier is held until it was removed k times.
 *   <li>I4: after {@link #removeSlot} and {@link #clearSlot} nothing of the slot's former blocks is ever found again.
 * </ul>
 *
 * <p>Sizes are in blocks. Refusals are the negative constants named by each method; nothing here throws on data.
 *
 * <p><b>Threading:</b> single writer; look-ups by the writer's thread.
 */
public interface PrefixIndex extends AutoCloseable {

    /** Refusal of {@link #stored}: the parent is not known in the slot's hash domain. */
    long UNKNOWN_PARENT = -1;

    /** Refusal of {@link #stored}: the file's capacity is used up. */
    long OUT_OF_CAPACITY = -2;

    /** Refusal: no such slot, or it was removed. */
    long UNKNOWN_SLOT = -3;

    /** Refusal of {@link #openSlot}: all slot numbers are taken. */
    int NO_SLOT_LEFT = -1;

    /** {@link #positionSequence} of a slot of which no event batch was ever applied. */
    long NO_POSITION = -1;

    /** Tokens of a block, as in the file's header. */
    int blockSize();

    /** Blocks the file was made for. */
    long capacityBlocks();

    /** Distinct blocks held by at least one slot. */
    long blockCount();

    /** Bytes of the pages taken from the allocator. */
    long usedBytes();

    /**
     * The slot of a worker's rank: the one it had, with its blocks, or a fresh one.
     *
     * @return the slot, or {@link #NO_SLOT_LEFT}
     */
    int openSlot(String worker, int dpRank);

    /** Highest slot ever given plus one. */
    int slotLimit();

    /** Whether the slot belongs to a worker now. */
    boolean isOpen(int slot);

    /** Name of the slot's worker, or null. */
    String workerOf(int slot);

    /** Rank of the slot, or -1. */
    int dpRankOf(int slot);

    /** Goes up with every {@link #removeSlot} and {@link #clearSlot}; blocks of older generations are dead. */
    int generationOf(int slot);

    /** Blocks of the slot in the tier, copies not counted. */
    long heldBlocks(int slot, int tier);

    /** Forgets worker and blocks: dead at once, memory returned by {@link #sweep}. */
    void removeSlot(int slot);

    /** Forgets the blocks in all tiers, keeps worker, slot and position. */
    void clearSlot(int slot);

    /**
     * Events of a batch follow, whose end {@link #position} will note. A file whose writer ends between the two opens
     * with the slot cleared and without a position: what is there of the batch would be applied twice.
     */
    void batchBegun(int slot);

    /** Slots that were cleared when the index was opened, since its writer had ended within a batch. */
    int tornSlots();

    /**
     * Notes the last event batch applied: the proof of an engine's incarnation after a restart; {@link #NO_POSITION}
     * takes the note back.
     */
    void position(int slot, long sequence, long timestampBits, long batchHash);

    /** Engine sequence number of the last batch applied, or {@link #NO_POSITION}. */
    long positionSequence(int slot);

    /** The batch's timestamp, raw bits of the engine's double. */
    long positionTimestampBits(int slot);

    /** XXH3-64 of the batch's payload. */
    long positionHash(int slot);

    /**
     * Blocks became resident: consecutive children of the parent.
     *
     * @param root true when the first block is position 0; {@code parentEngineHash} is then ignored
     * @param engineHashes the engine's hash of each block, from index {@code from} on
     * @param localHashes content hash of each block, same indices
     * @return blocks taken in (new or known, also a further copy), or {@link #UNKNOWN_PARENT}, {@link #OUT_OF_CAPACITY}
     *     (what was taken in before stays), {@link #UNKNOWN_SLOT}
     */
    long stored(
            int slot,
            int tier,
            boolean root,
            long parentEngineHash,
            long[] engineHashes,
            long[] localHashes,
            int from,
            int count);

    /**
     * As {@link #stored}, with the sequence hashes at hand: those that {@link ChainHash} gives for the parent's and the
     * blocks' local hashes. Others would make the index answer wrongly, and are not noticed.
     *
     * @param sequenceHashes of each block, same indices
     */
    long storedChained(
            int slot,
            int tier,
            boolean root,
            long parentEngineHash,
            long[] engineHashes,
            long[] sequenceHashes,
            int from,
            int count);

    /**
     * One copy of each block left the tier.
     *
     * @return how many were known and held there by the slot; the rest is ignored. {@link #UNKNOWN_SLOT} else
     */
    long removed(int slot, int tier, long[] engineHashes, int from, int count);

    /**
     * Counts for each slot the leading blocks that it holds: device from block 0, host from where device ends, then
     * disk, then external, each exclusive of the one before. Slots without any are left out.
     *
     * @param sequenceHashes chained hashes of the request's full blocks, root first
     * @param out cleared, then filled; at most its capacity
     * @return number of entries in {@code out}
     */
    int match(long[] sequenceHashes, int count, Overlaps out);

    /**
     * Returns memory of dead generations, some steps at a time.
     *
     * @return steps used; 0 when nothing is left to do
     */
    int sweep(int maxSteps);

    /** The writer is between two events: a moment at which a checkpoint that another thread takes may be completed. */
    default void atRest() {}

    /** Marks the file clean and lets go of it. */
    @Override
    void close();
}
