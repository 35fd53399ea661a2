package io.penstock.dataplane;

import io.penstock.dataplane.http.FleetAdmin;
import io.penstock.dataplane.ingest.EventIngest;
import io.penstock.dataplane.ingest.FeedStatus;
import io.penstock.dataplane.pipeline.PipelineView.SlotFigures;
import io.penstock.dataplane.pipeline.RouterPipeline;
import io.penstock.dataplane.routing.BusyThresholds;
import io.penstock.dataplane.workers.Fleet;
import io.penstock.dataplane.workers.Models;
import io.penstock.dataplane.workers.WorkerSpec;
import io.penstock.dataplane.workers.WorkerStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * What the admin port asks of fleet and core.
 *
 * <p><b>Threading:</b> thread-safe.
 */
final class RouterAdmin implements FleetAdmin {
    private static final long AGAIN_NS = 1_000_000;

    private final Fleet fleet;
    private final RouterPipeline pipeline;
    private final EventIngest ingest;
    private final BusyThresholds configured;
    private final Map<String, BusyThresholds> changed = new ConcurrentHashMap<>();

    RouterAdmin(Fleet fleet, RouterPipeline pipeline, EventIngest ingest, BusyThresholds configured) {
        this.fleet = fleet;
        this.pipeline = pipeline;
        this.ingest = ingest;
        this.configured = configured;
    }

    @Override
    public List<Map<String, Object>> workers() {
        Map<Integer, FeedStatus> feeds = new LinkedHashMap<>();
        ingest.status().forEach(feed -> feeds.put(feed.slot(), feed));
        List<SlotFigures> slots = pipeline.view().slots();
        List<Map<String, Object>> out = new ArrayList<>();
        for (WorkerStatus worker : fleet.list()) {
            out.add(worker(worker, slots, feeds));
        }
        return out;
    }

    private static Map<String, Object> worker(
            WorkerStatus worker, List<SlotFigures> slots, Map<Integer, FeedStatus> feeds) {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("name", worker.name());
        out.put("url", worker.url());
        out.put("model", worker.model());
        out.put("engine", worker.engine());
        out.put("state", worker.state().name().toLowerCase(Locale.ROOT));
        out.put("blockSize", worker.blockSize());
        out.put("kvEvents", worker.kvEvents());
        out.put("adapters", worker.adapters());
        out.put("taints", worker.taints());
        out.put("problem", worker.problem());
        List<Map<String, Object>> ranks = new ArrayList<>();
        for (SlotFigures slot : slots) {
            if (worker.slots().contains(slot.slot())) {
                ranks.add(rank(slot, feeds.get(slot.slot())));
            }
        }
        out.put("ranks", ranks);
        return out;
    }

    private static Map<String, Object> rank(SlotFigures slot, FeedStatus feed) {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("dpRank", slot.dpRank());
        out.put("slot", slot.slot());
        out.put("state", slot.state().name().toLowerCase(Locale.ROOT));
        out.put("activeRequests", slot.activeRequests());
        out.put("prefillTokens", slot.prefillTokens());
        out.put("decodeBlocks", slot.decodeBlocks());
        out.put(
                "blocks",
                Map.of(
                        "device", slot.deviceBlocks(),
                        "host", slot.hostBlocks(),
                        "disk", slot.diskBlocks(),
                        "external", slot.externalBlocks()));
        out.put("predictedCachedTokens", slot.predictedTokens());
        out.put("actualCachedTokens", slot.actualTokens());
        out.put("predictionError", slot.predictionError());
        out.put("trust", slot.trust());
        if (feed != null) {
            out.put(
                    "events",
                    Map.of(
                            "state", feed.state().name().toLowerCase(Locale.ROOT),
                            "connected", feed.connected(),
                            "lastSequence", feed.lastSequence(),
                            "lagMs", feed.lagMs(),
                            "stalledMs", feed.stalledMs()));
        }
        return out;
    }

    @Override
    public void add(WorkerSpec spec) {
        fleet.add(spec);
    }

    @Override
    public boolean drain(String worker) {
        return fleet.drain(worker);
    }

    @Override
    public boolean remove(String worker) {
        return fleet.remove(worker);
    }

    @Override
    public boolean busyThresholds(String model, BusyThresholds thresholds) {
        if (model == null) {
            fleet.models().names().forEach(each -> set(each, thresholds));
            return true;
        }
        return set(model, thresholds);
    }

    private boolean set(String model, BusyThresholds thresholds) {
        Models.Target target = fleet.models().resolve(model);
        if (target == null) {
            return false;
        }
        while (!pipeline.membership().setBusyThresholds(target.model(), thresholds)) {
            LockSupport.parkNanos(AGAIN_NS); // the event ring is full
        }
        changed.put(target.name(), thresholds);
        return true;
    }

    @Override
    public Map<String, BusyThresholds> busyThresholds() {
        Map<String, BusyThresholds> out = new LinkedHashMap<>();
        for (String model : fleet.models().names()) {
            Models.Target target = fleet.models().resolve(model);
            if (target != null) {
                out.put(target.name(), changed.getOrDefault(target.name(), configured));
            }
        }
        return out;
    }
}
