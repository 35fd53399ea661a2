package io.penstock.dataplane.export;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.dataplane.journal.TraceRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A file that stands beside a Letta trajectory, which takes no field that its schema does not name.
 *
 * <p>A run of reasoning and assistant records between others is one call. The file says for each which records it is
 * ({@code records}, first and last index in the trajectory) and which requests of the journal it was; then the tools, by
 * the id of the call, and the requests that belong to no call.
 *
 * <p><b>Threading:</b> one thread.
 */
public final class LettaCompanion {
    /** Schema that the file names. */
    public static final String SCHEMA = "penstock.letta_sidecar.v1";

    private record Run(int first, int last, CallJoin.Call call) {}

    private final TraceSource source;
    private final Notices notices = new Notices();

    /** A companion that takes its numbers from the source. */
    public LettaCompanion(TraceSource source) {
        this.source = source;
    }

    /** What was joined and what was not. */
    public Notices notices() {
        return notices;
    }

    /**
     * The side file of a trajectory.
     *
     * @param name of the trajectory's file, to be found again
     * @param session its session in the journal, or null: the one that has most of its tool calls
     * @throws IllegalArgumentException if it is no Letta trajectory
     */
    public ObjectNode beside(JsonNode trajectory, String name, String session) {
        if (!trajectory.isArray() || !trajectory.path(0).path("role").asText().equals("meta")) {
            throw new IllegalArgumentException(
                    "not a Letta trajectory, which is an array that begins with meta: file=" + name);
        }
        List<Run> runs = runs(trajectory);
        Set<String> ids = new HashSet<>();
        runs.forEach(run -> ids.addAll(run.call().toolCallIds()));
        SessionTrace trace = SessionTrace.find(
                        source, List.of(new SessionTrace.Clues(session == null ? List.of() : List.of(session), ids)))
                .getFirst();
        if (trace.session() == null) {
            throw new IllegalArgumentException(
                    "no session of the journal has this trajectory's tool calls, name it: file=" + name
                            + " --session=");
        }
        source.steppedOver().forEach(notices::add);
        return file(trajectory, name, runs, trace);
    }

    private ObjectNode file(JsonNode trajectory, String name, List<Run> runs, SessionTrace trace) {
        ObjectNode file = JsonNodeFactory.instance.objectNode();
        file.put("schema", SCHEMA);
        file.put("trajectory", name);
        file.put("session_id", trace.session());
        if (trace.parent() != null) {
            file.put("parent_session_id", trace.parent());
        }
        if (trajectory.path(0).path("parent_id").isTextual()) {
            file.set("trajectory_parent_id", trajectory.path(0).path("parent_id"));
        }
        file.set("summary", JoinedJson.summary(trace.requests()));
        List<TraceRecord> rest = calls(file.putArray("calls"), runs, trace);
        tools(file.putArray("tools"), trajectory, trace);
        ArrayNode unjoined = file.putArray("unjoined_requests");
        rest.forEach(request -> unjoined.add(JoinedJson.record(request)));
        notices.add("requests that belong to no call", rest.size());
        return file;
    }

    /** Writes the calls; the requests that belong to none are given back. */
    private List<TraceRecord> calls(ArrayNode out, List<Run> runs, SessionTrace trace) {
        List<List<Integer>> joined = CallJoin.join(runs.stream().map(Run::call).toList(), trace.requests());
        List<TraceRecord> rest = new ArrayList<>(trace.requests());
        for (int i = 0; i < runs.size(); i++) {
            Run run = runs.get(i);
            ObjectNode call = out.addObject();
            call.putArray("records").add(run.first()).add(run.last());
            ArrayNode requests = call.putArray("requests");
            for (int at : joined.get(i)) {
                TraceRecord request = trace.requests().get(at);
                rest.remove(request);
                requests.add(JoinedJson.record(request));
            }
            notices.add(requests.isEmpty() ? "calls without a request" : "calls joined");
        }
        return rest;
    }

    private static void tools(ArrayNode out, JsonNode trajectory, SessionTrace trace) {
        for (int i = 0; i < trajectory.size(); i++) {
            JsonNode record = trajectory.get(i);
            TraceRecord tool = record.path("role").asText().equals("tool")
                    ? trace.tools().get(record.path("tool_call_id").asText())
                    : null;
            if (tool != null) {
                out.add(JoinedJson.tool(tool).put("record", i));
            }
        }
    }

    private static List<Run> runs(JsonNode trajectory) {
        List<Run> runs = new ArrayList<>();
        int first = -1;
        Set<String> tools = new HashSet<>();
        for (int i = 0; i <= trajectory.size(); i++) {
            JsonNode record = trajectory.path(i);
            String role = record.path("role").asText();
            if (role.equals("assistant") || role.equals("reasoning")) {
                first = first < 0 ? i : first;
                record.path("tool_calls")
                        .forEach(call -> tools.add(call.path("id").asText()));
            } else if (first >= 0) {
                runs.add(new Run(first, i - 1, new CallJoin.Call(Set.of(), Set.copyOf(tools))));
                first = -1;
                tools.clear();
            }
        }
        return runs;
    }
}
