package io.penstock.dataplane.export;

import com.fasterxml.jackson.core.JsonGenerator;
import io.penstock.dataplane.journal.TraceRecord;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;

/**
 * Mooncake rows, {@code {"timestamp": ms since the first, "input_length", "output_length", "hash_ids"}}, by start.
 *
 * <p>Dynamo's flavour adds {@code request_id} and, for agents, {@code session_id} with the {@code delay} after the answer
 * before (0 where they overlapped): a replay waits for it. AIPerf would put the turns of a session one behind the other
 * although each row has its whole prompt, so there rows stand for themselves.
 *
 * <p><b>Threading:</b> one thread.
 */
final class MooncakeExport implements StreamExport {
    private final boolean sessions;
    private final CompactIds ids = new CompactIds();
    private final Map<String, Long> ends = new HashMap<>();

    private MooncakeExport(boolean sessions) {
        this.sessions = sessions;
    }

    static MooncakeExport dynamo() {
        return new MooncakeExport(true);
    }

    static MooncakeExport aiperf() {
        return new MooncakeExport(false);
    }

    @Override
    public void write(TraceSource source, ExportOptions options, Notices notices, OutputStream out) throws IOException {
        ReplayPlan plan = ReplayPlan.of(source, options, notices);
        try (JsonRows rows = new JsonRows(out)) {
            plan.forEach(
                    (index, request, record) -> rows.add(json -> row(request, record, plan.originMs(), notices, json)));
        }
        BlockSizeNotice.add(plan, notices);
    }

    private void row(ReplayRequest request, TraceRecord record, long originMs, Notices notices, JsonGenerator json)
            throws IOException {
        if (sessions) {
            json.writeStringField("request_id", request.id());
        }
        json.writeNumberField("timestamp", request.startMs() - originMs);
        if (sessions && request.named()) {
            session(request, json);
        }
        json.writeNumberField("input_length", record.inputTokens);
        json.writeNumberField("output_length", record.outputTokens);
        json.writeArrayFieldStart("hash_ids");
        int count = ReplayBlocks.count(record, notices);
        for (int i = 0; i < count; i++) {
            json.writeNumber(ids.id(record.traceHash(i)));
        }
        json.writeEndArray();
    }

    private void session(ReplayRequest request, JsonGenerator json) throws IOException {
        json.writeStringField("session_id", request.session());
        Long before = ends.put(request.session(), request.endMs());
        if (before != null) {
            json.writeNumberField("delay", Math.max(0, request.startMs() - before));
        }
    }
}
