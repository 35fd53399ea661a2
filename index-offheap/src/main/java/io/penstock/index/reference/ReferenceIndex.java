package io.penstock.index.reference;

import io.penstock.index.ChainHash;
import io.penstock.index.Overlaps;
import io.penstock.index.PrefixIndex;
import io.penstock.index.Tier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the index means, in plain collections: the specification that the off-heap index is tested against.
 *
 * <p>The rules that {@link PrefixIndex} leaves open:
 * <ul>
 *   <li><b>Known.</b> A block is known while any slot holds a copy of it in any tier. When the last copy goes, by
 *       removal, clear or the slot's end, the block and all its names are forgotten at once, and it can no longer be
 *       anybody's parent.
 *   <li><b>Name.</b> A domain's name for a block is the engine hash under which a slot of that domain stored it. It is
 *       valid as long as the block is known, whoever holds it.
 *   <li><b>Domain.</b> A slot begins, and after a clear begins again, in the shared domain. The slot gets a domain of its
 *       own at the first block where its engine hash contradicts the shared domain: the block has another name there, or
 *       the name belongs to another block. Blocks stored before stay held, and stay resolvable, for a slot with its
 *       own domain looks there first and then in the shared one. From then on its names go to its own domain.
 *   <li><b>Contradiction inside an own domain</b> (an engine renames a block): the latest word holds. A block that loses
 *       its name so stays held until a clear, but can no longer be named by that slot.
 * </ul>
 *
 * <p><b>Threading:</b> owned by the caller. <b>Cost:</b> irrelevant; it allocates.
 */
public final class ReferenceIndex implements PrefixIndex {
    private static final int SHARED = 0;

    private static final class Block {
        final Map<Integer, Long> nameByDomain = new HashMap<>();
        int holdings;
    }

    private static final class Slot {
        String worker;
        int dpRank;
        int generation;
        int domain;
        long sequence;
        long timestampBits;
        long batchHash;
        List<Map<Long, Integer>> copiesByTier;

        Slot() {
            forgetBlocks();
        }

        Slot copy() {
            Slot copy = new Slot();
            copy.worker = worker;
            copy.dpRank = dpRank;
            copy.generation = generation;
            copy.domain = domain;
            copy.sequence = sequence;
            copy.timestampBits = timestampBits;
            copy.batchHash = batchHash;
            for (int tier = 0; tier < Tier.COUNT; tier++) {
                copy.copiesByTier.get(tier).putAll(copiesByTier.get(tier));
            }
            return copy;
        }

        void forgetBlocks() {
            domain = SHARED;
            copiesByTier = new ArrayList<>();
            for (int tier = 0; tier < Tier.COUNT; tier++) {
                copiesByTier.add(new HashMap<>());
            }
        }
    }

    private final int blockSize;
    private final long capacityBlocks;
    private final int maxSlots;
    private final List<Slot> slots = new ArrayList<>();
    private final Map<Long, Block> blocks = new HashMap<>();
    private final Map<Integer, Map<Long, Long>> sequenceByName = new HashMap<>();
    private Runnable afterEachBlock = () -> {};
    private int nextDomain = SHARED + 1;

    /** An empty index; capacity is only reported, never enforced. */
    public ReferenceIndex(int blockSize, long capacityBlocks, int maxSlots) {
        this.blockSize = blockSize;
        this.capacityBlocks = capacityBlocks;
        this.maxSlots = maxSlots;
    }

    /** An index of its own in the same state. */
    public ReferenceIndex copy() {
        ReferenceIndex copy = new ReferenceIndex(blockSize, capacityBlocks, maxSlots);
        slots.forEach(slot -> copy.slots.add(slot.copy()));
        blocks.forEach((sequence, block) -> {
            Block twin = new Block();
            twin.nameByDomain.putAll(block.nameByDomain);
            twin.holdings = block.holdings;
            copy.blocks.put(sequence, twin);
        });
        sequenceByName.forEach((domain, names) -> copy.sequenceByName.put(domain, new HashMap<>(names)));
        copy.nextDomain = nextDomain;
        return copy;
    }

    /** All that decides later answers, comparable with another index's by {@code equals}. */
    public Object state() {
        List<Object> state = new ArrayList<>();
        for (Slot slot : slots) {
            state.add(List.of(
                    slot.copiesByTier,
                    slot.worker == null ? "" : slot.worker,
                    List.of(slot.dpRank, slot.generation, slot.domain),
                    List.of(slot.sequence, slot.timestampBits, slot.batchHash)));
        }
        Map<Integer, Map<Long, Long>> named = new HashMap<>(sequenceByName);
        named.values().removeIf(Map::isEmpty);
        state.add(named);
        return state;
    }

    @Override
    public int blockSize() {
        return blockSize;
    }

    @Override
    public long capacityBlocks() {
        return capacityBlocks;
    }

    @Override
    public long blockCount() {
        return blocks.size();
    }

    @Override
    public long usedBytes() {
        return 0;
    }

    /** Has {@code afterEachBlock} run after each block of stored and removed: in the states that an index passes through. */
    public void observe(Runnable afterEachBlock) {
        this.afterEachBlock = afterEachBlock;
    }

    @Override
    public int openSlot(String worker, int dpRank) {
        int free = slots.size();
        for (int i = slots.size() - 1; i >= 0; i--) {
            Slot slot = slots.get(i);
            if (slot.worker == null) {
                free = i;
            } else if (slot.worker.equals(worker) && slot.dpRank == dpRank) {
                return i;
            }
        }
        if (free == maxSlots) {
            return NO_SLOT_LEFT;
        }
        if (free == slots.size()) {
            slots.add(new Slot());
        }
        Slot slot = slots.get(free);
        slot.worker = worker;
        slot.dpRank = dpRank;
        slot.sequence = NO_POSITION;
        slot.timestampBits = 0;
        slot.batchHash = 0;
        return free;
    }

    @Override
    public int slotLimit() {
        return slots.size();
    }

    @Override
    public boolean isOpen(int slot) {
        return slot >= 0 && slot < slots.size() && slots.get(slot).worker != null;
    }

    @Override
    public String workerOf(int slot) {
        return isOpen(slot) ? slots.get(slot).worker : null;
    }

    @Override
    public int dpRankOf(int slot) {
        return isOpen(slot) ? slots.get(slot).dpRank : -1;
    }

    @Override
    public int generationOf(int slot) {
        return slot >= 0 && slot < slots.size() ? slots.get(slot).generation : 0;
    }

    @Override
    public long heldBlocks(int slot, int tier) {
        return isOpen(slot) ? slots.get(slot).copiesByTier.get(tier).size() : 0;
    }

    @Override
    public void removeSlot(int slot) {
        if (isOpen(slot)) {
            clearSlot(slot);
            slots.get(slot).worker = null;
        }
    }

    @Override
    public void clearSlot(int slot) {
        if (!isOpen(slot)) {
            return;
        }
        Slot cleared = slots.get(slot);
        for (Map<Long, Integer> copies : cleared.copiesByTier) {
            copies.keySet().forEach(this::endHolding);
        }
        cleared.forgetBlocks();
        cleared.generation++;
    }

    /** Nothing here outlives its writer. */
    @Override
    public void batchBegun(int slot) {}

    @Override
    public int tornSlots() {
        return 0;
    }

    @Override
    public void position(int slot, long sequence, long timestampBits, long batchHash) {
        if (isOpen(slot)) {
            Slot at = slots.get(slot);
            at.sequence = sequence;
            at.timestampBits = timestampBits;
            at.batchHash = batchHash;
        }
    }

    @Override
    public long positionSequence(int slot) {
        return isOpen(slot) ? slots.get(slot).sequence : NO_POSITION;
    }

    @Override
    public long positionTimestampBits(int slot) {
        return isOpen(slot) ? slots.get(slot).timestampBits : 0;
    }

    @Override
    public long positionHash(int slot) {
        return isOpen(slot) ? slots.get(slot).batchHash : 0;
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
        if (!isOpen(slot)) {
            return UNKNOWN_SLOT;
        }
        long[] sequences = new long[from + count];
        Long parent = root ? null : resolve(slots.get(slot), parentEngineHash);
        for (int i = from; i < from + count; i++) {
            parent = parent == null ? localHashes[i] : ChainHash.next(parent, localHashes[i]);
            sequences[i] = parent;
        }
        return storedChained(slot, tier, root, parentEngineHash, engineHashes, sequences, from, count);
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
        if (!isOpen(slot)) {
            return UNKNOWN_SLOT;
        }
        Slot by = slots.get(slot);
        if (!root && resolve(by, parentEngineHash) == null) {
            return UNKNOWN_PARENT;
        }
        for (int i = from; i < from + count; i++) {
            long sequence = sequenceHashes[i];
            Block block = blocks.computeIfAbsent(sequence, ignored -> new Block());
            name(by, sequence, block, engineHashes[i]);
            if (by.copiesByTier.get(tier).merge(sequence, 1, Integer::sum) == 1) {
                block.holdings++;
            }
            afterEachBlock.run();
        }
        return count;
    }

    @Override
    public long removed(int slot, int tier, long[] engineHashes, int from, int count) {
        if (!isOpen(slot)) {
            return UNKNOWN_SLOT;
        }
        Slot by = slots.get(slot);
        long removed = 0;
        for (int i = from; i < from + count; i++) {
            Long sequence = resolve(by, engineHashes[i]);
            Integer copies = sequence == null ? null : by.copiesByTier.get(tier).get(sequence);
            if (copies == null) {
                continue;
            }
            removed++;
            if (copies > 1) {
                by.copiesByTier.get(tier).put(sequence, copies - 1);
            } else {
                by.copiesByTier.get(tier).remove(sequence);
                endHolding(sequence);
            }
            afterEachBlock.run();
        }
        return removed;
    }

    @Override
    public int match(long[] sequenceHashes, int count, Overlaps out) {
        out.clear();
        for (int slot = 0; slot < slots.size(); slot++) {
            if (!isOpen(slot)) {
                continue;
            }
            int[] blocksByTier = new int[Tier.COUNT];
            int at = 0;
            for (int tier = 0; tier < Tier.COUNT; tier++) {
                Map<Long, Integer> copies = slots.get(slot).copiesByTier.get(tier);
                while (at < count && copies.containsKey(sequenceHashes[at])) {
                    blocksByTier[tier]++;
                    at++;
                }
            }
            if (at > 0) {
                out.add(slot, blocksByTier[0], blocksByTier[1], blocksByTier[2], blocksByTier[3]);
            }
        }
        return out.size();
    }

    @Override
    public int sweep(int maxSteps) {
        return 0;
    }

    @Override
    public void close() {}

    private Long resolve(Slot by, long engineHash) {
        Long own = names(by.domain).get(engineHash);
        return own != null ? own : names(SHARED).get(engineHash);
    }

    private void name(Slot by, long sequence, Block block, long engineHash) {
        Long former = block.nameByDomain.get(by.domain);
        Long namesake = names(by.domain).get(engineHash);
        if (former != null && former == engineHash) {
            return;
        }
        if (by.domain == SHARED && (former != null || namesake != null)) {
            by.domain = nextDomain++;
            former = null;
            namesake = null;
        }
        if (namesake != null) {
            blocks.get(namesake).nameByDomain.remove(by.domain);
        }
        if (former != null) {
            names(by.domain).remove(former);
        }
        block.nameByDomain.put(by.domain, engineHash);
        names(by.domain).put(engineHash, sequence);
    }

    private void endHolding(long sequence) {
        Block block = blocks.get(sequence);
        if (--block.holdings == 0) {
            block.nameByDomain.forEach((domain, name) -> names(domain).remove(name));
            blocks.remove(sequence);
        }
    }

    private Map<Long, Long> names(int domain) {
        return sequenceByName.computeIfAbsent(domain, ignored -> new HashMap<>());
    }
}
