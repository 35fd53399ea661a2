package io.penstock.dataplane.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessagePack;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

final class ToolReportsTest {
    private static final int WAIT_MS = 20_000;
    private static final AgentIdentity ROOT = new AgentIdentity("root", "root", null, null);
    private static final AgentIdentity CHILD = new AgentIdentity("root", "root/sub", "root", null);

    @Test
    void shouldSayWhoseToolRanAndHowLongInDynamosFlatShape() throws IOException {
        try (ZContext context = new ZContext(1)) {
            ZMQ.Socket router = context.createSocket(SocketType.PULL);
            router.setReceiveTimeOut(WAIT_MS);
            int port = router.bindToRandomPort("tcp://127.0.0.1");
            try (ToolReports reports = new ToolReports("tcp://127.0.0.1:" + port)) {
                reports.began(CHILD, "toolu_1", "Bash", 1_000);
                reports.ended(ROOT, new ToolResult("toolu_2", "Agent", 250), 1_300);
                String head = "{\"schema\":\"dynamo.request.trace.v1\",\"event_type\":";
                assertEquals(
                        json(head + "\"tool_start\",\"event_time_unix_ms\":1000,\"session_id\":\"" + CHILD.wireName()
                                + "\",\"parent_session_id\":\"" + ROOT.wireName()
                                + "\",\"tool\":{\"tool_call_id\":\"toolu_1\",\"tool_class\":\"Bash\",\"status\":\"running\","
                                + "\"started_at_unix_ms\":1000}}"),
                        received(router));
                assertEquals(
                        json(head + "\"tool_end\",\"event_time_unix_ms\":1300,\"session_id\":\"" + ROOT.wireName()
                                + "\",\"tool\":{\"tool_call_id\":\"toolu_2\",\"tool_class\":\"Agent\",\"status\":\"succeeded\","
                                + "\"started_at_unix_ms\":1050,\"ended_at_unix_ms\":1300,\"duration_ms\":250.0}}"),
                        received(router));
            }
        }
    }

    @Test
    void shouldNameAgentsAsTheirRequestsDo() {
        assertEquals(ROOT.claudeCodeHeaders().get("X-Claude-Code-Session-Id"), ROOT.wireName());
        assertEquals(CHILD.claudeCodeHeaders().get("x-claude-code-agent-id"), CHILD.wireName());
        AgentIdentity nested = new AgentIdentity("root", "root/sub/sub", "root/sub", null);
        assertEquals(nested.claudeCodeHeaders().get("x-claude-code-parent-agent-id"), nested.wireParent());
    }

    private static JsonNode received(ZMQ.Socket router) throws IOException {
        byte[] topic = router.recv();
        assertNotNull(topic, "nothing came in " + WAIT_MS + " ms");
        assertEquals("agent-tool-events", new String(topic, StandardCharsets.US_ASCII));
        assertEquals(Long.BYTES, router.recv().length);
        byte[] map = router.recv();
        assertEquals(false, router.hasReceiveMore());
        return json(MessagePack.newDefaultUnpacker(map).unpackValue().toJson());
    }

    private static JsonNode json(String text) throws IOException {
        return new ObjectMapper().readTree(text);
    }
}
