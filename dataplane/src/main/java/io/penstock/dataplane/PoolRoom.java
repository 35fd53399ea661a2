package io.penstock.dataplane;

import io.penstock.dataplane.pipeline.DecisionRecord;
import io.penstock.dataplane.pipeline.RouterPipeline;
import io.penstock.dataplane.pool.MooncakeAdmin;
import io.penstock.dataplane.pool.MooncakeStore;
import io.penstock.dataplane.pool.PoolConfig;
import io.penstock.dataplane.pool.PoolFeed;
import io.penstock.dataplane.pool.PoolFeedStatus;
import io.penstock.dataplane.pool.PoolLayouts;
import io.penstock.dataplane.pool.SharedPool;
import io.penstock.index.pool.PageIndex;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The engines' shared pool: what its master tells goes into the pipeline, pages that engines did not get are asked for, and
 * how it stands is shown. Nothing here is on the way of a request.
 *
 * <p>Made before the pipeline starts, since it hears the pipeline's decisions; told to follow the master after.
 *
 * <p><b>Threading:</b> thread-safe.
 */
final class PoolRoom implements AutoCloseable {
    private static final int MOST_SUSPECTS = 64;

    private final PoolLayouts layouts;
    private final MooncakeAdmin admin;
    private final SharedPool prober;
    private final Supplier<PoolFeed> feeds;
    private volatile PoolFeed feed;
    private final Supplier<List<String>> fileProblems;

    /**
     * Follows nothing yet.
     *
     * @param transport name of the ZeroMQ transport
     * @param fileProblems pools' files that cannot be opened, one line each
     * @throws IllegalArgumentException in one line, if the configuration cannot be had
     */
    PoolRoom(
            PoolConfig config,
            String transport,
            RouterPipeline pipeline,
            Supplier<List<String>> fileProblems,
            Consumer<Throwable> errors) {
        this.fileProblems = fileProblems;
        layouts = new PoolLayouts(config);
        admin = new MooncakeAdmin(config.adminUrl(), config.timeoutMs());
        prober = config.masterAddress().isEmpty()
                ? admin
                : new MooncakeStore(config.masterAddress(), config.timeoutMs());
        SharedPool asked = config.probesPerSecond() == 0 ? null : prober;
        feeds = () -> new PoolFeed(config, transport, admin, asked, pipeline.pools(), errors);
        pipeline.addConsumer("pool", (record, sequence, endOfBatch) -> suspect(record));
        pipeline.onReopened(this::relist);
    }

    /** Begins to follow the master. */
    void follow() {
        feed = feeds.get();
        layouts.follow(feed::layout);
    }

    /** The pipeline's new core holds nothing of any pool. */
    private void relist() {
        PoolFeed follows = feed;
        if (follows != null) {
            follows.relist();
        }
    }

    /** The first ones suffice: an engine stopped there. */
    private void suspect(DecisionRecord record) {
        for (int i = 0; i < Math.min(record.missed.pages, MOST_SUSPECTS); i++) {
            int page = record.missed.from + i;
            feed.suspect(record.missed.pool, record.missed.keys, page * PageIndex.KEY_WORDS);
        }
    }

    /** What is known of the engines' layouts. */
    PoolLayouts layouts() {
        return layouts;
    }

    /** The feed as of now. */
    PoolFeedStatus status() {
        return feed.status();
    }

    /** For {@code /health}. */
    Map<String, Object> details() {
        Map<String, Object> all = new LinkedHashMap<>(feed.status().details());
        all.put("probes", prober.describe());
        List<Map<String, Object>> models = new ArrayList<>();
        for (PoolLayouts.Status layout : layouts.status()) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("model", layout.model());
            entry.put("layout", layout.layout());
            entry.put("keyed", layout.keyed());
            entry.put("problem", layout.problem());
            models.add(entry);
        }
        all.put("layouts", models);
        return all;
    }

    /** For {@code /health}'s alerts. */
    List<String> alerts() {
        List<String> all = new ArrayList<>(fileProblems.get());
        String alert = feed.status().alert();
        if (alert != null) {
            all.add(alert);
        }
        for (PoolLayouts.Status layout : layouts.status()) {
            if (!layout.problem().isEmpty()) {
                all.add("shared pool: model=" + layout.model() + " (" + layout.problem() + ")");
            }
        }
        return all;
    }

    /** The feed ends before its sources do. */
    @Override
    public void close() {
        if (feed != null) {
            feed.close();
        }
        prober.close();
        if (admin != prober) {
            admin.close();
        }
    }
}
