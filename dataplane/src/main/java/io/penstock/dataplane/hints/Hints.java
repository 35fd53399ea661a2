package io.penstock.dataplane.hints;

import io.penstock.dataplane.metrics.Counting;
import io.penstock.dataplane.pipeline.RouterPipeline;
import io.penstock.dataplane.workers.HintSite;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The router's hints: the follower of decisions, the thread that sends, what the front asks. Without NIXL, hints by
 * notification are undelivered and counted, and {@link #problem} says why; hints in requests go on.
 *
 * <p><b>Threading:</b> made and closed by one thread; {@link #requests} and {@link #problem} from any.
 */
public final class Hints implements AutoCloseable {
    private static final long NS_PER_MS = 1_000_000;

    private final HintSender sender;
    private final NixlHints wire;
    private final RequestHints requests;

    private Hints(HintSender sender, NixlHints wire, RequestHints requests) {
        this.sender = sender;
        this.wire = wire;
        this.requests = requests;
    }

    /**
     * Follows the pipeline, which has not started yet.
     *
     * @param expected parts of the workers that are known already: those with a NIXL agent are met at once, others with their
     *     first hint
     * @param indexes where the engines' names of blocks come from
     */
    public static Hints follow(
            HintsConfig config,
            RouterPipeline pipeline,
            IndexReaders indexes,
            List<HintSite> expected,
            Counting counters,
            Consumer<Throwable> errors) {
        if (!config.enabled()) {
            return new Hints(null, null, RequestHints.NONE);
        }
        String prefix = config.agent() + "-" + Long.toHexString(System.currentTimeMillis());
        HintLog log = new HintLog(counters, pipeline.requests());
        AtomicLong numbers = new AtomicLong();
        NixlHints wire = new NixlHints(
                config, expected.stream().filter(site -> site.agent() != null).toList(), errors);
        HintQueue queue = new HintQueue(config.queue());
        HintSender sender = new HintSender(
                queue,
                new FetchHints(log, indexes, config.maxBlocks(), prefix, numbers),
                wire,
                new PendingHints(log, config.queue(), config.answerTimeoutMs() * NS_PER_MS),
                log,
                prefix,
                errors);
        pipeline.addConsumer("hints", new HintFollower(queue, log, sender::wake));
        sender.start();
        return new Hints(
                sender,
                wire,
                new HintsInRequests(
                        () -> new FetchHints(log, indexes, config.maxBlocks(), prefix, numbers), log, errors));
    }

    /** Hints that travel in requests. */
    public RequestHints requests() {
        return requests;
    }

    /** Why hints by notification cannot be sent, in one line, or null. */
    public String problem() {
        return wire == null ? null : wire.problem();
    }

    @Override
    public void close() {
        if (sender != null) {
            sender.close();
            wire.close();
        }
    }
}
