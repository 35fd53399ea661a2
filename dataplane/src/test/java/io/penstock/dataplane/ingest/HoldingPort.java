package io.penstock.dataplane.ingest;

import io.penstock.dataplane.pipeline.BlockBuffer;
import io.penstock.dataplane.pipeline.BlockBuffers;
import io.penstock.dataplane.pipeline.EventPort;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Notes what each slot was told, and what it holds by that; can refuse single slots. */
final class HoldingPort implements EventPort {
    private final BlockBuffers buffers = new BlockBuffers();
    private final Map<Integer, List<String>> words = new HashMap<>();
    private final Map<Integer, List<Long>> held = new HashMap<>();
    private int refusedSlot = -1;
    private int refusals;

    synchronized void refuse(int slot) {
        refusedSlot = slot;
    }

    synchronized int refusals() {
        return refusals;
    }

    synchronized List<String> words(int slot) {
        return List.copyOf(words.getOrDefault(slot, List.of()));
    }

    synchronized List<Long> held(int slot) {
        return List.copyOf(held.getOrDefault(slot, List.of()));
    }

    /** What the index kept from before. */
    synchronized void keep(int slot, List<Long> hashes) {
        held.put(slot, new ArrayList<>(hashes));
    }

    private boolean refuses(int slot, String word) {
        if (slot == refusedSlot) {
            refusals++;
            return true;
        }
        words.computeIfAbsent(slot, s -> new ArrayList<>()).add(word);
        return false;
    }

    @Override
    public BlockBuffer acquire(int blocks) {
        return buffers.acquire(blocks);
    }

    @Override
    public void release(BlockBuffer buffer) {
        buffers.release(buffer);
    }

    @Override
    public synchronized boolean stored(int slot, int tier, boolean root, long parent, BlockBuffer blocks) {
        if (refuses(slot, "stored")) {
            return false;
        }
        for (int i = 0; i < blocks.count; i++) {
            held.computeIfAbsent(slot, s -> new ArrayList<>()).add(blocks.engineHashes[i]);
        }
        buffers.release(blocks);
        return true;
    }

    @Override
    public synchronized boolean removed(int slot, int tier, BlockBuffer blocks) {
        if (refuses(slot, "removed")) {
            return false;
        }
        for (int i = 0; i < blocks.count; i++) {
            held.get(slot).remove(blocks.engineHashes[i]);
        }
        buffers.release(blocks);
        return true;
    }

    @Override
    public synchronized boolean cleared(int slot) {
        held.remove(slot);
        return !refuses(slot, "cleared");
    }

    @Override
    public synchronized boolean batchEnd(int slot, long sequence, long timestampBits, long batchHash) {
        return !refuses(slot, "end " + sequence);
    }

    @Override
    public synchronized boolean doubted(int slot) {
        return !refuses(slot, "doubted");
    }

    @Override
    public synchronized boolean proven(int slot) {
        return !refuses(slot, "proven");
    }

    @Override
    public synchronized boolean cold(int slot) {
        if (refuses(slot, "cold")) {
            return false;
        }
        held.remove(slot);
        return true;
    }
}
