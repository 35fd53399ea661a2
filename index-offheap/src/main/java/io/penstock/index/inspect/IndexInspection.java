package io.penstock.index.inspect;

import io.penstock.index.IndexFileException;
import io.penstock.index.read.MappedIndex;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/**
 * Answers questions about an index file that nobody needs to stop for: of a running router, of one that was killed, or a
 * copy taken elsewhere. The file is mapped read-only.
 *
 * <p>Only the truth is read (slots, holders, runs, columns), not the tables derived from it, so that answers are right
 * where a kill left those behind. Each answer was true at one moment: runs that changed all the time while they were read
 * are left out and counted. The step that a killed writer left is read as not done.
 *
 * <p><b>Threading:</b> one thread; a writer may run beside it. <b>Cost:</b> each answer reads all runs; blocks, prefixes
 * and trees read all columns.
 */
public final class IndexInspection implements AutoCloseable {
    private final MappedIndex file;
    private final FileWords words;
    private final RunReader reader;

    private IndexInspection(MappedIndex file) {
        this.file = file;
        words = new FileWords(file);
        reader = new RunReader(words);
    }

    /** Maps the file; throws {@link IndexFileException} with one line naming the check that failed. */
    public static IndexInspection open(Path file) {
        return new IndexInspection(MappedIndex.open(file));
    }

    private Snapshot snapshot() {
        return Snapshot.take(words, reader, run -> {});
    }

    /** What the file holds. */
    public Summary summary() {
        return new Summarizer(words, snapshot()).summary();
    }

    /** What a worker has. */
    public WorkerAnswer worker(String name) {
        return WorkerSearch.search(snapshot(), name);
    }

    /** Where the blocks with a sequence or engine hash stand, and who has them. */
    public BlockAnswer block(long hash) {
        return BlockSearch.search(words, reader, hash);
    }

    /** Who has how much of a prefix, given by its sequence hashes from the root on. */
    public PrefixAnswer prefix(long[] sequenceHashes) {
        return PrefixWalk.walk(words, reader, sequenceHashes);
    }

    /** The most shared prefixes, at most so many. */
    public TopAnswer top(int count) {
        Lineage lineage = Lineage.of(words, reader);
        PlaceCounts counts = new PlaceCounts(lineage.snapshot.workers.keySet());
        List<SharedPrefix> all = lineage.snapshot.runs.stream()
                .map(run -> shared(run, counts, lineage.position(run)))
                .sorted(Comparator.comparingInt(SharedPrefix::workers)
                        .thenComparingInt(SharedPrefix::blocks)
                        .reversed()
                        .thenComparingInt(SharedPrefix::run))
                .limit(count)
                .toList();
        return new TopAnswer(lineage.snapshot.changing, all);
    }

    private static SharedPrefix shared(RunCopy run, PlaceCounts counts, int position) {
        counts.of(run);
        long copies = 0;
        for (int place = 0; place < run.length(); place++) {
            copies += counts.holders(place);
        }
        return new SharedPrefix(
                run.id,
                BlockSearch.hex(run.head()),
                BlockSearch.hex(run.last),
                position < 0 ? null : position,
                run.length(),
                counts.holders(0),
                copies);
    }

    /** The largest branches in so many lines. */
    public TreeAnswer tree(int lines) {
        return new Tree(Lineage.of(words, reader)).answer(lines);
    }

    /** Holds the file against all that its format promises. */
    public VerifyAnswer verify() {
        return new FileCheck(words, reader).check();
    }

    /** Holds the file against another. */
    public DiffAnswer diff(IndexInspection other) {
        return new Difference(whole(), other.whole()).answer();
    }

    private Snapshot whole() {
        return Snapshot.take(words, reader, run -> run.sequences = reader.sequences(run));
    }

    /** Unmaps the file. */
    @Override
    public void close() {
        file.close();
    }
}
