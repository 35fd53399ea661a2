package io.penstock.dataplane.demo;

import io.penstock.dataplane.engine.MsgPackWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/**
 * Tells the router when tools begin and end, as harnesses' plugins do: three frames (topic, sequence number, MessagePack
 * map in Dynamo 1.6.1's flat shape) to its PULL socket. What the router does not take in time is lost.
 *
 * <p><b>Threading:</b> thread-safe.
 */
final class ToolReports implements AutoCloseable {
    private static final byte[] TOPIC = "agent-tool-events".getBytes(StandardCharsets.US_ASCII);
    private static final String SCHEMA = "dynamo.request.trace.v1";
    private static final int MOST_WAITING = 10_000;

    private final ZContext context = new ZContext(1);
    private final ZMQ.Socket socket;
    private final MsgPackWriter event = new MsgPackWriter(512);
    private long sent;

    /** To an endpoint, also one that is bound later. */
    ToolReports(String endpoint) {
        context.setLinger(0);
        socket = context.createSocket(SocketType.PUSH);
        socket.setSndHWM(MOST_WAITING);
        socket.connect(endpoint);
    }

    /** A tool began. */
    synchronized void began(AgentIdentity agent, String callId, String tool, long atMs) {
        head(agent, "tool_start", atMs);
        event.map(4);
        call(callId, tool, "running");
        event.text("started_at_unix_ms");
        event.unsigned(atMs);
        send();
    }

    /** A tool ended well. */
    synchronized void ended(AgentIdentity agent, ToolResult result, long atMs) {
        head(agent, "tool_end", atMs);
        event.map(6);
        call(result.callId(), result.tool(), "succeeded");
        event.text("started_at_unix_ms");
        event.unsigned(atMs - result.ms());
        event.text("ended_at_unix_ms");
        event.unsigned(atMs);
        event.text("duration_ms");
        event.float64(result.ms());
        send();
    }

    private void head(AgentIdentity agent, String type, long atMs) {
        String parent = agent.wireParent();
        event.clear();
        event.map(parent == null ? 5 : 6);
        member("schema", SCHEMA);
        member("event_type", type);
        event.text("event_time_unix_ms");
        event.unsigned(atMs);
        member("session_id", agent.wireName());
        if (parent != null) {
            member("parent_session_id", parent);
        }
        event.text("tool");
    }

    private void call(String callId, String tool, String status) {
        member("tool_call_id", callId);
        member("tool_class", tool);
        member("status", status);
    }

    private void member(String name, String value) {
        event.text(name);
        event.text(value);
    }

    /** Without waiting: an agent does not stand still because nobody looks. */
    private void send() {
        int flags = ZMQ.DONTWAIT;
        if (socket.send(TOPIC, flags | ZMQ.SNDMORE)) {
            socket.send(ByteBuffer.allocate(Long.BYTES).putLong(0, sent++).array(), flags | ZMQ.SNDMORE);
            socket.send(Arrays.copyOf(event.array(), event.length()), flags);
        }
    }

    @Override
    public synchronized void close() {
        context.close();
    }
}
