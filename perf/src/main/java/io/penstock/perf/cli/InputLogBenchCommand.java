package io.penstock.perf.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.dataplane.core.CoreConfig;
import io.penstock.dataplane.inputlog.Explainer;
import io.penstock.dataplane.inputlog.InputLog;
import io.penstock.dataplane.inputlog.InputLogConfig;
import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.metrics.CounterFile;
import io.penstock.dataplane.pipeline.BlockBuffer;
import io.penstock.dataplane.pipeline.PipelineConfig;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.pipeline.RouterPipeline;
import io.penstock.dataplane.pipeline.SlotPosition;
import io.penstock.dataplane.pipeline.WorkerAddition;
import io.penstock.dataplane.pipeline.WorkerReply;
import io.penstock.dataplane.routing.RoutingConfig;
import io.penstock.dataplane.workers.WorkerEndpoint;
import io.penstock.index.ChainHash;
import io.penstock.index.IndexConfig;
import io.penstock.index.OffHeapIndex;
import io.penstock.index.Tier;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * What the input log costs: a pipeline with an index file is given KV events at a rate of blocks, half stored and half removed,
 * and requests; then what was decided is decided again. Besides, the time that logging one event takes by itself.
 *
 * <p><b>Threading:</b> main thread feeds.
 */
@Command(
        name = "inputlog",
        description = "Feeds a recorded core at a rate of blocks; bytes a second, cost an event, stop of a checkpoint.",
        mixinStandardHelpOptions = true)
final class InputLogBenchCommand implements Callable<Integer> {
    private static final int BLOCK = 16;
    private static final int PREFIX = 256;
    private static final int EVENTS = 200_000;
    private static final int CHECKPOINTS = 9;

    @Option(names = "--rate", paramLabel = "N", description = "Blocks a second. Default: ${DEFAULT-VALUE}.")
    private int rate = 100_000;

    @Option(names = "--event", paramLabel = "N", description = "Blocks an event, 1 to 256. Default: ${DEFAULT-VALUE}.")
    private int event = 32;

    @Option(names = "--requests", paramLabel = "N", description = "Requests a second. Default: ${DEFAULT-VALUE}.")
    private int requestRate = 50;

    @Option(names = "--blocks", paramLabel = "N", description = "Blocks of a prompt. Default: ${DEFAULT-VALUE}.")
    private int promptBlocks = 2_048;

    @Option(names = "--seconds", paramLabel = "N", description = "How long. Default: ${DEFAULT-VALUE}.")
    private int seconds = 10;

    @Option(names = "--workers", paramLabel = "N", description = "Workers. Default: ${DEFAULT-VALUE}.")
    private int workers = 16;

    @Option(names = "--folder", paramLabel = "DIR", description = "Where; default: a temporary folder.")
    private Path folder;

    @Option(names = "--json", description = "Prints one object as the last line.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    private final Map<String, Object> result = new LinkedHashMap<>();
    private final Map<Integer, Integer> slots = new ConcurrentHashMap<>();

    @Override
    public Integer call() throws IOException {
        if (event < 1 || event > PREFIX || rate < 1 || seconds < 1 || workers < 1 || promptBlocks < 1) {
            throw new IllegalArgumentException("out of range: --event=" + event + ", --rate=" + rate + ", --seconds="
                    + seconds + ", --workers=" + workers + ", --blocks=" + promptBlocks);
        }
        Path in = folder == null ? Files.createTempDirectory("penstock-inputlog") : folder;
        boolean whole;
        try (CounterFile counters = CounterFile.create(in.resolve("counters.dat"))) {
            fed(in, counters);
            whole = again(in.resolve("log"));
            appended(in, counters);
        }
        PrintWriter out = spec.commandLine().getOut();
        result.forEach((name, value) -> out.printf(Locale.ROOT, "%-28s %14s%n", name, value));
        if (json) {
            out.println(new ObjectMapper().writeValueAsString(result));
        }
        out.flush();
        return whole ? 0 : 1;
    }

    private InputLog open(Path log, CounterFile counters) {
        InputLogConfig config = new InputLogConfig(true, "", 64, 256, 10, 16_384, 24);
        return InputLog.open(config, log, CoreConfig.defaults(), RoutingConfig.defaults(), counters, counters::error);
    }

    private void fed(Path in, CounterFile counters) {
        try (InputLog log = open(in.resolve("log"), counters);
                RouterPipeline pipeline = new RouterPipeline(
                        PipelineConfig.defaults(),
                        CoreConfig.defaults(),
                        RoutingConfig.defaults(),
                        (model, blockSize) -> OffHeapIndex.open(
                                new IndexConfig(in.resolve("index.pst"), blockSize, 1 << 20, 1 << 22, 4_096)),
                        counters,
                        log.tap(),
                        counters::error)) {
            pipeline.start();
            join(pipeline);
            feed(pipeline, 2);
            long bytes = counters.value(Counter.INPUT_LOG_BYTES);
            long routed = counters.value(Counter.REQUESTS_ROUTED);
            long begin = System.nanoTime();
            long blocks = feed(pipeline, seconds);
            double took = (System.nanoTime() - begin) / 1e9;
            double written = counters.value(Counter.INPUT_LOG_BYTES) - bytes;
            result.put("blocksPerSecond", Math.round(blocks / took));
            result.put("requestsPerSecond", Math.round((counters.value(Counter.REQUESTS_ROUTED) - routed) / took));
            result.put("bytesPerSecond", Math.round(written / took));
            result.put("bytesPerBlock", Math.round(100 * written / blocks) / 100.0);
            result.put("recordsDropped", counters.value(Counter.INPUT_LOG_DROPPED));
            stops(log, counters);
        }
    }

    private void stops(InputLog log, CounterFile counters) {
        double[] stops = new double[CHECKPOINTS];
        for (int i = 0; i < stops.length; i++) {
            long taken = counters.value(Counter.INPUT_LOG_CHECKPOINTS);
            log.checkpoint();
            long end = System.nanoTime() + 20_000_000_000L;
            while (counters.value(Counter.INPUT_LOG_CHECKPOINTS) == taken) {
                if (System.nanoTime() > end) {
                    throw new IllegalStateException("no checkpoint within twenty seconds");
                }
                LockSupport.parkNanos(1_000_000);
            }
            stops[i] = Math.round(log.checkpointStopNs() / 1e4) / 100.0;
        }
        result.put("checkpointStopFirstMs", stops[0]);
        Arrays.sort(stops);
        result.put("checkpointStopMs", stops[stops.length / 2]);
        result.put("checkpointStopWorstMs", stops[stops.length - 1]);
    }

    private void join(RouterPipeline pipeline) {
        for (int worker = 0; worker < workers; worker++) {
            String name = "w" + worker;
            pipeline.membership()
                    .addWorker(new WorkerAddition(
                            worker,
                            name,
                            0,
                            BLOCK,
                            true,
                            List.of(new WorkerEndpoint(-1, name, 0, 1, "127.0.0.1", 8_000, "")),
                            List.of(),
                            0,
                            0,
                            0,
                            new Slots()));
        }
        while (slots.size() < workers) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private final class Slots implements WorkerReply {
        @Override
        public void added(int workerNumber, List<SlotPosition> ranks) {
            slots.put(workerNumber, ranks.getFirst().slot());
        }

        @Override
        public void refused(int workerNumber, String why) {
            throw new IllegalStateException(why);
        }
    }

    /** Events and requests at their rates; answers the blocks offered. */
    private long feed(RouterPipeline pipeline, int forSeconds) {
        SplittableRandom random = new SplittableRandom(1);
        long begin = System.nanoTime();
        long most = (long) rate * forSeconds;
        long blocks = 0;
        long requests = 0;
        long number = 0;
        while (blocks < most) {
            double at = (System.nanoTime() - begin) / 1e9;
            if (requests < at * requestRate) {
                pipeline.requests().route(request(random.nextInt(500)));
                requests++;
            } else if (blocks < at * rate) {
                blocks += offer(pipeline, number++);
            } else {
                LockSupport.parkNanos(100_000);
            }
        }
        return blocks;
    }

    /** The next event: a prefix is stored event by event, and removed once two hundred others were. */
    private int offer(RouterPipeline pipeline, long number) {
        int perPrefix = PREFIX / event;
        long prefix = number / 2 / perPrefix;
        boolean store = number % 2 == 0;
        int from = (int) (number / 2 % perPrefix) * event;
        long of = store ? prefix : prefix - 200;
        int slot = slots.get(Math.floorMod(of, workers));
        long[] locals = locals(of);
        long[] chain = chain(locals);
        BlockBuffer buffer = pipeline.events().acquire(event);
        while (buffer == null) {
            LockSupport.parkNanos(10_000);
            buffer = pipeline.events().acquire(event);
        }
        System.arraycopy(chain, from, buffer.engineHashes, 0, event);
        System.arraycopy(locals, from, buffer.localHashes, 0, event);
        buffer.count = event;
        while (!(store
                ? pipeline.events().stored(slot, Tier.DEVICE, from == 0, from == 0 ? 0 : chain[from - 1], buffer)
                : pipeline.events().removed(slot, Tier.DEVICE, buffer))) {
            LockSupport.parkNanos(10_000);
        }
        while (!pipeline.events().batchEnd(slot, number, 0, 0)) {
            LockSupport.parkNanos(10_000);
        }
        return event;
    }

    private static long[] locals(long prefix) {
        SplittableRandom random = new SplittableRandom(prefix);
        long[] locals = new long[PREFIX];
        Arrays.setAll(locals, i -> random.nextLong());
        return locals;
    }

    private static long[] chain(long[] locals) {
        long[] chain = locals.clone();
        for (int i = 1; i < chain.length; i++) {
            chain[i] = ChainHash.next(chain[i - 1], locals[i]);
        }
        return chain;
    }

    private RouteRequest request(long prefix) {
        RouteRequest request = new RouteRequest(answered -> {});
        long[] known = chain(locals(prefix));
        long[] hashes = Arrays.copyOf(known, promptBlocks);
        for (int i = known.length; i < promptBlocks; i++) {
            hashes[i] = ChainHash.next(hashes[i - 1], i);
        }
        request.addHashing(BLOCK, hashes, promptBlocks);
        request.promptTokens = promptBlocks * BLOCK;
        return request;
    }

    private boolean again(Path log) throws IOException {
        long begin = System.nanoTime();
        Explainer.Verified verified = new Explainer(log).verify();
        result.put("decisionsAgain", verified.decisions());
        result.put("decisionsEqual", verified.equal());
        result.put("replaySeconds", Math.round((System.nanoTime() - begin) / 1e7) / 100.0);
        return verified.decisions() == verified.equal() && verified.decisions() > 0;
    }

    /** What the core waits for: one stored event into the log, at the rate. */
    private void appended(Path in, CounterFile counters) {
        try (InputLog log = open(in.resolve("append"), counters)) {
            BlockBuffer buffer = new io.penstock.dataplane.pipeline.BlockBuffers().acquire(event);
            System.arraycopy(locals(1), 0, buffer.engineHashes, 0, event);
            buffer.count = event;
            long[] took = new long[EVENTS];
            long seq = log.tap().firstSeq();
            for (int round = 0; round < 2; round++) {
                long next = System.nanoTime();
                for (int i = 0; i < EVENTS; i++) {
                    // Four times the rate, so that this does not take all day.
                    next += (long) (1e9 * event / rate / 4);
                    while (System.nanoTime() < next) {
                        Thread.onSpinWait();
                    }
                    long begin = System.nanoTime();
                    log.tap().stored(seq++, begin, 1, Tier.DEVICE, true, 0, buffer, 2_048);
                    took[i] = System.nanoTime() - begin;
                }
            }
            Arrays.sort(took);
            result.put("appendP50Ns", took[EVENTS / 2]);
            result.put("appendP99Ns", took[EVENTS / 100 * 99]);
            result.put("appendMaxNs", took[EVENTS - 1]);
        }
    }
}
