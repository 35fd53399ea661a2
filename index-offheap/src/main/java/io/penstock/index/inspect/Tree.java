package io.penstock.index.inspect;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Runs by the run that they continue, and which are worth showing: always the largest that is not shown yet and whose
 * parent is.
 *
 * <p><b>Threading:</b> owned by the reader.
 */
final class Tree {
    private static final Comparator<RunCopy> BY_NUMBER = Comparator.comparingInt(run -> run.id);

    private final Lineage lineage;
    private final PlaceCounts counts;
    private final List<RunCopy> roots = new ArrayList<>();
    private final Map<Integer, List<RunCopy>> children = new HashMap<>();
    private final Map<Integer, Long> below = new HashMap<>();
    private final Comparator<RunCopy> largest;

    Tree(Lineage lineage) {
        this.lineage = lineage;
        counts = new PlaceCounts(lineage.snapshot.workers.keySet());
        for (RunCopy run : lineage.snapshot.runs) {
            Lineage.At parent = lineage.parent(run);
            (parent == null ? roots : children.computeIfAbsent(parent.run().id, any -> new ArrayList<>())).add(run);
        }
        roots.forEach(this::measure);
        largest = Comparator.<RunCopy>comparingLong(run -> below.get(run.id))
                .reversed()
                .thenComparing(BY_NUMBER);
    }

    /** Adds up what grows from a root; a run is looked at a second time once its children are done. */
    private void measure(RunCopy root) {
        ArrayDeque<RunCopy> open = new ArrayDeque<>(List.of(root));
        Set<Integer> entered = new HashSet<>();
        while (!open.isEmpty()) {
            RunCopy run = open.peek();
            if (entered.add(run.id)) {
                of(run).forEach(open::push);
            } else {
                open.pop();
                long sum = run.length();
                for (RunCopy child : of(run)) {
                    sum += below.get(child.id);
                }
                below.put(run.id, sum);
            }
        }
    }

    private List<RunCopy> of(RunCopy run) {
        return children.getOrDefault(run.id, List.of());
    }

    /** The picture in so many lines at most. */
    TreeAnswer answer(int lines) {
        Set<Integer> shown = new HashSet<>();
        PriorityQueue<RunCopy> next = new PriorityQueue<>(largest);
        next.addAll(roots);
        while (shown.size() < lines && !next.isEmpty()) {
            RunCopy run = next.poll();
            shown.add(run.id);
            next.addAll(of(run));
        }
        List<Branch> branches = new ArrayList<>();
        roots.stream()
                .filter(run -> shown.contains(run.id))
                .sorted(largest)
                .forEach(run -> add(run, 0, shown, branches));
        List<RunCopy> hidden = hidden(roots, shown);
        return new TreeAnswer(roots.size(), lineage.snapshot.changing, hidden.size(), blocks(hidden), branches);
    }

    private void add(RunCopy run, int depth, Set<Integer> shown, List<Branch> out) {
        Lineage.At parent = lineage.parent(run);
        List<RunCopy> hidden = hidden(of(run), shown);
        counts.of(run);
        out.add(new Branch(
                depth,
                run.id,
                parent == null ? null : parent.run().id,
                parent == null ? null : parent.place() + 1,
                BlockSearch.hex(run.head()),
                run.length(),
                below.get(run.id),
                counts.holders(0),
                hidden.size(),
                blocks(hidden)));
        of(run).stream()
                .filter(child -> shown.contains(child.id))
                .sorted(largest)
                .forEach(child -> add(child, depth + 1, shown, out));
    }

    private static List<RunCopy> hidden(List<RunCopy> runs, Set<Integer> shown) {
        return runs.stream().filter(run -> !shown.contains(run.id)).toList();
    }

    private long blocks(List<RunCopy> runs) {
        return runs.stream().mapToLong(run -> below.get(run.id)).sum();
    }
}
