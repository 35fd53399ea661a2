package io.penstock.dataplane.pool;

import io.penstock.bindings.pool.ObjectLayout;
import io.penstock.dataplane.pipeline.BlockBuffer;
import io.penstock.dataplane.pipeline.BlockBuffers;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What one pool holds by what the port was told, by name; can refuse everything. */
final class HeldPool implements PoolPort {
    private final ObjectLayout layout;
    private final BlockBuffers buffers = new BlockBuffers();
    private final Set<String> present = new TreeSet<>();
    private final Set<String> confirmed = new TreeSet<>();
    private final List<String> words = new ArrayList<>();
    private boolean listing;
    private boolean counts;
    private boolean refusing;
    private int laidOut;
    private int lent;
    private long stale;
    private long missing;

    HeldPool(ObjectLayout layout) {
        this.layout = layout;
    }

    /** What counts now. */
    synchronized Set<String> counted() {
        return counts ? Set.copyOf(present) : Set.of();
    }

    synchronized Set<String> held() {
        return Set.copyOf(present);
    }

    synchronized boolean counts() {
        return counts;
    }

    synchronized void refuse(boolean all) {
        refusing = all;
    }

    /** Words about the pool as a whole, in order. */
    synchronized List<String> words() {
        return List.copyOf(words);
    }

    /** Objects that listings found held here and not there. */
    synchronized long stale() {
        return stale;
    }

    /** Objects that listings showed, while the pool counted, and that were not held. */
    synchronized long missing() {
        return missing;
    }

    /** Buffers that were neither handed over nor given back. */
    synchronized int lent() {
        return lent;
    }

    @Override
    public synchronized BlockBuffer acquire(int objects) {
        lent++;
        return buffers.acquire(objects * PoolObjects.ENTRIES);
    }

    @Override
    public synchronized void release(BlockBuffer buffer) {
        lent--;
        buffers.release(buffer);
    }

    @Override
    public synchronized boolean layout(int pool, int pageSize, int objectsPerPage) {
        if (objectsPerPage > 0 && objectsPerPage == laidOut && pageSize == layout.pageSize()) {
            return !refusing;
        }
        return word("layout", () -> {
            present.clear();
            counts = false;
            laidOut = objectsPerPage;
        });
    }

    @Override
    public synchronized boolean stored(int pool, BlockBuffer objects) {
        return take(objects, name -> {
            present.add(name);
            confirmed.add(name);
        });
    }

    @Override
    public synchronized boolean seen(int pool, BlockBuffer objects) {
        return take(objects, name -> {
            boolean fresh = present.add(name);
            missing += fresh && counts ? 1 : 0;
            confirmed.add(name);
        });
    }

    @Override
    public synchronized boolean removed(int pool, BlockBuffer objects) {
        return take(objects, name -> {
            present.remove(name);
            confirmed.remove(name);
        });
    }

    @Override
    public boolean cleared(int pool) {
        return word("cleared", () -> {
            present.clear();
            confirmed.clear();
        });
    }

    @Override
    public boolean doubted(int pool) {
        return word("doubted", () -> counts = false);
    }

    @Override
    public boolean listing(int pool) {
        return word("listing", () -> {
            listing = true;
            confirmed.clear();
        });
    }

    @Override
    public boolean listed(int pool) {
        return word("listed", () -> {
            if (!listing || laidOut == 0) {
                throw new IllegalStateException("no listing is open");
            }
            listing = false;
            int before = present.size();
            present.retainAll(confirmed);
            stale += before - present.size();
            counts = true;
        });
    }

    private synchronized boolean word(String word, Runnable effect) {
        if (refusing) {
            return false;
        }
        words.add(word);
        effect.run();
        return true;
    }

    private boolean take(BlockBuffer objects, java.util.function.Consumer<String> effect) {
        if (refusing) {
            return false;
        }
        long[] key = new long[ObjectLayout.KEY_WORDS];
        for (int i = 0; i < PoolObjects.count(objects); i++) {
            int object = PoolObjects.get(objects, i, key, 0);
            effect.accept(layout.name(key, 0, object));
        }
        release(objects);
        return true;
    }
}
