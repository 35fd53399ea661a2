package io.penstock.dataplane.session;

import io.penstock.bindings.harness.AgentContext;
import io.penstock.dataplane.journal.TraceRecord;
import io.penstock.dataplane.pipeline.Outcome;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One agent: what its requests and tools so far add up to.
 *
 * <p>Requests of a session may overlap and need not extend each other; nothing here depends on their order but what is
 * named last.
 *
 * <p><b>Threading:</b> owned by {@link SessionTable}'s lock.
 */
final class Session {
    final String id;
    String parent;
    private final long firstSeenMs;
    private long lastSeenMs;
    private String group;
    private String source;
    private boolean ended;
    private long turns;
    private long failed;
    private long inputTokens;
    private long outputTokens;
    private long cachedTokens;
    private long toolCalls;
    private long toolsStarted;
    private long toolsEnded;
    private long toolsFailed;
    private String model;
    private String worker;
    private String finishReason;
    private String inputTrigger;

    Session(String id, long nowMs) {
        this.id = id;
        this.firstSeenMs = nowMs;
        this.lastSeenMs = nowMs;
    }

    long lastSeenMs() {
        return lastSeenMs;
    }

    String group() {
        return group;
    }

    void seen(long nowMs) {
        lastSeenMs = Math.max(lastSeenMs, nowMs);
    }

    /** The newest word about who it is; what a record leaves out stays. */
    void named(AgentContext agent) {
        String newest = SessionTable.name(agent.group());
        group = newest == null ? group : newest;
        source = agent.source().label();
        ended |= Boolean.TRUE.equals(agent.sessionFinal());
        inputTrigger = agent.inputTrigger() == null
                ? inputTrigger
                : agent.inputTrigger().wire();
    }

    void take(TraceRecord record) {
        switch (record.kind) {
            case REQUEST_END -> turn(record);
            case TOOL_START -> toolsStarted++;
            case TOOL_END -> toolsEnded++;
            case TOOL_ERROR -> toolsFailed++;
            case ADMISSION, HINT -> {}
        }
    }

    private void turn(TraceRecord record) {
        turns++;
        boolean well = record.outcome == Outcome.COMPLETED && record.status < 400;
        failed += well ? 0 : 1;
        inputTokens += Math.max(0, record.inputTokens);
        outputTokens += Math.max(0, record.outputTokens);
        cachedTokens += Math.max(0, record.cachedTokens);
        toolCalls += record.toolCalls.size();
        model = record.model == null ? model : record.model;
        worker = record.worker == null ? worker : record.worker;
        finishReason = record.finishReason == null ? finishReason : record.finishReason;
    }

    long turns() {
        return turns;
    }

    long inputTokens() {
        return inputTokens;
    }

    long outputTokens() {
        return outputTokens;
    }

    /** As it is shown; becomes JSON. */
    Map<String, Object> shown(long nowMs) {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("session", id);
        out.put("parent", parent);
        out.put("group", group);
        out.put("source", source);
        out.put("firstSeenMs", firstSeenMs);
        out.put("lastSeenMs", lastSeenMs);
        out.put("idleMs", Math.max(0, nowMs - lastSeenMs));
        out.put("ended", ended);
        out.put("turns", turns);
        out.put("failedTurns", failed);
        out.put("inputTokens", inputTokens);
        out.put("outputTokens", outputTokens);
        out.put("cachedTokens", cachedTokens);
        out.put("toolCalls", toolCalls);
        Map<String, Object> tools = new LinkedHashMap<>();
        tools.put("started", toolsStarted);
        tools.put("ended", toolsEnded);
        tools.put("failed", toolsFailed);
        out.put("tools", tools);
        out.put("model", model);
        out.put("worker", worker);
        out.put("finishReason", finishReason);
        out.put("inputTrigger", inputTrigger);
        return out;
    }
}
