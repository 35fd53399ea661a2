package io.penstock.dataplane.inputlog;

import io.penstock.dataplane.core.RouterCore;
import io.penstock.dataplane.pipeline.Decision;
import io.penstock.dataplane.pipeline.RouteRequest;
import io.penstock.dataplane.routing.Candidates;
import io.penstock.dataplane.routing.PolicyKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * Decides logged requests again through the serving core, and says why.
 *
 * <p><b>Threading:</b> owned by the caller. <b>Cost:</b> all inputs since the last checkpoint are applied, to an index as
 * large as the router's in the temporary folder.
 */
public final class Explainer {
    private final LogFolder folder;

    /**
     * Of a log's folder, living or not.
     *
     * @throws IllegalArgumentException in one line, when there is no log
     */
    public Explainer(Path log) {
        if (!Files.isDirectory(log)) {
            throw new IllegalArgumentException("no input log there: log=" + log);
        }
        folder = new LogFolder(log);
    }

    /**
     * What all decisions of a log came to.
     *
     * @param decisions made again
     * @param equal those of then, byte for byte
     * @param firstDifferent number of the first that is not, or -1
     * @param stretches starts that were replayed from
     * @param obstacles where nothing is claimed
     */
    public record Verified(long decisions, long equal, long firstDifferent, int stretches, List<String> obstacles) {}

    /**
     * Decides one request again.
     *
     * @param other policy to try beside, or null
     * @throws IOException in one line, when it cannot be: not in the log, no request, behind a gap
     */
    public Explained explain(long seq, PolicyKind other) throws IOException {
        try (Replay replay = Replay.before(folder, seq)) {
            Asked asked = new Asked(seq, other, replay);
            replay.run(seq, asked);
            if (asked.answer != null) {
                return asked.answer;
            }
            throw new IOException(missing(seq, replay));
        }
    }

    private String missing(long seq, Replay replay) {
        if (replay.obstacle() != null) {
            return "input " + seq + " cannot be decided again: " + replay.obstacle();
        }
        if (replay.lastSeq() < seq) {
            String torn = replay.torn() == null ? "" : "; last file " + replay.torn();
            return "not in the log: seq=" + seq + ", last=" + replay.lastSeq() + torn;
        }
        return "no request: seq=" + seq + " is another input (" + replay.lastKind() + ")";
    }

    /** Decides all requests of the log again, each from the last point at which the state is known. */
    public Verified verify() throws IOException {
        TreeSet<Long> starts = Replay.starts(folder);
        Tally tally = new Tally();
        List<String> obstacles = new ArrayList<>();
        for (long start : starts) {
            Long next = starts.higher(start);
            try (Replay replay = Replay.before(folder, start + 1)) {
                replay.run(next == null ? Long.MAX_VALUE : next, tally);
                if (replay.obstacle() != null) {
                    obstacles.add(replay.obstacle());
                }
                if (replay.torn() != null) {
                    obstacles.add("file " + replay.torn());
                }
            }
        }
        return new Verified(tally.decisions, tally.equal, tally.firstDifferent, starts.size(), obstacles);
    }

    private static class Tally implements Replay.Listener {
        long decisions;
        long equal;
        long firstDifferent = -1;

        @Override
        public void decided(InputRecord route, RouteRequest request, byte[] logged, long waitNs, ReplayedCore core) {
            if (logged == null) {
                return;
            }
            decisions++;
            if (Arrays.equals(logged, DecisionBytes.of(request.decision))) {
                equal++;
            } else if (firstDifferent < 0) {
                firstDifferent = route.seq();
            }
        }
    }

    private static final class Asked extends Tally {
        private final long seq;
        private final PolicyKind policy;
        private final Replay replay;
        private long randomState;
        private Explained.Other other;
        private Explained answer;

        Asked(long seq, PolicyKind policy, Replay replay) {
            this.seq = seq;
            this.policy = policy;
            this.replay = replay;
        }

        @Override
        public void before(InputRecord route, ReplayedCore replayed) {
            if (route.seq() == seq) {
                randomState = replayed.core().randomState();
                other = policy == null ? null : tried(route, replayed);
            }
        }

        private Explained.Other tried(InputRecord route, ReplayedCore replayed) {
            RouterCore core = replayed.another();
            core.time(route.timeNs());
            RouteRequest request =
                    RouteBytes.read(route.body().duplicate().order(route.body().order()), route.isYes(), done -> {});
            request.policy = policy;
            core.route(request);
            Decision d = request.decision;
            Reason reason = new Reason(core, request, replayed.settings().routing());
            String worker = d.slot < 0 ? null : core.nameOf(d.slot);
            return new Explained.Other(
                    policy.label(), d.status.name(), worker, d.predictedCachedTokens, reason.text(), false);
        }

        @Override
        public void decided(
                InputRecord route, RouteRequest request, byte[] logged, long waitNs, ReplayedCore replayed) {
            if (route.seq() != seq) {
                super.decided(route, request, logged, waitNs, replayed);
                return;
            }
            RouterCore core = replayed.core();
            Decision d = request.decision;
            Reason reason = new Reason(core, request, replayed.settings().routing());
            int chosen = reason.chosen();
            String worker = d.slot < 0 ? null : core.nameOf(d.slot);
            answer = new Explained(
                    seq,
                    replay.epochMs(route.timeNs()),
                    replay.from(),
                    replay.inputs(),
                    decisions,
                    equal,
                    logged != null && Arrays.equals(logged, DecisionBytes.of(d)),
                    logged != null,
                    d.status.name(),
                    worker,
                    reason.policy().label(),
                    reason.text(),
                    request.promptTokens,
                    chosen < 0 ? 0 : core.candidates().requestBlocks[chosen],
                    d.predictedCachedTokens,
                    waitNs,
                    "0x%016x".formatted(randomState),
                    d.status == Decision.Status.ROUTED ? candidates(core, reason) : List.of(),
                    other == null
                            ? null
                            : new Explained.Other(
                                    other.policy(),
                                    other.status(),
                                    other.worker(),
                                    other.predictedCachedTokens(),
                                    other.why(),
                                    java.util.Objects.equals(other.worker(), worker)));
        }

        private static List<Explained.Candidate> candidates(RouterCore core, Reason reason) {
            Candidates c = core.candidates();
            List<Integer> order = new ArrayList<>();
            for (int i = 0; i < c.size; i++) {
                order.add(i);
            }
            order.sort(Comparator.comparingDouble(i -> c.cost[i] * c.blockSize[i]));
            List<Explained.Candidate> all = new ArrayList<>();
            for (int i : order) {
                all.add(new Explained.Candidate(
                        c.slot[i],
                        core.nameOf(c.slot[i]),
                        i == reason.chosen(),
                        c.cost[i],
                        c.device[i],
                        c.host[i],
                        c.disk[i],
                        c.external[i],
                        c.predicted[i],
                        c.sharedBeyond[i],
                        c.trust[i],
                        c.prefillTokens[i],
                        c.decodeBlocks[i],
                        c.activeRequests[i],
                        reason.terms(i)));
            }
            return all;
        }
    }
}
