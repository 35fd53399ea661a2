package io.penstock.perf.jmh;

import io.penstock.index.ChainHash;
import io.penstock.index.Overlaps;
import io.penstock.index.Tier;
import io.penstock.index.read.LiveReader;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One look-up: the whole prompt is known, or only its first 32 blocks; by the writer's own thread or through a reader;
 * with the sequence hashes given or chained from local hashes first. Every answer is checked.
 *
 * <p><b>Threading:</b> one benchmark thread.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class LookupBenchmark {
    private static final int KNOWN = 32;

    /** Blocks of the prompt. */
    @Param({"64", "512", "8192"})
    public int depth;

    /** Workers that hold it. */
    @Param({"1", "64"})
    public int holders;

    private final Overlaps out = new Overlaps(Prompts.WORKERS);
    private Prompts prompts;
    private LiveReader reader;
    private long[] hashes;
    private long[][] missing;

    /** Fills the index. */
    @Setup(Level.Trial)
    public void fill() throws IOException {
        prompts = new Prompts(depth);
        prompts.store(holders);
        reader = prompts.index().reader();
        hashes = new long[depth];
        missing = prompts.divergingAt(KNOWN);
    }

    /** Deletes the file. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
        prompts.close();
    }

    /** Sequence hashes given, every block known. */
    @Benchmark
    public long fullHit() {
        long[] prompt = prompts.sequence(prompts.turn());
        return checked(prompts.index().match(prompt, depth, out), depth);
    }

    /** Local hashes given: the chain is computed in the timed region. */
    @Benchmark
    public long fullHitHashed() {
        long[] local = prompts.local(prompts.turn());
        hashes[0] = local[0];
        for (int i = 1; i < depth; i++) {
            hashes[i] = ChainHash.next(hashes[i - 1], local[i]);
        }
        return checked(prompts.index().match(hashes, depth, out), depth);
    }

    /** Sequence hashes given, the first 32 blocks known. */
    @Benchmark
    public long missAt32() {
        return checked(prompts.index().match(missing[prompts.turn()], depth, out), KNOWN);
    }

    /** The full hit through a reader, nobody writing. */
    @Benchmark
    public long readerFullHit() {
        return checked(reader.match(prompts.sequence(prompts.turn()), depth, out), depth);
    }

    private long checked(int entries, int blocks) {
        Prompts.expect(holders, entries);
        Prompts.expect(blocks, out.blocks(0, Tier.DEVICE));
        return entries;
    }
}
