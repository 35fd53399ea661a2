package io.penstock.dataplane.export;

import com.fasterxml.jackson.core.JsonGenerator;
import io.penstock.dataplane.journal.TraceRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * A root agent with all that it started, as one file of the Weka format: the root's calls, and between them an entry for
 * each subagent where it began.
 *
 * <p>The format knows one level: agents further down stand beside their parents.
 *
 * <p><b>Threading:</b> one thread.
 */
final class WekaConversation {
    private record Agent(String name, List<WekaRequest> calls) {
        long startMs() {
            return calls.getFirst().request().startMs();
        }

        long endMs() {
            return calls.stream()
                    .mapToLong(call -> call.request().endMs())
                    .max()
                    .orElse(startMs());
        }
    }

    private final String root;
    private final int number;
    private final PrefixTree tree = new PrefixTree();
    private final List<WekaRequest> calls = new ArrayList<>();
    private int awaited;

    /**
     * A conversation of which nothing has been read.
     *
     * @param root session at its top
     * @param number by start, from 1
     */
    WekaConversation(String root, int number) {
        this.root = root;
        this.number = number;
    }

    /** One more call will be read. */
    void await() {
        awaited++;
    }

    /** Takes a call; true when it was the last one awaited. */
    boolean add(ReplayRequest request, TraceRecord record) {
        calls.add(WekaRequest.of(request, record, tree));
        return --awaited == 0;
    }

    /** Place among the conversations, from 1. */
    int number() {
        return number;
    }

    /** Writes the file's one object. */
    void write(int blockSize, JsonGenerator json) throws IOException {
        calls.sort((one, other) -> one.request().compareTo(other.request()));
        long originMs = calls.getFirst().request().startMs();
        json.writeStartObject();
        json.writeStringField("id", root);
        models(calls, json);
        json.writeNumberField("block_size", blockSize);
        json.writeStringField("hash_id_scope", "local");
        json.writeNumberField("tool_tokens", 0);
        json.writeNumberField("system_tokens", 0);
        json.writeArrayFieldStart("requests");
        Map<String, Agent> agents = agents();
        long beforeMs = -1;
        for (WekaRequest call : calls) {
            String session = call.request().session();
            if (session.equals(root)) {
                call.write(originMs, beforeMs, json);
                beforeMs = call.request().endMs();
            } else {
                Agent started = agents.remove(session);
                if (started != null) {
                    subagent(started, originMs, json);
                }
            }
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /** The subagents by name, each with its calls by start. */
    private Map<String, Agent> agents() {
        Map<String, Agent> agents = new LinkedHashMap<>();
        for (WekaRequest call : calls) {
            String session = call.request().session();
            agents.computeIfAbsent(session, key -> new Agent(key, new ArrayList<>()))
                    .calls()
                    .add(call);
        }
        return agents;
    }

    private static void subagent(Agent agent, long originMs, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeNumberField("t", Seconds.of(agent.startMs() - originMs));
        json.writeStringField("type", "subagent");
        json.writeStringField("agent_id", agent.name());
        json.writeStringField("subagent_type", "unknown");
        json.writeNumberField("duration_ms", agent.endMs() - agent.startMs());
        long tokens = 0;
        int tools = 0;
        for (WekaRequest call : agent.calls()) {
            tokens += call.input() + call.output();
            tools += call.toolCalls();
        }
        json.writeNumberField("total_tokens", tokens);
        json.writeNumberField("tool_use_count", tools);
        json.writeStringField("status", "completed");
        json.writeArrayFieldStart("requests");
        long beforeMs = -1;
        for (WekaRequest call : agent.calls()) {
            call.write(originMs, beforeMs, json);
            beforeMs = call.request().endMs();
        }
        json.writeEndArray();
        models(agent.calls(), json);
        json.writeNumberField("tool_tokens", 0);
        json.writeNumberField("system_tokens", 0);
        json.writeEndObject();
    }

    private static void models(Collection<WekaRequest> calls, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("models");
        TreeSet<String> models = new TreeSet<>();
        calls.forEach(call -> models.add(call.model()));
        for (String model : models) {
            json.writeString(model);
        }
        json.writeEndArray();
    }
}
