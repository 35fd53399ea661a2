package io.penstock.index.inspect;

import java.util.HashMap;
import java.util.Map;
import org.agrona.collections.LongHashSet;

/**
 * Which run each run continues, and where: a run's PARENT is the sequence hash of the block before, which stands in some
 * run's column.
 *
 * <p>Taken in two scans: the first gathers the parents' hashes, the second finds them. What a writer adds between the two
 * has no known parent.
 *
 * <p><b>Threading:</b> owned by the reader.
 */
final class Lineage {
    /** A place in a run. */
    record At(RunCopy run, int place) {}

    final Snapshot snapshot;
    private final Map<Long, At> places = new HashMap<>();
    private final Map<Integer, Integer> before = new HashMap<>();

    private Lineage(Snapshot snapshot) {
        this.snapshot = snapshot;
        for (RunCopy run : snapshot.runs) {
            for (RunCopy.Hit hit : run.hits) {
                places.put(hit.sequence(), new At(run, hit.place()));
            }
        }
    }

    static Lineage of(FileWords words, RunReader reader) {
        LongHashSet parents = new LongHashSet();
        Snapshot.take(words, reader, run -> {}).runs.forEach(run -> parents.add(run.parent()));
        return new Lineage(Snapshot.take(words, reader, run -> {
            run.last = reader.sequence(run, run.length() - 1);
            for (int place = 0; place < run.length(); place++) {
                long sequence = reader.sequence(run, place);
                if (parents.contains(sequence)) {
                    run.hits.add(new RunCopy.Hit(place, sequence, 0, null));
                }
            }
        }));
    }

    /** Where the block before the run stands, or null. */
    At parent(RunCopy run) {
        return run.parent() == 0 ? null : places.get(run.parent());
    }

    /** Blocks before the run from the root on, or -1 when one of them is not in the file. */
    int position(RunCopy run) {
        Integer known = before.get(run.id);
        if (known != null) {
            return known;
        }
        int blocks = 0;
        RunCopy at = run;
        // As many steps as there are runs: a damaged file may go in circles.
        for (int i = 0; i <= snapshot.runs.size(); i++) {
            At parent = parent(at);
            if (parent == null) {
                int found = at.parent() == 0 ? blocks : -1;
                before.put(run.id, found);
                return found;
            }
            blocks += parent.place() + 1;
            at = parent.run();
        }
        return -1;
    }
}
