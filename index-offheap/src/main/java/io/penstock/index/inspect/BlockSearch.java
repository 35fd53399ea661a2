package io.penstock.index.inspect;

import io.penstock.index.layout.BlockCell;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds the blocks with a hash by reading all columns; the file's own tables are not used, so that a damaged one does not
 * hide a block.
 *
 * <p><b>Threading:</b> owned by the reader.
 */
final class BlockSearch {
    /** Stands for the engine hash 0 in columns. */
    private BlockSearch() {}

    static BlockAnswer search(FileWords words, RunReader reader, long asked) {
        Snapshot snapshot = Snapshot.take(words, reader, run -> look(reader, run, asked));
        Lineage lineage =
                snapshot.runs.stream().anyMatch(run -> !run.hits.isEmpty()) ? Lineage.of(words, reader) : null;
        List<BlockAnswer.Found> found = new ArrayList<>();
        for (RunCopy run : snapshot.runs) {
            for (RunCopy.Hit hit : run.hits) {
                int before = lineage.position(run);
                found.add(new BlockAnswer.Found(
                        run.id,
                        hit.place(),
                        before < 0 ? null : before + hit.place(),
                        hex(hit.sequence()),
                        hex(hit.before()),
                        names(hit.names()),
                        holders(run, hit.place(), snapshot.workers)));
            }
        }
        return new BlockAnswer(hex(asked), snapshot.changing, found);
    }

    private static void look(RunReader reader, RunCopy run, long asked) {
        long wanted = asked == 0 ? BlockCell.ZERO_NAME : asked;
        for (int place = 0; place < run.length(); place++) {
            boolean here = reader.sequence(run, place) == asked || reader.name(run, place) == wanted;
            for (int i = 0; i < run.setCount() && !here; i++) {
                here = run.isColumn(i) && reader.name(run, i, place) == wanted;
            }
            if (here) {
                long before = place == 0 ? run.parent() : reader.sequence(run, place - 1);
                run.hits.add(new RunCopy.Hit(place, reader.sequence(run, place), before, names(reader, run, place)));
            }
        }
    }

    private static long[] names(RunReader reader, RunCopy run, int place) {
        long[] names = new long[2 * (run.setCount() + 1)];
        int used = 0;
        for (int i = -1; i < run.setCount(); i++) {
            if (i < 0 || run.isColumn(i)) {
                long name = i < 0 ? reader.name(run, place) : reader.name(run, i, place);
                if (name != 0) {
                    names[used] = i < 0 ? run.domain() : run.columnDomain(i);
                    names[used + 1] = name;
                    used += 2;
                }
            }
        }
        return Arrays.copyOf(names, used);
    }

    private static List<BlockAnswer.Name> names(long[] pairs) {
        List<BlockAnswer.Name> names = new ArrayList<>();
        for (int i = 0; i < pairs.length; i += 2) {
            names.add(new BlockAnswer.Name(pairs[i], hex(pairs[i + 1])));
        }
        names.sort(Comparator.comparingLong(BlockAnswer.Name::domain));
        return names;
    }

    private static List<BlockAnswer.Holder> holders(RunCopy run, int place, Map<Integer, WorkerState> workers) {
        Map<Integer, int[]> copies = new TreeMap<>();
        run.holdings((holder, tier, from, to, further) -> {
            if (from <= place && place < to && workers.containsKey(holder)) {
                copies.computeIfAbsent(holder, any -> new int[4])[tier] += Math.max(1, further);
            }
        });
        List<BlockAnswer.Holder> holders = new ArrayList<>();
        copies.forEach((holder, tiers) -> {
            WorkerState worker = workers.get(holder);
            holders.add(new BlockAnswer.Holder(
                    worker.slot(), worker.worker(), worker.dpRank(), tiers[0], tiers[1], tiers[2], tiers[3]));
        });
        holders.sort(Comparator.comparingInt(BlockAnswer.Holder::slot));
        return holders;
    }

    static String hex(long hash) {
        return HexFormat.of().toHexDigits(hash);
    }
}
