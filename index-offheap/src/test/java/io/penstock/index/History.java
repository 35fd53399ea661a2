package io.penstock.index;

import io.penstock.index.reference.ReferenceIndex;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The states in which an index may be. A killed writer's operation in flight may be done for any number of its leading
 * blocks; which one cannot always be seen at once (copies are not visible), so all that fit are kept until later
 * answers tell them apart.
 */
final class History {
    private List<ReferenceIndex> candidates = new ArrayList<>();

    History(IndexConfig config) {
        candidates.add(new ReferenceIndex(config.blockSize(), config.capacityBlocks(), config.maxSlots()));
    }

    int states() {
        return candidates.size();
    }

    void apply(Traffic.Operation operation) {
        candidates.forEach(operation::apply);
    }

    /** The operation was in flight when the writer died. */
    void perhaps(Traffic.Operation operation) {
        Map<Object, ReferenceIndex> all = new LinkedHashMap<>();
        for (ReferenceIndex candidate : candidates) {
            all.putIfAbsent(candidate.state(), candidate);
            for (int blocks = 0; blocks <= operation.blocks(); blocks++) {
                ReferenceIndex one = candidate.copy();
                operation.apply(one, blocks);
                all.putIfAbsent(one.state(), one);
            }
        }
        candidates = new ArrayList<>(all.values());
    }

    /** Drops the states that the index is not in; the difference to the first if none is left, else null. */
    String compare(PrefixIndex index, Traffic traffic, Comparison comparison) {
        String difference = comparison.ofAll(candidates.getFirst(), index, traffic);
        candidates.removeIf(candidate -> comparison.ofAll(candidate, index, traffic) != null);
        return candidates.isEmpty() ? difference : null;
    }
}
