package io.penstock.dataplane.workers;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Numbers for names: workers, models, adapters, taints. The core compares numbers, so text ends here.
 *
 * <p>Models, adapters and taints keep their number for good. A worker keeps its own while it is there; numbers of
 * workers that went are given out again only when 65,536 are used up, oldest first.
 *
 * <p><b>Threading:</b> thread-safe; for set-up and the admin port, and one look-up a request.
 */
public final class Names {
    /** Most labels that workers can carry: one bit each. */
    public static final int MAX_TAINTS = 64;

    private static final int MAX_WORKERS = 1 << 16;

    private final Map<String, Integer> workers = new HashMap<>();
    private final Deque<Integer> freeWorkers = new ArrayDeque<>();
    private int nextWorker;
    private final Map<String, Integer> models = new HashMap<>();
    private final List<String> modelNames = new ArrayList<>();
    private final Map<String, Integer> adapters = new HashMap<>();
    private final List<String> adapterNames = new ArrayList<>();
    private final Map<String, Integer> taints = new HashMap<>();

    /** Number of a worker, or -1. */
    public synchronized int worker(String name) {
        return workers.getOrDefault(name, -1);
    }

    /** Number of a model, or -1. */
    public synchronized int model(String name) {
        return models.getOrDefault(name, -1);
    }

    /** Name of a model. */
    public synchronized String modelName(int number) {
        return modelNames.get(number);
    }

    /** Number of an adapter, or -1. */
    public synchronized int adapter(String name) {
        return adapters.getOrDefault(name, -1);
    }

    /** Name of an adapter. */
    public synchronized String adapterName(int number) {
        return adapterNames.get(number);
    }

    /** Bit of a taint, or 0 where no worker ever had it. */
    public synchronized long taint(String label) {
        Integer bit = taints.get(label);
        return bit == null ? 0 : 1L << bit;
    }

    synchronized int addWorker(String name) {
        Integer known = workers.get(name);
        if (known != null) {
            return known;
        }
        int number = nextWorker < MAX_WORKERS ? nextWorker : freeWorkers.isEmpty() ? -1 : freeWorkers.poll();
        if (number < 0) {
            throw new IllegalArgumentException("more than " + MAX_WORKERS + " workers: worker=" + name);
        }
        nextWorker = Math.min(MAX_WORKERS, nextWorker + 1);
        workers.put(name, number);
        return number;
    }

    synchronized void removeWorker(String name) {
        Integer number = workers.remove(name);
        if (number != null) {
            freeWorkers.add(number);
        }
    }

    synchronized int addModel(String name) {
        return intern(name, models, modelNames);
    }

    synchronized int addAdapter(String name) {
        return intern(name, adapters, adapterNames);
    }

    private static int intern(String name, Map<String, Integer> numbers, List<String> names) {
        Integer known = numbers.get(name);
        if (known != null) {
            return known;
        }
        numbers.put(name, names.size());
        names.add(name);
        return names.size() - 1;
    }

    /**
     * Bits of the labels, new ones included.
     *
     * @throws IllegalArgumentException when there would be more than {@link #MAX_TAINTS}; none is then added
     */
    synchronized long addTaints(List<String> labels) {
        long fresh = labels.stream()
                .distinct()
                .filter(label -> !taints.containsKey(label))
                .count();
        if (taints.size() + fresh > MAX_TAINTS) {
            throw new IllegalArgumentException("more than " + MAX_TAINTS + " different taints: taints=" + labels);
        }
        long bits = 0;
        for (String label : labels) {
            bits |= 1L << taints.computeIfAbsent(label, key -> taints.size());
        }
        return bits;
    }
}
