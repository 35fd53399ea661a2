package io.penstock.dataplane.pool;

import io.penstock.bindings.pool.ObjectLayout;
import io.penstock.bindings.pool.SglangStorage;
import io.penstock.dataplane.hashing.PoolPages;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is known of each pool's layout: from the configuration, and from what SGLang's workers say where that leaves
 * something open. Workers of a model that disagree make its layout unknown, and then nothing of the pool counts.
 *
 * <p><b>Threading:</b> thread-safe; {@link #of} reads one immutable table.
 */
public final class PoolLayouts implements PoolPages.Source {
    /** Hears of layouts, in order. */
    @FunctionalInterface
    public interface Listener {
        /** A pool's layout; null where it is unknown. */
        void layout(int pool, ObjectLayout layout);
    }

    /**
     * Where a pool stands.
     *
     * @param pool its number
     * @param model its model
     * @param layout in one line, or empty while unknown
     * @param keyed whether prompts get keys
     * @param problem what is wrong in one line, or empty
     */
    public record Status(int pool, String model, String layout, boolean keyed, String problem) {}

    private final List<LayoutRule> rules;
    private final List<Map<String, SglangStorage>> said = new ArrayList<>();
    private final List<KnownLayout> known = new ArrayList<>();
    private Listener listener = (pool, layout) -> {};
    private volatile Map<String, PoolPages> pages = Map.of();

    /**
     * The pools of a configuration.
     *
     * @throws IllegalArgumentException if a layout cannot be, in one line
     */
    public PoolLayouts(PoolConfig config) {
        rules = config.layouts().stream().map(LayoutRule::new).toList();
        for (LayoutRule rule : rules) {
            said.add(new LinkedHashMap<>());
            known.add(rule.resolve(Map.of()));
        }
        publish();
    }

    /** Tells {@code next} every layout that is known, and each change from now on. */
    public synchronized void follow(Listener next) {
        listener = next;
        for (int pool = 0; pool < known.size(); pool++) {
            if (known.get(pool).layout() != null) {
                next.layout(pool, known.get(pool).layout());
            }
        }
    }

    /** What a worker said of its storage; null where its engine says nothing of the kind. */
    public void said(String worker, String model, SglangStorage storage) {
        change(worker, model, storage);
    }

    /** A worker is there no more: it does not disagree any longer. */
    public void left(String worker) {
        change(worker, null, null);
    }

    private synchronized void change(String worker, String model, SglangStorage storage) {
        for (int pool = 0; pool < rules.size(); pool++) {
            Map<String, SglangStorage> all = said.get(pool);
            SglangStorage now = rules.get(pool).model().equals(model) ? storage : null;
            SglangStorage before = now == null ? all.remove(worker) : all.put(worker, now);
            if (now == null ? before != null : !now.equals(before)) {
                settle(pool);
            }
        }
    }

    private void settle(int pool) {
        Map<String, SglangStorage> all = said.get(pool);
        KnownLayout before = known.get(pool);
        // The last worker gone: the pool's objects stay as they were named.
        KnownLayout now = all.isEmpty() && before.layout() != null
                ? before
                : rules.get(pool).resolve(all);
        if (now.equals(before)) {
            return;
        }
        known.set(pool, now);
        publish();
        if (now.sameNames(before)) {
            return;
        }
        if (before.layout() != null && now.layout() != null) {
            // Another prefix may go with the same hashes and the same number of objects: first of all, forget.
            listener.layout(pool, null);
        }
        listener.layout(pool, now.layout());
    }

    private void publish() {
        Map<String, PoolPages> table = new HashMap<>();
        for (int pool = 0; pool < rules.size(); pool++) {
            KnownLayout k = known.get(pool);
            if (k.layout() != null && k.hasher() != null) {
                PoolPages old = pages.get(rules.get(pool).model());
                // The same object while the rule is the same: sessions keep their keys by it.
                table.put(
                        rules.get(pool).model(),
                        old != null && old.hasher() == k.hasher() ? old : new PoolPages(pool, k.hasher()));
            }
        }
        pages = Map.copyOf(table);
    }

    @Override
    public PoolPages of(String model) {
        return pages.get(model);
    }

    /** Whether workers of a model have something to say that is not configured. */
    public boolean asks(String model) {
        return rules.stream().anyMatch(rule -> rule.model().equals(model) && rule.isOpen());
    }

    /** Where each pool stands. */
    public synchronized List<Status> status() {
        List<Status> all = new ArrayList<>();
        for (int pool = 0; pool < rules.size(); pool++) {
            KnownLayout k = known.get(pool);
            all.add(new Status(
                    pool,
                    rules.get(pool).model(),
                    k.layout() == null ? "" : k.layout().describe(),
                    k.layout() != null && k.hasher() != null,
                    k.problem()));
        }
        return all;
    }
}
