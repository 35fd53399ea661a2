package io.penstock.dataplane.cli;

import io.penstock.dataplane.engine.EngineConfig;
import io.penstock.dataplane.engine.HashAlgorithm;
import io.penstock.dataplane.engine.SimulatedEngine;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code penstock engine}: a simulated engine in a process of its own, until it is ended.
 *
 * <p>Prints one line when it serves: its URL and the endpoints of its events. Told to die by a fault, the process halts
 * with 137, as after kill -9.
 *
 * <p><b>Threading:</b> main thread.
 */
@Command(
        name = "engine",
        mixinStandardHelpOptions = true,
        description =
                "Run a simulated engine: vLLM's API, block pool and KV events, with a timing model in place of a GPU.",
        showDefaultValues = true)
public final class EngineCommand implements Callable<Integer> {
    private static final int KILLED = 137;

    @Option(names = "--host", defaultValue = "127.0.0.1", description = "Address to bind.")
    private String host;

    @Option(names = "--port", defaultValue = "8000", description = "HTTP port; 0 = chosen by the system.")
    private int port;

    @Option(names = "--model", defaultValue = "sim", description = "Served model name.")
    private String model;

    @Option(names = "--lora", split = ",", description = "LoRA adapters, name or name=path.")
    private List<String> adapters = List.of();

    @Option(names = "--dp", defaultValue = "1", description = "Data-parallel ranks.")
    private int dp;

    @Option(names = "--io-threads", defaultValue = "1", description = "HTTP event loops.")
    private int ioThreads;

    @Option(names = "--block-size", defaultValue = "16", description = "Tokens of a KV block.")
    private int blockSize;

    @Option(
            names = "--blocks",
            defaultValue = "16384",
            description = "KV blocks of each rank; one of them is reserved.")
    private int blocks;

    @Option(
            names = "--hash-algo",
            defaultValue = "sha256_cbor",
            description = "Block hash: sha256_cbor or xxhash_cbor.")
    private String hashAlgo;

    @Option(names = "--hash-seed", defaultValue = "", description = "Seed of the root hash (vLLM: PYTHONHASHSEED).")
    private String hashSeed;

    @Option(names = "--digests", description = "Send full digests in events instead of 64-bit integers.")
    private boolean digests;

    @Option(names = "--speedup", defaultValue = "1", description = "Factor by which simulated time runs faster.")
    private double speedup;

    @Option(names = "--decode-speedup", defaultValue = "1", description = "Further factor for decode.")
    private double decodeSpeedup;

    @Option(names = "--max-num-seqs", defaultValue = "256", description = "Requests in one pass.")
    private int maxNumSeqs;

    @Option(names = "--max-num-batched-tokens", defaultValue = "8192", description = "Tokens in one pass.")
    private int maxNumBatchedTokens;

    @Option(
            names = "--max-model-len",
            defaultValue = "0",
            description = "Longest sequence in tokens; 0 = what the pool holds.")
    private int maxModelLen;

    @Option(
            names = "--default-max-tokens",
            defaultValue = "16",
            description = "Output tokens when a request does not say.")
    private int defaultMaxTokens;

    @Option(names = "--stream-interval", defaultValue = "1", description = "Tokens of one stream chunk.")
    private int streamInterval;

    @Option(
            names = "--kv-port",
            defaultValue = "5557",
            description = "Event port of rank 0, rank r on +r; 0 = chosen by the system.")
    private int kvPort;

    @Option(
            names = "--replay-port",
            defaultValue = "5657",
            description = "Replay port of rank 0, rank r on +r; 0 = chosen by the system.")
    private int replayPort;

    @Option(names = "--kv-topic", defaultValue = "", description = "Topic of the events.")
    private String topic;

    @Option(names = "--buffer-steps", defaultValue = "10000", description = "Batches kept for replay.")
    private int bufferSteps;

    @Option(names = "--no-kv-events", description = "Publish no KV events.")
    private boolean noEvents;

    @Option(names = "--seed", defaultValue = "1", description = "Seed of ids and texts.")
    private long seed;

    @Override
    public Integer call() throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        try (SimulatedEngine engine =
                SimulatedEngine.start(config(), () -> Runtime.getRuntime().halt(KILLED))) {
            Runtime.getRuntime().addShutdownHook(new Thread(ended::countDown, "engine-shutdown"));
            System.out.printf(
                    Locale.ROOT,
                    "engine ready: url=%s model=%s blockSize=%d blocks=%d kvEvents=%s kvReplay=%s%n",
                    engine.url(),
                    model,
                    blockSize,
                    blocks,
                    engine.kvEndpoint(0),
                    engine.replayEndpoint(0));
            ended.await();
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            return CommandLine.ExitCode.USAGE;
        }
        return CommandLine.ExitCode.OK;
    }

    /** The configuration that the options say. */
    EngineConfig config() {
        EngineConfig.Events defaults = EngineConfig.Events.defaults();
        return new EngineConfig(
                host,
                port,
                model,
                adapters,
                dp,
                ioThreads,
                EngineConfig.defaults().maxBodyBytes(),
                defaultMaxTokens,
                streamInterval,
                seed,
                new EngineConfig.Cache(blockSize, blocks, algorithm(), hashSeed),
                new EngineConfig.Batching(maxNumSeqs, maxNumBatchedTokens, maxModelLen, speedup, decodeSpeedup),
                new EngineConfig.Events(
                        !noEvents, kvPort, replayPort, topic, bufferSteps, defaults.bufferBytes(), !digests));
    }

    private HashAlgorithm algorithm() {
        for (HashAlgorithm algorithm : HashAlgorithm.values()) {
            if (algorithm.vllmName().equals(hashAlgo)) {
                return algorithm;
            }
        }
        throw new IllegalArgumentException("hash is sha256_cbor or xxhash_cbor: --hash-algo=" + hashAlgo);
    }
}
