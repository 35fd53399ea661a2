package io.penstock.perf.jmh;

import io.penstock.bindings.openai.ApiKind;
import io.penstock.dataplane.hashing.ChunkPages;
import io.penstock.dataplane.hashing.PageHasher;
import io.penstock.dataplane.hashing.PoolPages;
import io.penstock.dataplane.hashing.ShaPages;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.tokens.PromptEncoder;
import io.penstock.dataplane.tokens.PromptInput;
import io.penstock.dataplane.tokens.TokensConfig;
import java.util.SplittableRandom;
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
 * The keys of a 128k-token prompt's pages: the chain alone, and what the front does with a prompt of ids, with and without a
 * pool, cold and as a session's next turn that adds {@value #TURN} tokens.
 *
 * <p><b>Threading:</b> one benchmark thread.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PageKeysBenchmark {
    private static final int TOKENS = 128 * 1024;
    private static final int TURN = 1_024;
    private static final int TAILS = 64;
    private static final long SEED = 20_261_130;

    /** Tokens of a page. */
    @Param({"64"})
    public int pageSize;

    private final int[] prompt = new int[TOKENS];
    private final int[][] turns = new int[TAILS][];
    private PageHasher sglang;
    private PageHasher pairs;
    private PageHasher cbor;
    private PageHasher pickle;
    private CryptoChain libcrypto;
    private long[] keys;
    private PromptEncoder plain;
    private PromptEncoder keyed;
    private int turn;

    /** Makes the prompts: the same in each run. */
    @Setup(Level.Trial)
    public void make() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < TOKENS; i++) {
            prompt[i] = random.nextInt(151_936);
        }
        for (int t = 0; t < TAILS; t++) {
            turns[t] = prompt.clone();
            for (int i = TOKENS - TURN; i < TOKENS; i++) {
                turns[t][i] = random.nextInt(151_936);
            }
        }
        sglang = ShaPages.of(pageSize, false);
        pairs = ShaPages.of(pageSize, true);
        int block = Math.min(16, pageSize);
        cbor = ChunkPages.of(ChunkPages.Algorithm.SHA256_CBOR, block, block, ChunkPages.DEFAULT_SEED);
        pickle = ChunkPages.of(ChunkPages.Algorithm.SHA256, block, block, ChunkPages.DEFAULT_SEED);
        libcrypto = CryptoChain.open(pageSize);
        keys = new long[TOKENS / Math.min(block, pageSize) * PageHasher.KEY_WORDS];
        plain = PromptEncoder.open(TokensConfig.defaults(), model -> null);
        keyed = PromptEncoder.open(TokensConfig.defaults(), model -> null);
        PoolPages pool = new PoolPages(0, sglang);
        keyed.keyPages(model -> pool);
    }

    /** Ends the encoders' threads. */
    @TearDown(Level.Trial)
    public void close() {
        plain.close();
        keyed.close();
    }

    /** SGLang's chain, all pages. */
    @Benchmark
    public long chain() {
        return keys[sglang.chain(prompt, TOKENS, 0, keys)];
    }

    /** The same over pairs of tokens. */
    @Benchmark
    public long chainOfPairs() {
        return keys[pairs.chain(prompt, TOKENS, 0, keys)];
    }

    /** SGLang's chain with libcrypto's SHA-256 in place of the JDK's. */
    @Benchmark
    public long chainByLibcrypto() {
        return libcrypto.chain(prompt, TOKENS);
    }

    /** vLLM's chunks of 16 tokens over CBOR. */
    @Benchmark
    public long chunksOverCbor() {
        return keys[cbor.chain(prompt, TOKENS, 0, keys) - 1];
    }

    /** vLLM's chunks of 16 tokens over a pickle. */
    @Benchmark
    public long chunksOverPickle() {
        return keys[pickle.chain(prompt, TOKENS, 0, keys) - 1];
    }

    /** The front, a prompt of ids, no pool. */
    @Benchmark
    public int frontWithoutPool() {
        return encode(plain, prompt, 0);
    }

    /** The front, a prompt of ids, its pages keyed, nothing kept of the session. */
    @Benchmark
    public int frontCold() {
        return encode(keyed, prompt, 0);
    }

    /** The front, a session's next turn, no pool. */
    @Benchmark
    public int turnWithoutPool() {
        return encode(plain, turns[turn++ % TAILS], 7);
    }

    /** The front, a session's next turn: only the pages that it adds are hashed. */
    @Benchmark
    public int turnKept() {
        return encode(keyed, turns[turn++ % TAILS], 7);
    }

    private static int encode(PromptEncoder encoder, int[] ids, long session) {
        RouteRequest out = new RouteRequest(reply -> {});
        encoder.encode(
                new PromptInput(
                        ApiKind.COMPLETIONS, new byte[0], 0, 0, "m", "", "", session, new int[] {16}, ids, false),
                out);
        return out.hashings + out.poolings;
    }
}
