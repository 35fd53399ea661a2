package io.penstock.dataplane.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One data-parallel rank in real time: a thread that owns a pool and a scheduler, sleeps through each pass, and hands
 * out its tokens and events at the end.
 *
 * <p>Everything from outside comes as a command between two passes. While passes follow each other, one begins where
 * the last was planned to end, so that
 * waking late does not add up.
 *
 * <p><b>Threading:</b> the engine thread owns the state; {@link #submit}, {@link #cancel}, {@link #resetPrefixCache}
 * and {@link #restart} are thread-safe.
 */
final class EngineRank implements AutoCloseable {
    /** A thread that is further behind than this starts its next pass now instead of catching up. */
    private static final long CATCH_UP_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final int rank;
    private final EngineConfig config;
    private final KvPublisher publisher;
    private final ConcurrentLinkedQueue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final List<Delivery> deliveries = new ArrayList<>();
    private final Thread thread;
    private volatile EngineStats stats;
    private volatile BlockHasher hasher;
    private volatile boolean idle;
    private volatile boolean closing;
    private BlockPool pool;
    private KvEventPacker packer;
    private Scheduler scheduler;

    /** Work for an HTTP loop, collected until the pass's end so that each loop wakes once. */
    private record Delivery(Executor loop, Runnable work) {}

    /**
     * @param config engine
     * @param rank which rank
     * @param publisher its event stream, null where events are off
     */
    EngineRank(EngineConfig config, int rank, KvPublisher publisher) {
        this.config = config;
        this.rank = rank;
        this.publisher = publisher;
        bringUp();
        thread = Thread.ofPlatform().daemon().name("engine-rank-" + rank).unstarted(this::run);
        thread.start();
    }

    EngineStats stats() {
        return stats;
    }

    /** The event stream, null where events are off. */
    KvPublisher publisher() {
        return publisher;
    }

    /** Block hash of this life. */
    BlockHasher hasher() {
        return hasher;
    }

    /** Requests here, weighted as vLLM's data-parallel balancer does. */
    int load() {
        return 4 * stats.waiting() + stats.running();
    }

    void submit(Sequence sequence) {
        command(() -> scheduler.submit(sequence, System.nanoTime()));
    }

    void cancel(Sequence sequence) {
        command(() -> scheduler.cancel(sequence, FinishReason.ABORT));
    }

    /** Forgets the cache; answers false while sequences hold blocks. The event goes out with the next pass. */
    CompletableFuture<Boolean> resetPrefixCache() {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        command(() -> answer.complete(scheduler.resetPrefixCache()));
        return answer;
    }

    /** A new life: requests fail, the cache is empty, events count from 0. */
    CompletableFuture<Void> restart() {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        command(() -> {
            scheduler.cancelAll(FinishReason.ERROR);
            if (publisher != null) {
                publisher.restart();
            }
            bringUp();
            answer.complete(null);
        });
        return answer;
    }

    /** Runs work on an HTTP loop after the pass. Called by the engine thread. */
    void deliver(Executor loop, Runnable work) {
        deliveries.add(new Delivery(loop, work));
    }

    private void bringUp() {
        EngineConfig.Cache cache = config.cache();
        int digestBytes = cache.hashAlgorithm().digestBytes();
        boolean intHashes = config.events().intHashes();
        hasher = new BlockHasher(cache.hashAlgorithm(), cache.hashSeed(), cache.blockSize());
        packer = new KvEventPacker(cache.blockSize(), intHashes, digestBytes);
        KvEventSink sink = publisher == null ? KvEventSink.NONE : packer;
        pool = new BlockPool(cache.blocks(), intHashes ? 0 : digestBytes, sink);
        stats = new EngineStats();
        scheduler = new Scheduler(config, pool, sink, stats);
        stats.queues(0, 0, 0, pool.usable());
    }

    private void command(Runnable command) {
        commands.add(command);
        if (idle) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        long start = System.nanoTime();
        while (!closing) {
            runCommands();
            if (!scheduler.hasWork()) {
                deliverAll();
                waitForCommand();
                start = System.nanoTime();
                continue;
            }
            long end = start + scheduler.beginPass(start);
            deliverAll();
            sleepUntil(end);
            scheduler.endPass(end);
            publish();
            deliverAll();
            start = System.nanoTime() - end > CATCH_UP_NS ? System.nanoTime() : end;
        }
        scheduler.cancelAll(FinishReason.ERROR);
        deliverAll();
        if (publisher != null) {
            publisher.close();
        }
    }

    private void runCommands() {
        for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
            command.run();
        }
    }

    private void waitForCommand() {
        // Pairs with command(): it adds, then reads idle; this thread sets idle, then looks once more.
        idle = true;
        while (commands.isEmpty() && !closing) {
            LockSupport.park(this);
        }
        idle = false;
    }

    private void sleepUntil(long deadlineNs) {
        for (long left = deadlineNs - System.nanoTime(); left > 0 && !closing; left = deadlineNs - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
    }

    private void publish() {
        if (publisher != null && packer.count() > 0) {
            publisher.publish(packer.finish(System.currentTimeMillis() / 1e3, rank));
        }
    }

    private void deliverAll() {
        if (deliveries.isEmpty()) {
            return;
        }
        List<Delivery> batch = List.copyOf(deliveries);
        deliveries.clear();
        for (int i = 0; i < batch.size(); i++) {
            Executor loop = batch.get(i).loop();
            if (firstOf(batch, i, loop)) {
                loop.execute(() -> batch.stream()
                        .filter(d -> d.loop() == loop)
                        .forEach(d -> d.work().run()));
            }
        }
    }

    private static boolean firstOf(List<Delivery> batch, int i, Executor loop) {
        for (int j = 0; j < i; j++) {
            if (batch.get(j).loop() == loop) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
