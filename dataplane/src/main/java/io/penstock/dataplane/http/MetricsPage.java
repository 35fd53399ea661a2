package io.penstock.dataplane.http;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.penstock.dataplane.ingest.FeedCounter;
import io.penstock.dataplane.ingest.FeedState;
import io.penstock.dataplane.ingest.FeedStatus;
import io.penstock.dataplane.metrics.Counter;
import io.penstock.dataplane.metrics.CounterFile;
import io.penstock.dataplane.pipeline.PipelineView;
import io.penstock.dataplane.pipeline.PipelineView.PoolFigures;
import io.penstock.dataplane.pipeline.PipelineView.SlotFigures;
import io.penstock.dataplane.tokens.PromptEncoder;
import io.penstock.dataplane.tokens.TokenCounts;
import io.penstock.dataplane.tokens.TokenSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * The text of {@code /metrics}: counters of the pipeline, figures per worker's rank, rings, indexes, event feeds, tokens,
 * and what the front counts into the same registry.
 *
 * <p>A worker whose {@code penstock_prediction_error} stays high while {@code penstock_overlap_trust} falls below 1 is one
 * about which index and engine disagree: alert on the trust.
 *
 * <p><b>Threading:</b> thread-safe; one text at a time is made.
 */
public final class MetricsPage implements Supplier<String> {
    private record PerSlot(MultiGauge gauge, ToDoubleFunction<SlotFigures> value) {}

    private record PerPool(MultiGauge gauge, ToDoubleFunction<PoolFigures> value) {}

    private record PerFeed(MultiGauge gauge, ToDoubleFunction<FeedStatus> value) {}

    private final PrometheusMeterRegistry registry;
    private final PipelineView view;
    private final IntFunction<String> modelNames;
    private final Supplier<List<FeedStatus>> feeds;
    private final List<PerSlot> perSlot = new ArrayList<>();
    private final List<PerFeed> perFeed = new ArrayList<>();
    private final MultiGauge ringUsed;
    private final MultiGauge ringCapacity;
    private final MultiGauge indexBlocks;
    private final MultiGauge indexCapacity;
    private final MultiGauge indexBytes;
    private final List<PerPool> perPool = new ArrayList<>();

    /** A page over these sources. */
    public MetricsPage(
            PrometheusMeterRegistry registry,
            CounterFile counters,
            PipelineView view,
            IntFunction<String> modelNames,
            Supplier<List<FeedStatus>> feeds,
            PromptEncoder encoder) {
        this.registry = registry;
        this.view = view;
        this.modelNames = modelNames;
        this.feeds = feeds;
        for (Counter counter : Counter.values()) {
            FunctionCounter.builder("penstock." + counter.metric(), counters, file -> file.value(counter))
                    .description(counter.label())
                    .register(registry);
        }
        Gauge.builder("penstock.degraded", view, v -> v.state() == PipelineView.State.NORMAL ? 0 : 1)
                .description("1 while requests are placed without the index")
                .register(registry);
        slots();
        feeds();
        pools();
        tokens(encoder);
        ringUsed = gauge("penstock.ring.used", "Slots of a ring in use");
        ringCapacity = gauge("penstock.ring.capacity", "Slots of a ring");
        indexBlocks = gauge("penstock.index.blocks", "Distinct blocks in the index");
        indexCapacity = gauge("penstock.index.capacity.blocks", "Blocks that the index has room for");
        indexBytes = gauge("penstock.index.used.bytes", "Bytes of the index in use");
    }

    private void slots() {
        slot("penstock.worker.active.requests", "Requests in flight", SlotFigures::activeRequests);
        slot("penstock.worker.prefill.tokens", "Prompt tokens waiting for prefill", SlotFigures::prefillTokens);
        slot("penstock.worker.decode.blocks", "Blocks of requests in flight", SlotFigures::decodeBlocks);
        slot("penstock.worker.device.blocks", "Blocks known on the device", SlotFigures::deviceBlocks);
        slot("penstock.worker.host.blocks", "Blocks known in host memory", SlotFigures::hostBlocks);
        slot("penstock.worker.disk.blocks", "Blocks known on disk", SlotFigures::diskBlocks);
        slot("penstock.worker.external.blocks", "Blocks known elsewhere", SlotFigures::externalBlocks);
        slot("penstock.predicted.cached.tokens", "Cached prompt tokens predicted", SlotFigures::predictedTokens);
        slot("penstock.actual.cached.tokens", "Cached prompt tokens reported by the engine", SlotFigures::actualTokens);
        slot("penstock.prediction.error", "Moving average of the error, 0 to 1", SlotFigures::predictionError);
        slot("penstock.overlap.trust", "Factor on the worker's overlap; below 1: alert", SlotFigures::trust);
    }

    private void slot(String name, String description, ToDoubleFunction<SlotFigures> value) {
        perSlot.add(new PerSlot(gauge(name, description), value));
    }

    private void feeds() {
        feed("penstock.feed.live", "1 while events are applied as they come", f -> f.state() == FeedState.LIVE ? 1 : 0);
        feed("penstock.feed.connected", "1 while the event socket is connected", f -> f.connected() ? 1 : 0);
        feed("penstock.feed.lag.ms", "Age of the last batch when it was applied", FeedStatus::lagMs);
        feed("penstock.feed.stalled.ms", "How long the pipeline has refused events", FeedStatus::stalledMs);
        for (FeedCounter counter : FeedCounter.values()) {
            String name = counter.name().toLowerCase(Locale.ROOT).replace('_', '.');
            feed("penstock.feed." + name, "Event feed: " + name.replace('.', ' '), f -> f.count(counter));
        }
    }

    private void feed(String name, String description, ToDoubleFunction<FeedStatus> value) {
        perFeed.add(new PerFeed(gauge(name, description), value));
    }

    private void pools() {
        pool("penstock.pool.counts", "1 while a shared pool's pages are credited", p -> p.counts() ? 1 : 0);
        pool("penstock.pool.pages", "Pages known in a shared pool", PoolFigures::pages);
        pool("penstock.pool.capacity.pages", "Pages that are remembered of a shared pool", PoolFigures::capacityPages);
        pool("penstock.pool.pages.evicted", "Pages given up because there was no room", PoolFigures::evicted);
        pool("penstock.pool.pages.expired", "Pages given up because nothing confirmed them", PoolFigures::expired);
        pool("penstock.pool.objects.stale", "Objects that listings showed to be gone", PoolFigures::stale);
    }

    private void pool(String name, String description, ToDoubleFunction<PoolFigures> value) {
        perPool.add(new PerPool(gauge(name, description), value));
    }

    private MultiGauge gauge(String name, String description) {
        return MultiGauge.builder(name).description(description).register(registry);
    }

    private void tokens(PromptEncoder encoder) {
        TokenCounts counts = encoder.counts();
        for (TokenSource source : TokenSource.values()) {
            FunctionCounter.builder("penstock.prompts", counts, c -> c.of(source))
                    .description("Prompts read, by where their tokens came from")
                    .tag("source", source.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
        count("penstock.prompts.refused", "Prompts refused: queue full", counts.refused);
        count("penstock.prompts.malformed", "Bodies without a prompt where the API keeps it", counts.malformed);
        count("penstock.prompts.unsupported", "Prompts with parts that cannot be tokenised here", counts.unsupported);
        count("penstock.template.errors", "Templates that failed on a conversation", counts.templateErrors);
        count("penstock.endpoint.errors", "Engine endpoints that gave no tokens", counts.endpointErrors);
        count("penstock.tokens.tokenised", "Tokens that went through the tokenizer", counts.tokenised);
        count("penstock.tokens.reused", "Tokens taken from a session's previous prompt", counts.reused);
        count("penstock.pages.hashed", "Pages of a shared pool whose keys were computed", counts.pagesHashed);
        count("penstock.pages.reused", "Pages whose keys a session's previous prompt had", counts.pagesReused);
        count("penstock.pages.unkeyed", "Prompts whose pages' keys cannot be told", counts.pagesUnkeyed);
        Gauge.builder("penstock.session.cache.bytes", encoder, PromptEncoder::sessionBytes)
                .description("Bytes kept of the sessions' last prompts and page keys")
                .register(registry);
    }

    private void count(String name, String description, LongAdder adder) {
        FunctionCounter.builder(name, adder, LongAdder::sum)
                .description(description)
                .register(registry);
    }

    @Override
    public synchronized String get() {
        List<SlotFigures> slots = view.slots();
        for (PerSlot each : perSlot) {
            each.gauge.register(
                    slots.stream()
                            .map(figures -> row(
                                    Tags.of("worker", figures.worker(), "dp_rank", "" + figures.dpRank()),
                                    each.value.applyAsDouble(figures)))
                            .toList(),
                    true);
        }
        List<FeedStatus> now = feeds.get();
        for (PerFeed each : perFeed) {
            each.gauge.register(
                    now.stream()
                            .map(feed -> row(
                                    Tags.of("worker", feed.worker(), "dp_rank", "" + feed.dpRank()),
                                    each.value.applyAsDouble(feed)))
                            .toList(),
                    true);
        }
        List<PoolFigures> pools = view.pools();
        for (PerPool each : perPool) {
            each.gauge.register(
                    pools.stream()
                            .map(pool -> row(Tags.of("pool", "" + pool.pool()), each.value.applyAsDouble(pool)))
                            .toList(),
                    true);
        }
        rings();
        indexes();
        return registry.scrape();
    }

    private void rings() {
        List<MultiGauge.Row<?>> used = new ArrayList<>();
        List<MultiGauge.Row<?>> capacity = new ArrayList<>();
        for (PipelineView.RingFigures ring : view.rings()) {
            used.add(row(Tags.of("ring", ring.name()), ring.used()));
            capacity.add(row(Tags.of("ring", ring.name()), ring.capacity()));
        }
        ringUsed.register(used, true);
        ringCapacity.register(capacity, true);
    }

    private void indexes() {
        List<MultiGauge.Row<?>> blocks = new ArrayList<>();
        List<MultiGauge.Row<?>> capacity = new ArrayList<>();
        List<MultiGauge.Row<?>> bytes = new ArrayList<>();
        for (PipelineView.IndexFigures index : view.indexes()) {
            Tags tags = Tags.of("model", modelNames.apply(index.model()), "block_size", "" + index.blockSize());
            blocks.add(row(tags, index.blocks()));
            capacity.add(row(tags, index.capacityBlocks()));
            bytes.add(row(tags, index.usedBytes()));
        }
        indexBlocks.register(blocks, true);
        indexCapacity.register(capacity, true);
        indexBytes.register(bytes, true);
    }

    private static MultiGauge.Row<?> row(Tags tags, double value) {
        return MultiGauge.Row.of(tags, value);
    }
}
