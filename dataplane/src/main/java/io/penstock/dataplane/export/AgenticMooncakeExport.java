package io.penstock.dataplane.export;

import com.fasterxml.jackson.core.JsonGenerator;
import io.penstock.dataplane.journal.TraceRecord;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Dynamo's agentic Mooncake, version 2: a header line, then a row a request with what it waits for.
 *
 * <p>The digest in the header is the SHA-256 of the requests' ids, sessions and times: the same trace, the same digest.
 *
 * <p><b>Threading:</b> one thread.
 */
final class AgenticMooncakeExport implements StreamExport {
    /** Schema of the header line. */
    static final String SCHEMA = "dynamo.agentic_mooncake";

    /** Its version. */
    static final int VERSION = 2;

    private static final String NO_MODEL = "unknown";

    private final CompactIds ids = new CompactIds();

    @Override
    public void write(TraceSource source, ExportOptions options, Notices notices, OutputStream out) throws IOException {
        ReplayPlan plan = ReplayPlan.of(source, options, notices);
        AgentGraph graph = AgentGraph.of(plan.requests(), Lineage.of(plan.requests(), notices), notices);
        try (JsonRows rows = new JsonRows(out)) {
            rows.add(json -> header(source, plan, json));
            plan.forEach((index, request, record) -> rows.add(json -> {
                prompt(graph.play(index), request, record, notices, json);
                waits(plan, graph, index, json);
                json.writeNumberField("recorded_api_time_ms", request.endMs() - request.startMs());
            }));
        }
        BlockSizeNotice.add(plan, notices);
    }

    private static void header(TraceSource source, ReplayPlan plan, JsonGenerator json) throws IOException {
        json.writeStringField("schema", SCHEMA);
        json.writeNumberField("version", VERSION);
        json.writeNumberField("block_size", plan.blockSize());
        json.writeStringField("hash_id_scope", "local");
        json.writeObjectFieldStart("source");
        json.writeStringField("format", source.format());
        json.writeStringField("digest", digest(plan));
        json.writeEndObject();
    }

    private void prompt(int play, ReplayRequest request, TraceRecord record, Notices notices, JsonGenerator json)
            throws IOException {
        json.writeStringField("request_id", request.id());
        json.writeStringField("play_id", "play-" + play);
        json.writeStringField("session_id", request.session());
        json.writeStringField("model", record.model == null ? NO_MODEL : record.model);
        json.writeNumberField("input_length", record.inputTokens);
        json.writeNumberField("output_length", record.outputTokens);
        json.writeArrayFieldStart("hash_ids");
        int count = ReplayBlocks.count(record, notices);
        for (int i = 0; i < count; i++) {
            json.writeNumber(ids.id(record.traceHash(i)));
        }
        json.writeEndArray();
    }

    private static void waits(ReplayPlan plan, AgentGraph graph, int index, JsonGenerator json) throws IOException {
        boolean byClock = graph.dependencies(index).isEmpty();
        long offset = plan.requests().get(index).startMs() - plan.originMs();
        json.writeNumberField("not_before_ms", byClock ? offset : 0);
        json.writeArrayFieldStart("dependencies");
        for (Dependency dependency : graph.dependencies(index)) {
            json.writeStartObject();
            json.writeStringField(
                    "request_id", plan.requests().get(dependency.on()).id());
            json.writeStringField("trigger", dependency.relation().trigger());
            json.writeNumberField("delay_ms", dependency.delayMs());
            json.writeStringField("relation", dependency.relation().word());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static String digest(ReplayPlan plan) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            for (ReplayRequest request : plan.requests()) {
                String line = request.id()
                        + '\t'
                        + request.session()
                        + '\t'
                        + request.startMs()
                        + '\t'
                        + request.endMs()
                        + '\n';
                sha.update(line.getBytes(StandardCharsets.UTF_8));
            }
            return "sha256:" + HexFormat.of().formatHex(sha.digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }
}
