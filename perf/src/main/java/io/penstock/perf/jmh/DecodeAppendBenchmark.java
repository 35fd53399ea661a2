package io.penstock.perf.jmh;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Blocks appended one by one, as decoding tells of them: one event a block, each below the one before. After 8,192 blocks
 * the sequence is removed as one event, inside the figure: one removed block for each one appended.
 *
 * <p><b>Threading:</b> one benchmark thread.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class DecodeAppendBenchmark {
    private static final int BLOCKS = 8_192;

    private Prompts prompts;
    private int at;

    /** An empty index. */
    @Setup(Level.Trial)
    public void fill() throws IOException {
        prompts = new Prompts(BLOCKS);
    }

    /** Deletes the file. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
        prompts.close();
    }

    /** One event of one block. */
    @Benchmark
    public void append() {
        Prompts.expect(1, prompts.stored(0, 0, at, 1));
        if (++at == BLOCKS) {
            Prompts.expect(BLOCKS, prompts.removed(0, 0, 0, BLOCKS));
            at = 0;
        }
    }
}
