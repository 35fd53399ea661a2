package io.penstock.dataplane.engine;

import java.util.List;

/**
 * Everything a simulated engine can be told.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param host address to bind, HTTP and ZMQ alike; {@code 0.0.0.0} for all
 * @param port HTTP port, 0 = chosen by the system
 * @param model served model name
 * @param adapters LoRA adapters served beside it, {@code name} or {@code name=path}
 * @param dpSize data-parallel ranks, each with a pool, a scheduler and an event stream of its own
 * @param ioThreads HTTP event loops
 * @param maxBodyBytes largest request body
 * @param defaultMaxTokens output tokens when a request does not say
 * @param streamInterval tokens of one stream chunk (vLLM's {@code --stream-interval})
 * @param seed seed of ids and texts
 * @param cache block pool and hashes
 * @param batching scheduler limits and speed
 * @param events KV events
 */
public record EngineConfig(
        String host,
        int port,
        String model,
        List<String> adapters,
        int dpSize,
        int ioThreads,
        int maxBodyBytes,
        int defaultMaxTokens,
        int streamInterval,
        long seed,
        Cache cache,
        Batching batching,
        Events events) {

    /** Checks ranges and fills what was left out. */
    public EngineConfig {
        requireThat(host != null && !host.isBlank(), "engine host is empty: host=", host);
        requireThat(port >= 0 && port < 65536, "engine port is no port: port=", port);
        requireThat(model != null && !model.isBlank(), "engine model is empty: model=", model);
        requireThat(dpSize >= 1 && dpSize <= 64, "ranks must be 1 to 64: dpSize=", dpSize);
        requireThat(ioThreads >= 1 && ioThreads <= 64, "event loops must be 1 to 64: ioThreads=", ioThreads);
        requireThat(maxBodyBytes >= 1024, "bodies need at least 1024 bytes: maxBodyBytes=", maxBodyBytes);
        requireThat(defaultMaxTokens >= 1, "output tokens must be positive: defaultMaxTokens=", defaultMaxTokens);
        requireThat(streamInterval >= 1, "a stream chunk holds at least one token: streamInterval=", streamInterval);
        adapters = adapters == null ? List.of() : List.copyOf(adapters);
        cache = cache == null ? Cache.defaults() : cache;
        batching = batching == null ? Batching.defaults() : batching;
        events = events == null ? Events.defaults() : events;
        requireThat(
                batching.maxModelLen() <= cache.usableTokens(),
                "the pool cannot hold one sequence of full length: maxModelLen=",
                batching.maxModelLen());
    }

    /**
     * Block pool.
     *
     * @param blockSize tokens of a block
     * @param blocks physical blocks; one of them is the reserved null block
     * @param hashAlgorithm block hash
     * @param hashSeed seed of the root hash (vLLM: PYTHONHASHSEED), empty for the algorithm's own rule
     */
    public record Cache(int blockSize, int blocks, HashAlgorithm hashAlgorithm, String hashSeed) {
        /** Checks ranges. */
        public Cache {
            requireThat(
                    blockSize >= 1 && blockSize <= 4096, "tokens of a block must be 1 to 4096: blockSize=", blockSize);
            requireThat(blocks >= 2, "one block is reserved, at least 2 are needed: blocks=", blocks);
            hashAlgorithm = hashAlgorithm == null ? HashAlgorithm.SHA256_CBOR : hashAlgorithm;
            hashSeed = hashSeed == null ? "" : hashSeed;
        }

        /** vLLM's block of 16 tokens, 16,384 blocks. */
        public static Cache defaults() {
            return new Cache(16, 16_384, HashAlgorithm.SHA256_CBOR, "");
        }

        /** Tokens that can be held at once. */
        public int usableTokens() {
            return (int) Math.min(Integer.MAX_VALUE, (blocks - 1L) * blockSize);
        }
    }

    /**
     * Scheduler limits and speed.
     *
     * @param maxNumSeqs requests in one pass
     * @param maxNumBatchedTokens tokens in one pass
     * @param maxModelLen longest sequence in tokens, 0 = what the pool holds
     * @param speedup factor by which time runs faster
     * @param decodeSpeedup further factor for decode
     */
    public record Batching(
            int maxNumSeqs, int maxNumBatchedTokens, int maxModelLen, double speedup, double decodeSpeedup) {
        /** Checks ranges. */
        public Batching {
            requireThat(maxNumSeqs >= 1, "a pass needs at least one request: maxNumSeqs=", maxNumSeqs);
            requireThat(
                    maxNumBatchedTokens >= 1,
                    "a pass needs at least one token: maxNumBatchedTokens=",
                    maxNumBatchedTokens);
            requireThat(maxModelLen >= 0, "a length cannot be negative: maxModelLen=", maxModelLen);
            requireThat(speedup > 0 && speedup <= 1e6, "speed-up must be above 0, at most 1e6: speedup=", speedup);
            requireThat(
                    decodeSpeedup > 0 && decodeSpeedup <= 1e6,
                    "speed-up must be above 0, at most 1e6: decodeSpeedup=",
                    decodeSpeedup);
        }

        /** vLLM's limits, real time. */
        public static Batching defaults() {
            return new Batching(256, 8192, 0, 1.0, 1.0);
        }
    }

    /**
     * KV events.
     *
     * @param enabled whether they are published
     * @param kvPort PUB port of rank 0, rank r on +r; 0 = chosen by the system, one by one
     * @param replayPort ROUTER port of rank 0, rank r on +r; 0 = chosen by the system
     * @param topic topic frame
     * @param bufferSteps batches kept for replay
     * @param bufferBytes bytes kept for replay by one rank, the older batches go first (vLLM has no such bound)
     * @param intHashes hashes as 64-bit integers (vLLM's default) instead of full digests
     */
    public record Events(
            boolean enabled,
            int kvPort,
            int replayPort,
            String topic,
            int bufferSteps,
            long bufferBytes,
            boolean intHashes) {
        /** Checks ranges. */
        public Events {
            requireThat(kvPort >= 0 && kvPort < 65536, "kv event port is no port: kvPort=", kvPort);
            requireThat(replayPort >= 0 && replayPort < 65536, "replay port is no port: replayPort=", replayPort);
            requireThat(bufferSteps >= 1, "replay needs at least one batch: bufferSteps=", bufferSteps);
            requireThat(bufferBytes >= 1024, "replay needs at least 1024 bytes: bufferBytes=", bufferBytes);
            topic = topic == null ? "" : topic;
        }

        /** vLLM's 10,000 batches on ports chosen by the system, at most 32 MiB. */
        public static Events defaults() {
            return new Events(true, 0, 0, "", 10_000, 32L << 20, true);
        }
    }

    /** One rank on loopback, ports chosen by the system. */
    public static EngineConfig defaults() {
        return new EngineConfig(
                "127.0.0.1",
                0,
                "sim",
                List.of(),
                1,
                1,
                64 << 20,
                16,
                1,
                1,
                Cache.defaults(),
                Batching.defaults(),
                Events.defaults());
    }

    /** The same with another HTTP port. */
    public EngineConfig withPort(int newPort) {
        return new EngineConfig(
                host,
                newPort,
                model,
                adapters,
                dpSize,
                ioThreads,
                maxBodyBytes,
                defaultMaxTokens,
                streamInterval,
                seed,
                cache,
                batching,
                events);
    }

    /** The same with another model and its adapters. */
    public EngineConfig withModel(String newModel, List<String> newAdapters) {
        return new EngineConfig(
                host,
                port,
                newModel,
                newAdapters,
                dpSize,
                ioThreads,
                maxBodyBytes,
                defaultMaxTokens,
                streamInterval,
                seed,
                cache,
                batching,
                events);
    }

    /** The same with another number of ranks. */
    public EngineConfig withDpSize(int ranks) {
        return new EngineConfig(
                host,
                port,
                model,
                adapters,
                ranks,
                ioThreads,
                maxBodyBytes,
                defaultMaxTokens,
                streamInterval,
                seed,
                cache,
                batching,
                events);
    }

    /** The same with another pool of blocks. */
    public EngineConfig withBlocks(int blockSize, int blocks) {
        return withCache(new Cache(blockSize, blocks, cache.hashAlgorithm(), cache.hashSeed()));
    }

    /** The same with another cache. */
    public EngineConfig withCache(Cache newCache) {
        return new EngineConfig(
                host,
                port,
                model,
                adapters,
                dpSize,
                ioThreads,
                maxBodyBytes,
                defaultMaxTokens,
                streamInterval,
                seed,
                newCache,
                batching,
                events);
    }

    /** The same at another speed. */
    public EngineConfig withSpeedup(double speedup) {
        return withBatching(new Batching(
                batching.maxNumSeqs(),
                batching.maxNumBatchedTokens(),
                batching.maxModelLen(),
                speedup,
                batching.decodeSpeedup()));
    }

    /** The same with other scheduler limits. */
    public EngineConfig withBatching(Batching newBatching) {
        return new EngineConfig(
                host,
                port,
                model,
                adapters,
                dpSize,
                ioThreads,
                maxBodyBytes,
                defaultMaxTokens,
                streamInterval,
                seed,
                cache,
                newBatching,
                events);
    }

    /** The same with other KV events. */
    public EngineConfig withEvents(Events newEvents) {
        return new EngineConfig(
                host,
                port,
                model,
                adapters,
                dpSize,
                ioThreads,
                maxBodyBytes,
                defaultMaxTokens,
                streamInterval,
                seed,
                cache,
                batching,
                newEvents);
    }

    /** Longest sequence in tokens. */
    public int maxModelLen() {
        return batching.maxModelLen() == 0 ? cache.usableTokens() : batching.maxModelLen();
    }

    private static void requireThat(boolean good, String complaint, Object value) {
        if (!good) {
            throw new IllegalArgumentException(complaint + value);
        }
    }
}
