package io.penstock.index;

import io.penstock.index.reference.ReferenceIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A seeded script that ends with an empty index, and for some queries the whole sequence of true answers while it is
 * applied: worked out beforehand on the reference, block by block, since an operation of many blocks passes through the
 * answers of its leading blocks.
 *
 * <p>Played round after round: operation {@code n} of all is operation {@code n % size()} of the script.
 */
final class TruthLog {
    /** One query's true answers: which operation brought each, in order; the first is that before the script. */
    private static final class Truth {
        private final List<Integer> operations = new ArrayList<>();
        private final List<Long> digests = new ArrayList<>();
        private final List<Map<Integer, Long>> answers = new ArrayList<>();

        void add(int operation, Overlaps answer) {
            long digest = Truths.digest(answer);
            if (digests.isEmpty() || digests.getLast() != digest) {
                operations.add(operation);
                digests.add(digest);
                answers.add(Truths.of(answer));
            }
        }

        /** Index of the last answer that an operation before the given one brought. */
        int before(int operation) {
            int low = 0;
            int high = operations.size();
            while (high - low > 1) {
                int middle = low + high >>> 1;
                if (operations.get(middle) < operation) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            return low;
        }
    }

    private final List<Traffic.Operation> script = new ArrayList<>();
    private final List<Long> results = new ArrayList<>();
    private final long[][] queries;
    private final Truth[] truths;
    private final Overlaps answer = new Overlaps(4096);
    private final int maxSlots;

    TruthLog(long seed, int operations, int workers, int queryCount) {
        maxSlots = 2 * workers;
        Random random = new Random(seed);
        Traffic traffic = new Traffic(seed, 60 + random.nextInt(300), workers, 80);
        script.addAll(traffic.opening());
        for (int i = 0; i < operations; i++) {
            script.add(traffic.next());
        }
        for (int slot = 0; slot < maxSlots; slot++) {
            script.add(plain(Traffic.Operation.Kind.REMOVE_SLOT, slot, 0));
        }
        script.add(plain(Traffic.Operation.Kind.SWEEP, 0, 1 << 20));
        queries = new long[queryCount][];
        truths = new Truth[queryCount];
        for (int i = 0; i < queryCount; i++) {
            queries[i] = i % 4 == 0 ? traffic.strayQuery() : traffic.query(traffic.anyNode());
            truths[i] = new Truth();
        }
        work();
    }

    private static Traffic.Operation plain(Traffic.Operation.Kind kind, int slot, int steps) {
        return new Traffic.Operation(kind, slot, 0, false, 0, null, null, null, steps);
    }

    private void work() {
        ReferenceIndex reference = new ReferenceIndex(16, 1 << 14, maxSlots);
        int[] at = {-1};
        reference.observe(() -> note(reference, at[0]));
        note(reference, -1);
        for (at[0] = 0; at[0] < script.size(); at[0]++) {
            results.add(script.get(at[0]).apply(reference));
            note(reference, at[0]);
        }
    }

    private void note(ReferenceIndex reference, int operation) {
        for (int i = 0; i < queries.length; i++) {
            reference.match(queries[i], queries[i].length, answer);
            truths[i].add(operation, answer);
        }
    }

    int maxSlots() {
        return maxSlots;
    }

    int size() {
        return script.size();
    }

    private Traffic.Operation operation(long n) {
        return script.get((int) (n % script.size()));
    }

    /** Has an index do the operation; it must say what the reference says. */
    void apply(long n, PrefixIndex index) {
        Traffic.Operation operation = operation(n);
        long result = operation.apply(index);
        if (operation.kind() != Traffic.Operation.Kind.SWEEP && result != results.get((int) (n % script.size()))) {
            throw new AssertionError("operation " + n + ": " + operation + ": found " + result);
        }
    }

    int queries() {
        return queries.length;
    }

    long[] query(int query) {
        return queries[query];
    }

    /** Whether a look-up between {@code from} operations done and {@code to} begun can be judged. */
    boolean judges(long from, long to) {
        return to - from < script.size() / 2;
    }

    /** Null when the answer was the truth, or, {@code complete} false, not above it, at an instant between; else the matter. */
    String judge(int query, long from, long to, Overlaps found, boolean complete) {
        Map<Integer, Long> said = complete ? null : Truths.of(found);
        long digest = Truths.digest(found);
        Map<Integer, String> possible = new TreeMap<>();
        Truth truth = truths[query];
        for (long round = from / size(); round <= to / size(); round++) {
            int first = (int) Math.max(0, from - round * size());
            int last = (int) Math.min(size(), to - round * size());
            for (int i = truth.before(first); i < truth.digests.size() && truth.operations.get(i) < last; i++) {
                if (truth.digests.get(i) == digest || said != null && Truths.notAbove(said, truth.answers.get(i))) {
                    return null;
                }
                possible.put(truth.operations.get(i), truth.answers.get(i).toString());
            }
        }
        return "query " + query + " of " + queries[query].length + " blocks, complete=" + complete + ", operations "
                + from + " to " + to + ": found " + Truths.of(found) + ", true " + possible;
    }
}
