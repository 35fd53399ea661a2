package io.penstock.perf.jmh;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A prompt of 512 blocks stored as one event on a worker that does not hold it, hashes at hand; nanoseconds a block. The
 * removal between two is not timed.
 *
 * <p><b>Threading:</b> one benchmark thread.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class StoredRunBenchmark {
    private Prompts prompts;
    private int prompt;

    /** Fills the index. */
    @Setup(Level.Trial)
    public void fill() throws IOException {
        prompts = new Prompts(Prompts.CHUNK);
    }

    /** Undoes what the last call did. Two clock reads a call are 0.1 ns a block. */
    @TearDown(Level.Invocation)
    public void undo() {
        Prompts.expect(Prompts.CHUNK, prompts.removed(0, prompt, 0, Prompts.CHUNK));
        prompt = prompts.turn();
    }

    /** Deletes the file. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
        prompts.close();
    }

    /** One event of 512 blocks. */
    @Benchmark
    @OperationsPerInvocation(Prompts.CHUNK)
    public void run() {
        Prompts.expect(Prompts.CHUNK, prompts.stored(0, prompt, 0, Prompts.CHUNK));
    }
}
