package io.penstock.dataplane.timeline;

import io.penstock.dataplane.journal.TraceReader;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.pipeline.Outcome;
import io.penstock.dataplane.tail.ListedJournal;
import io.penstock.dataplane.tail.TraceRecords;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * A fleet's work of as many requests as wanted: coding agents with tools, pauses, subagents and sub-subagents, growing
 * contexts, lost caches, failures. The same for the same seed.
 *
 * <p><b>Threading:</b> one thread.
 */
final class GeneratedJournal {
    /** When it begins. */
    static final long T0 = 1_795_982_400_000L;

    private static final String[] TOOLS = {"Bash", "Read", "Edit", "Grep", "WebFetch", "TodoWrite"};
    private static final int WORKERS = 8;

    private final SplittableRandom random;
    private final List<TraceRecord> records = new ArrayList<>();

    private int requests;

    private GeneratedJournal(long seed) {
        random = new SplittableRandom(seed);
    }

    static TraceReader of(int requests, long seed) {
        GeneratedJournal journal = new GeneratedJournal(seed);
        long at = T0;
        while (journal.requests < requests) {
            journal.session(null, at, 0, 4 + journal.random.nextInt(60));
            at += (long) (-Math.log(1 - journal.random.nextDouble()) * 12_000);
        }
        journal.records.sort(Comparator.comparingLong(one -> one.epochMs));
        ListedJournal listed = new ListedJournal();
        listed.addAll(journal.records);
        return listed.reader();
    }

    /** @return when it ended */
    private long session(String parent, long from, int depth, int turns) {
        String name = new UUID(random.nextLong(), random.nextLong()).toString();
        String worker = "gpu-" + random.nextInt(WORKERS);
        long at = from;
        int context = 14_000 + random.nextInt(12_000);
        int held = depth == 0 ? 11_000 : 9_000;
        for (int turn = 0; turn < turns; turn++) {
            if (random.nextInt(18) == 0) {
                worker = "gpu-" + random.nextInt(WORKERS);
                held = 11_000;
            }
            TraceRecord request = request(name, parent, at, context, Math.min(held, context), worker);
            records.add(request);
            requests++;
            held = context;
            context += request.outputTokens + 200 + random.nextInt(2_500);
            at = request.epochMs + 1;
            if (turn + 1 < turns && request.outcome == Outcome.COMPLETED) {
                at = between(name, request, at, depth);
            } else {
                at += 500;
            }
        }
        return at;
    }

    private long between(String name, TraceRecord request, long at, int depth) {
        if (depth < 2 && random.nextInt(depth == 0 ? 14 : 30) == 0) {
            long end = at;
            int children = 1 + random.nextInt(4);
            String[] calls = new String[children];
            for (int i = 0; i < children; i++) {
                calls[i] = id() + ":Task";
                end = Math.max(end, session(name, at + 40 + i * 25, depth + 1, 2 + random.nextInt(14)));
            }
            TraceRecords.calling(request, calls);
            return end + 30;
        }
        if (random.nextInt(9) == 0) {
            return at + 4_000 + random.nextInt(90_000);
        }
        String id = id();
        String tool = TOOLS[random.nextInt(TOOLS.length)];
        TraceRecords.calling(request, id + ":" + tool);
        long took = (long) (30 + 2_500 * -Math.log(1 - random.nextDouble()));
        if (random.nextInt(3) == 0) {
            boolean failed = random.nextInt(12) == 0;
            TraceRecord row = TraceRecords.tool(
                    failed ? TraceRecord.Kind.TOOL_ERROR : TraceRecord.Kind.TOOL_END, name, id, tool, at + took);
            row.toolStartedMs = at + 5;
            row.toolEndedMs = at + took;
            row.toolMs = took - 5;
            row.toolStatus = failed ? "error" : "succeeded";
            row.toolErrorType = failed ? "Timeout" : null;
            row.toolOutputTokens = random.nextInt(3_000);
            records.add(row);
        }
        return at + took + 20;
    }

    private String id() {
        return "toolu_" + Long.toUnsignedString(random.nextLong(), 36);
    }

    private TraceRecord request(String session, String parent, long at, int context, int held, String worker) {
        int output = 40 + (int) (350 * -Math.log(1 - random.nextDouble()));
        double routed = 1 + random.nextDouble() * 4 + (random.nextInt(60) == 0 ? 700 : 0);
        double prefill = 25 + (context - held) / 14.0 + random.nextInt(30);
        double total = routed + prefill + output * (14 + random.nextDouble() * 8);
        TraceRecord record = TraceRecords.request(session, parent, at, total);
        record.requestId = new UUID(random.nextLong(), random.nextLong()).toString();
        record.model = random.nextInt(5) == 0 ? "small-coder" : "large-coder";
        record.worker = worker;
        record.inputTokens = context;
        record.outputTokens = output;
        record.predictedCachedTokens = held;
        record.cachedTokens = held - random.nextInt(16);
        record.routedMs = routed;
        record.firstTokenMs = routed + prefill;
        if (random.nextInt(150) == 0) {
            record.outcome = random.nextBoolean() ? Outcome.CANCELLED : Outcome.BROKEN;
            record.finishReason = null;
        }
        return record;
    }
}
