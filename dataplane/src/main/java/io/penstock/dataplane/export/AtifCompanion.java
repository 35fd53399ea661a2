package io.penstock.dataplane.export;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.dataplane.journal.TraceRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Adds to an ATIF trajectory, which its harness wrote, what the journal knows: {@code extra.dynamo} with a summary and the
 * joined requests, and numbers for each step in {@code metrics.extra.dynamo}. Nothing else of the document changes.
 *
 * <p>A trajectory is the session of its {@code trajectory_id}, else of its {@code session_id}, else the one that has most
 * of its tool calls; embedded subagent trajectories likewise. Strict validators take it: both places are ATIF's points of
 * extension.
 *
 * <p><b>Threading:</b> one thread.
 */
public final class AtifCompanion {
    private static final String OURS = "dynamo";

    private final TraceSource source;
    private final Notices notices = new Notices();

    /** A companion that takes its numbers from the source. */
    public AtifCompanion(TraceSource source) {
        this.source = source;
    }

    /** What was joined and what was not. */
    public Notices notices() {
        return notices;
    }

    /**
     * Fills the document in.
     *
     * @param session name of the root's session in the journal, or null to find it
     * @throws IllegalArgumentException if it is no ATIF trajectory
     */
    public void fill(JsonNode document, String session) {
        if (!(document instanceof ObjectNode root)
                || !root.path("schema_version").asText().startsWith("ATIF-")
                || !root.path("steps").isArray()) {
            throw new IllegalArgumentException(
                    "not an ATIF trajectory: schema_version=" + document.path("schema_version"));
        }
        List<ObjectNode> trajectories = new ArrayList<>();
        gather(root, trajectories);
        List<SessionTrace.Clues> clues = new ArrayList<>();
        for (ObjectNode trajectory : trajectories) {
            clues.add(clues(trajectory, trajectory == root ? session : null));
        }
        List<SessionTrace> traces = SessionTrace.find(source, clues);
        for (int i = 0; i < traces.size(); i++) {
            fill(trajectories.get(i), traces.get(i));
        }
        source.steppedOver().forEach(notices::add);
    }

    private static void gather(ObjectNode trajectory, List<ObjectNode> out) {
        out.add(trajectory);
        for (JsonNode child : trajectory.path("subagent_trajectories")) {
            if (child instanceof ObjectNode object) {
                gather(object, out);
            }
        }
    }

    private static SessionTrace.Clues clues(ObjectNode trajectory, String session) {
        List<String> sessions = new ArrayList<>();
        if (session != null) {
            sessions.add(session);
        } else {
            for (String name : List.of("trajectory_id", "session_id")) {
                if (trajectory.path(name).isTextual()) {
                    sessions.add(trajectory.path(name).textValue());
                }
            }
        }
        Set<String> ids = new HashSet<>();
        for (JsonNode step : trajectory.path("steps")) {
            if (isCall(step)) {
                ids.addAll(call(step).requestIds());
                ids.addAll(call(step).toolCallIds());
            }
        }
        return new SessionTrace.Clues(sessions, ids);
    }

    private void fill(ObjectNode trajectory, SessionTrace trace) {
        if (trace.session() == null) {
            notices.add("trajectories without a session in the journal");
            return;
        }
        List<ObjectNode> steps = new ArrayList<>();
        List<CallJoin.Call> calls = new ArrayList<>();
        for (JsonNode step : trajectory.path("steps")) {
            if (isCall(step)) {
                steps.add((ObjectNode) step);
                calls.add(call(step));
            }
        }
        List<List<Integer>> joined = CallJoin.join(calls, trace.requests());
        JsonNode[] stepIds = new JsonNode[trace.requests().size()];
        for (int i = 0; i < steps.size(); i++) {
            List<TraceRecord> requests =
                    joined.get(i).stream().map(trace.requests()::get).toList();
            notices.add(requests.isEmpty() ? "steps without a request" : "steps joined");
            if (!requests.isEmpty()) {
                object(object(steps.get(i), "metrics"), "extra").set(OURS, JoinedJson.step(requests));
                JsonNode stepId = steps.get(i).path("step_id");
                joined.get(i).forEach(request -> stepIds[request] = stepId);
            }
        }
        ObjectNode dynamo = object(trajectory, "extra").putObject(OURS);
        dynamo.put("session_id", trace.session());
        if (trace.parent() != null) {
            dynamo.put("parent_session_id", trace.parent());
        }
        dynamo.set("summary", JoinedJson.summary(trace.requests()));
        ArrayNode records = dynamo.putArray("joined_records");
        for (int i = 0; i < stepIds.length; i++) {
            ObjectNode record = JoinedJson.record(trace.requests().get(i));
            if (stepIds[i] != null) {
                record.set("step_id", stepIds[i]);
            }
            notices.add("requests that belong to no step", stepIds[i] == null ? 1 : 0);
            records.add(record);
        }
    }

    private static boolean isCall(JsonNode step) {
        return step.isObject()
                && step.path("source").asText().equals("agent")
                && step.path("llm_call_count").asInt(1) > 0
                && !step.path("is_copied_context").asBoolean();
    }

    private static CallJoin.Call call(JsonNode step) {
        Set<String> requestIds = new HashSet<>();
        for (JsonNode place : List.of(step.path("extra"), step.path("metrics").path("extra"))) {
            for (String name : List.of("x_request_id", "request_id")) {
                if (place.path(name).isTextual()) {
                    requestIds.add(place.path(name).textValue());
                }
            }
        }
        Set<String> toolCallIds = new HashSet<>();
        for (JsonNode tool : step.path("tool_calls")) {
            toolCallIds.add(tool.path("tool_call_id").asText());
        }
        return new CallJoin.Call(requestIds, toolCallIds);
    }

    /** The member, made if it is absent or null. */
    private static ObjectNode object(ObjectNode parent, String name) {
        return parent.get(name) instanceof ObjectNode known ? known : parent.putObject(name);
    }
}
