package io.penstock.dataplane.workers;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * What a model's name in a request stands for: a base model, an alias of one, or a LoRA adapter on one.
 *
 * <p>A name that a base model has is never an adapter; of two base models that claim an adapter the first keeps it. A
 * model once known stays known, also without workers: asking for it is then no mistake of the client.
 *
 * <p><b>Threading:</b> written by the fleet's control thread, read by any; a look-up reads one immutable table.
 */
public final class Models {
    /**
     * What a name stands for.
     *
     * @param model number of the base model
     * @param name its name
     * @param adapter number of the adapter, or -1
     * @param adapterName its name, or null
     * @param blockSizes block sizes present in the model's fleet, ascending; not to be changed
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Target(int model, String name, int adapter, String adapterName, int[] blockSizes) {}

    /** A worker's part in the table. */
    record Served(String model, List<String> aliases, List<String> adapters, int blockSize) {}

    private final Names names;
    private final Map<String, Integer> known = new LinkedHashMap<>();
    private volatile Map<String, Target> targets = Map.of();
    private volatile List<String> modelNames = List.of();
    private volatile Target only;

    Models(Names names) {
        this.names = names;
    }

    /** What the name stands for, or null. A null name stands for the only model, where there is only one. */
    public Target resolve(String name) {
        return name == null ? only : targets.get(name);
    }

    /** Names that requests may use: models first, then aliases and adapters. */
    public List<String> names() {
        return modelNames;
    }

    /** Makes a model known before any worker serves it. */
    synchronized void configure(String model) {
        known.putIfAbsent(model, names.addModel(model));
    }

    /** Builds the table from the workers that are there. */
    synchronized void rebuild(Collection<Served> workers) {
        workers.forEach(served -> configure(served.model));
        Map<String, Target> table = new LinkedHashMap<>();
        known.forEach((model, number) -> {
            TreeSet<Integer> sizes = new TreeSet<>();
            for (Served served : workers) {
                if (served.model.equals(model)) {
                    sizes.add(served.blockSize);
                }
            }
            int[] blockSizes = sizes.stream().mapToInt(Integer::intValue).toArray();
            table.put(model, new Target(number, model, -1, null, blockSizes));
        });
        only = table.size() == 1 ? table.values().iterator().next() : null;
        for (Served served : workers) {
            Target base = table.get(served.model);
            served.aliases.forEach(alias -> table.putIfAbsent(alias, base));
        }
        for (Served served : workers) {
            Target base = table.get(served.model);
            for (String adapter : served.adapters) {
                table.computeIfAbsent(
                        adapter,
                        name -> new Target(base.model, base.name, names.addAdapter(name), name, base.blockSizes));
            }
        }
        targets = Map.copyOf(table);
        modelNames = List.copyOf(new ArrayList<>(table.keySet()));
    }
}
