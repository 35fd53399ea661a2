package io.penstock.dataplane.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.dataplane.journal.TraceRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Trajectories of harnesses, joined with the journal of the same session. */
final class CompanionTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Four turns, a title beside the second, a refused try before the third, and a child. */
    private static ListSource journal() {
        TraceScript script = new TraceScript();
        tool(script.request("q1", "s", null, 0, 100, 8, 11, 12), "call-1");
        script.tool("call-1", "s", 110, 190);
        TraceRecord second = tool(script.request("q2", "s", null, 200, 300, 8, 11, 12), "call-2");
        second.cachedTokens = 4;
        second.firstTokenMs = 30;
        second.overlapBlocks = 1;
        second.worker = "gpu-0";
        script.request("title", "s", null, 210, 220, 4, 91);
        TraceRecord refused = script.request("refused", "s", null, 400, 410, 8, 11, 12);
        refused.status = 529;
        refused.outputTokens = 0;
        script.request("q3", "s", null, 500, 600, 8, 11, 12).clientRequestId = "client-3";
        script.request("q4", "s", null, 700, 800, 8, 11, 12);
        tool(script.request("k1", "kid", "s", 310, 390, 4, 31), "call-k");
        script.request("other", "else", null, 310, 390, 4, 31);
        return script.source();
    }

    private static TraceRecord tool(TraceRecord request, String id) {
        request.toolCalls.add(new TraceRecord.ToolCall(0, 0, id, "bash"));
        return request;
    }

    private static JsonNode json(String text) throws IOException {
        return JSON.readTree(text.replace('\'', '"'));
    }

    @Test
    void shouldFillStepsAndRootWhenAtif() throws IOException {
        JsonNode document = json("""
                {'schema_version':'ATIF-v1.7','session_id':'s','agent':{'name':'x','version':'1'},
                 'steps':[
                  {'step_id':1,'source':'user','message':'go'},
                  {'step_id':2,'source':'agent','message':'','tool_calls':[{'tool_call_id':'call-1','function_name':'bash','arguments':{}}]},
                  {'step_id':3,'source':'agent','message':'','metrics':{'prompt_tokens':8,'extra':{'mine':1}},'tool_calls':[{'tool_call_id':'call-2','function_name':'bash','arguments':{}}]},
                  {'step_id':4,'source':'agent','message':'dispatch','llm_call_count':0},
                  {'step_id':5,'source':'agent','message':'b','extra':{'x_request_id':'client-3'}},
                  {'step_id':6,'source':'agent','message':'c'}],
                 'subagent_trajectories':[{'schema_version':'ATIF-v1.7','session_id':'s','trajectory_id':'kid-of-s','agent':{'name':'x','version':'1'},
                  'steps':[{'step_id':1,'source':'agent','message':'','tool_calls':[{'tool_call_id':'call-k','function_name':'bash','arguments':{}}]}]}],
                 'extra':{'theirs':true}}
                """);
        JsonNode before = document.deepCopy();
        AtifCompanion companion = new AtifCompanion(journal());
        companion.fill(document, null);
        JsonNode steps = document.path("steps");
        assertEquals("[\"q1\"]", ids(steps.get(1)));
        assertEquals("[\"q2\"]", ids(steps.get(2)));
        assertTrue(steps.get(3).path("metrics").isMissingNode(), "a step without a model's call has no metrics");
        assertEquals("[\"q3\"]", ids(steps.get(4)));
        assertEquals("[\"q4\"]", ids(steps.get(5)));
        JsonNode numbers = steps.get(2).path("metrics").path("extra");
        assertEquals(1, numbers.path("mine").asInt());
        assertEquals(4, numbers.path("dynamo").path("cached_tokens").asInt());
        assertEquals(30, numbers.path("dynamo").path("ttft_ms").asDouble());
        assertEquals(0.5, numbers.path("dynamo").path("kv_hit_rate").asDouble());
        JsonNode dynamo = document.path("extra").path("dynamo");
        assertEquals(6, dynamo.path("summary").path("n_records").asInt());
        assertEquals(44, dynamo.path("summary").path("total_input_tokens").asInt());
        assertEquals(0.5, dynamo.path("summary").path("mean_kv_hit_rate").asDouble());
        assertEquals(
                List.of("q1@2", "q2@3", "title@", "refused@", "q3@5", "q4@6"),
                stream(dynamo.path("joined_records"))
                        .map(record -> record.path("request_id").asText() + "@"
                                + record.path("step_id").asText())
                        .toList());
        JsonNode kid = document.path("subagent_trajectories").get(0);
        assertEquals("kid", kid.path("extra").path("dynamo").path("session_id").asText());
        assertEquals(
                "s", kid.path("extra").path("dynamo").path("parent_session_id").asText());
        assertEquals("[\"k1\"]", ids(kid.path("steps").get(0)));
        assertEquals(before, without(document), "all else is as it was");
        assertEquals(2L, companion.notices().counts().get("requests that belong to no step"));
    }

    @Test
    void shouldLeaveCallsAloneWhenTheirNumberDoesNotTell() throws IOException {
        JsonNode document = json("""
                {'schema_version':'ATIF-v1.7','session_id':'s','agent':{'name':'x','version':'1'},
                 'steps':[{'step_id':1,'source':'agent','message':'a'},{'step_id':2,'source':'agent','message':'b'}]}
                """);
        AtifCompanion companion = new AtifCompanion(journal());
        companion.fill(document, null);
        assertTrue(document.path("steps").get(0).path("metrics").isMissingNode());
        assertEquals(2L, companion.notices().counts().get("steps without a request"));
    }

    @Test
    void shouldTakeMessagesOnlyWherePayloadsAre() {
        ListSource journal = journal();
        TraceRecord record = journal.records().getFirst();
        assertFalse(JoinedJson.record(record).path("input").has("messages"));
        record.requestPayload = "{\"messages\":[{\"role\":\"user\"}]}".getBytes(StandardCharsets.UTF_8);
        record.responsePayload = "{\"choices\":[{\"message\":{\"content\":\"hi\"}}]}".getBytes(StandardCharsets.UTF_8);
        ObjectNode told = JoinedJson.record(record);
        assertEquals("user", told.at("/input/messages/0/role").asText());
        assertEquals("hi", told.at("/output/content").asText());
        record.responsePayload = "data: {}".getBytes(StandardCharsets.UTF_8);
        assertFalse(JoinedJson.record(record).path("output").has("content"));
    }

    @Test
    void shouldRefuseWhatIsNoTrajectory() throws IOException {
        JsonNode other = json("{'steps':[]}");
        assertThrows(IllegalArgumentException.class, () -> new AtifCompanion(journal()).fill(other, null));
        assertThrows(IllegalArgumentException.class, () -> new LettaCompanion(journal()).beside(other, "f.json", null));
        JsonNode strange = json("[{'role':'meta','source':'x'},{'role':'assistant','content':'a','timestamp':'t'}]");
        IllegalArgumentException none = assertThrows(
                IllegalArgumentException.class, () -> new LettaCompanion(journal()).beside(strange, "f.json", null));
        assertTrue(none.getMessage().endsWith("file=f.json --session="), none.getMessage());
    }

    @Test
    void shouldWriteAFileBesideWhenLetta() throws IOException {
        JsonNode trajectory = json("""
                [{'role':'meta','source':'claude-code','kind':'subagent','parent_id':'p'},
                 {'role':'user','content':'go','timestamp':'t'},
                 {'role':'reasoning','content':'hm','timestamp':'t'},
                 {'role':'assistant','content':null,'timestamp':'t','tool_calls':[{'id':'call-1','name':'bash','args':'{}'}]},
                 {'role':'tool','tool_call_id':'call-1','content':'ok','timestamp':'t'},
                 {'role':'assistant','content':null,'timestamp':'t','tool_calls':[{'id':'call-2','name':'bash','args':'{}'}]},
                 {'role':'tool','tool_call_id':'call-2','content':'ok','timestamp':'t'},
                 {'role':'assistant','content':'done','timestamp':'t'}]
                """);
        LettaCompanion companion = new LettaCompanion(journal());
        ObjectNode beside = companion.beside(trajectory, "f.json", null);
        assertEquals("penstock.letta_sidecar.v1", beside.path("schema").asText());
        assertEquals("s", beside.path("session_id").asText());
        assertEquals("p", beside.path("trajectory_parent_id").asText());
        assertEquals(
                List.of("[2,3] q1", "[5,5] q2", "[7,7] "),
                stream(beside.path("calls"))
                        .map(call -> call.path("records") + " "
                                + call.path("requests")
                                        .path(0)
                                        .path("request_id")
                                        .asText())
                        .toList());
        // Three requests for one call: which of them it was is not guessed.
        assertEquals(
                List.of("title", "refused", "q3", "q4"),
                stream(beside.path("unjoined_requests"))
                        .map(record -> record.path("request_id").asText())
                        .toList());
        assertEquals(4, beside.path("tools").path(0).path("record").asInt());
        assertEquals(80, beside.path("tools").path(0).path("duration_ms").asDouble());
        assertEquals(2L, companion.notices().counts().get("calls joined"));
    }

    private static String ids(JsonNode step) {
        return step.at("/metrics/extra/dynamo/request_ids").toString();
    }

    /** The document without what was added. */
    private static JsonNode without(JsonNode document) {
        ObjectNode rest = document.deepCopy();
        List<JsonNode> trajectories = new ArrayList<>(List.of(rest));
        rest.path("subagent_trajectories").forEach(trajectories::add);
        for (JsonNode trajectory : trajectories) {
            drop(trajectory, "extra");
            for (JsonNode step : trajectory.path("steps")) {
                if (step.has("metrics")) {
                    drop(step.path("metrics"), "extra");
                    if (step.path("metrics").isEmpty()) {
                        ((ObjectNode) step).remove("metrics");
                    }
                }
            }
        }
        return rest;
    }

    private static void drop(JsonNode owner, String name) {
        if (owner.path(name) instanceof ObjectNode extra) {
            extra.remove("dynamo");
            if (extra.isEmpty()) {
                ((ObjectNode) owner).remove(name);
            }
        }
    }

    private static java.util.stream.Stream<JsonNode> stream(JsonNode array) {
        return java.util.stream.StreamSupport.stream(array.spliterator(), false);
    }
}
