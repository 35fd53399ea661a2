package io.penstock.dataplane.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the HTTP side needs to know of the engine: its configuration, ranks, event sources and faults.
 *
 * <p><b>Threading:</b> thread-safe.
 */
final class EngineState {
    /** Version that the engine says it is. */
    static final String VERSION = "0.32.0";

    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    final EngineConfig config;
    final List<EngineRank> ranks;
    final ReplayServer replay;
    final Faults faults;
    final long startedSeconds = System.currentTimeMillis() / 1000;
    final AtomicInteger serverLoad = new AtomicInteger();
    final AtomicInteger incarnation = new AtomicInteger(1);
    private final Map<String, BlockHasher.Adapter> adapters = new HashMap<>();
    private final List<String> adapterNames = new ArrayList<>();
    private final AtomicLong requests = new AtomicLong();
    private final AtomicInteger turn = new AtomicInteger();

    EngineState(EngineConfig config, List<EngineRank> ranks, ReplayServer replay, Faults faults) {
        this.config = config;
        this.ranks = ranks;
        this.replay = replay;
        this.faults = faults;
        for (String adapter : config.adapters()) {
            int equals = adapter.indexOf('=');
            String name = equals < 0 ? adapter : adapter.substring(0, equals);
            adapterNames.add(name);
            adapters.put(
                    name,
                    new BlockHasher.Adapter(
                            adapterNames.size(), name, equals < 0 ? adapter : adapter.substring(equals + 1)));
        }
    }

    /** Names of the LoRA adapters. */
    List<String> adapterNames() {
        return adapterNames;
    }

    /** The adapter that a model name means, null for the base model; throws for a name that is neither. */
    BlockHasher.Adapter adapter(String model) throws RefusedException {
        if (model == null || model.equals(config.model())) {
            return null;
        }
        BlockHasher.Adapter adapter = adapters.get(model);
        if (adapter == null) {
            throw RefusedException.notFound("The model `" + model + "` does not exist.", "model");
        }
        return adapter;
    }

    /** The rank that a header names, or the least loaded one. */
    EngineRank rank(String header) throws RefusedException {
        if (header != null) {
            try {
                int rank = Integer.parseInt(header.trim());
                if (rank >= 0 && rank < ranks.size()) {
                    return ranks.get(rank);
                }
            } catch (NumberFormatException e) {
                // Told below, like a number out of range.
            }
            throw RefusedException.bad(
                    "X-data-parallel-rank must be 0 to " + (ranks.size() - 1) + ": " + header, "X-data-parallel-rank");
        }
        int first = Math.floorMod(turn.getAndIncrement(), ranks.size());
        EngineRank best = ranks.get(first);
        for (int i = 1; i < ranks.size(); i++) {
            EngineRank other = ranks.get((first + i) % ranks.size());
            best = other.load() < best.load() ? other : best;
        }
        return best;
    }

    /** Sixteen hexadecimal digits that no earlier request had. */
    String nextId() {
        long h = (requests.incrementAndGet() + (config.seed() << 32)) * GOLDEN;
        h ^= h >>> 31;
        return String.format("%016x", h * GOLDEN);
    }
}
