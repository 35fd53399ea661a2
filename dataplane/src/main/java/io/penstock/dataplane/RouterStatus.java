package io.penstock.dataplane;

import io.penstock.dataplane.hints.Hints;
import io.penstock.dataplane.http.RouterHealth;
import io.penstock.dataplane.ingest.EventIngest;
import io.penstock.dataplane.ingest.FeedState;
import io.penstock.dataplane.ingest.FeedStatus;
import io.penstock.dataplane.journal.JournalWriter;
import io.penstock.dataplane.libraries.LibraryReport;
import io.penstock.dataplane.pipeline.PipelineView;
import io.penstock.dataplane.pipeline.PipelineView.SlotFigures;
import io.penstock.dataplane.tokens.PromptEncoder;
import io.penstock.dataplane.tokens.TokenStatus;
import io.penstock.dataplane.workers.Fleet;
import io.penstock.dataplane.workers.WorkerState;
import io.penstock.dataplane.workers.WorkerStatus;
import io.penstock.index.RecoveryReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * How the router is: ready while the core decides by its index and at least one worker takes requests; at the start not
 * before the index's code was exercised.
 *
 * <p><b>Threading:</b> thread-safe.
 */
final class RouterStatus implements RouterHealth {
    private final PipelineView view;
    private final Fleet fleet;
    private final EventIngest ingest;
    private final PromptEncoder encoder;
    private final Supplier<Map<String, RecoveryReport>> recoveries;
    private final JournalWriter journal;
    private final Hints hints;
    private final StartTimes times;
    private final Exercising exercise;
    private final PoolRoom pool;

    RouterStatus(
            PipelineView view,
            Fleet fleet,
            EventIngest ingest,
            PromptEncoder encoder,
            Supplier<Map<String, RecoveryReport>> recoveries,
            JournalWriter journal,
            Hints hints,
            StartTimes times,
            Exercising exercise,
            PoolRoom pool) {
        this.view = view;
        this.fleet = fleet;
        this.ingest = ingest;
        this.encoder = encoder;
        this.recoveries = recoveries;
        this.journal = journal;
        this.hints = hints;
        this.times = times;
        this.exercise = exercise;
        this.pool = pool;
    }

    @Override
    public boolean ready() {
        return exercise.done()
                && view.state() == PipelineView.State.NORMAL
                && fleet.list().stream().anyMatch(worker -> worker.state() == WorkerState.HEALTHY);
    }

    @Override
    public Map<String, Object> details() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("ready", ready());
        all.put("state", view.state().name().toLowerCase(Locale.ROOT));
        Map<String, Integer> workers = new TreeMap<>();
        for (WorkerStatus worker : fleet.list()) {
            workers.merge(worker.state().name().toLowerCase(Locale.ROOT), 1, Integer::sum);
        }
        all.put("workers", workers);
        all.put("tokens", tokens());
        Map<String, Object> events = new LinkedHashMap<>();
        events.put("transport", ingest.transport());
        Map<String, Integer> states = new TreeMap<>();
        for (FeedStatus feed : ingest.status()) {
            states.merge(name(feed.state()), 1, Integer::sum);
        }
        events.put("feeds", states);
        all.put("events", events);
        all.put("index", indexes());
        if (pool != null) {
            all.put("pool", pool.details());
        }
        all.put("journal", journal.details());
        all.put(
                "libraries",
                LibraryReport.ofProcess().stream().map(LibraryReport::toMap).toList());
        all.put("start", times.details());
        all.put("alerts", alerts());
        return all;
    }

    private static String name(FeedState state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    private List<Map<String, Object>> indexes() {
        List<Map<String, Object>> out = new ArrayList<>();
        recoveries.get().forEach((file, report) -> {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("file", file);
            entry.put("outcome", report.outcome().name().toLowerCase(Locale.ROOT));
            entry.put("detail", report.detail());
            entry.put("openMs", report.openNs() / 1_000_000);
            out.add(entry);
        });
        return out;
    }

    private List<Map<String, Object>> tokens() {
        List<Map<String, Object>> out = new ArrayList<>();
        for (String model : fleet.models().names()) {
            TokenStatus status = encoder.status(model);
            if (status != null) {
                Map<String, Object> entry = new LinkedHashMap<>();
                entry.put("model", model);
                entry.put("source", status.source().name().toLowerCase(Locale.ROOT));
                entry.put("state", status.state().name().toLowerCase(Locale.ROOT));
                entry.put("detail", status.detail());
                out.add(entry);
            }
        }
        return out;
    }

    private List<String> alerts() {
        List<String> out = new ArrayList<>();
        if (view.state() != PipelineView.State.NORMAL) {
            out.add("requests are placed without the index: the core has failed");
        }
        recoveries.get().forEach((file, report) -> {
            if (report.outcome() == RecoveryReport.Outcome.EMPTY_DAMAGED) {
                out.add("index started empty: file=" + file + " (" + report.detail() + ")");
            }
        });
        if (pool != null) {
            out.addAll(pool.alerts());
        }
        String journalProblem = journal.problem();
        if (journalProblem != null) {
            out.add(journalProblem);
        }
        String hintProblem = hints.problem();
        if (hintProblem != null) {
            out.add("hints by notification are not sent: " + hintProblem);
        }
        for (LibraryReport library : LibraryReport.ofProcess()) {
            if (library.unusable()) {
                out.add(library.name() + " cannot be used: " + library.cause());
            }
        }
        for (SlotFigures slot : view.slots()) {
            if (slot.trust() < 1) {
                out.add("index and engine disagree on cached tokens: worker=" + slot.worker() + " dpRank="
                        + slot.dpRank() + " predictionError=" + Math.round(slot.predictionError() * 100) / 100.0);
            }
        }
        return out;
    }
}
