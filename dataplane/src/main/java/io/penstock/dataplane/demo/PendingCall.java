package io.penstock.dataplane.demo;

/**
 * A tool that runs between two turns.
 *
 * <p><b>Threading:</b> immutable.
 *
 * @param callId the answer's name of the call
 * @param tool name of the tool
 * @param beganMs wall clock, ms since 1970
 * @param beganNs the same on the clock that measures durations
 */
record PendingCall(String callId, String tool, long beganMs, long beganNs) {

    /** One that begins now; {@code reports} may be null. */
    static PendingCall began(AgentIdentity agent, String callId, String tool, ToolReports reports) {
        PendingCall call = new PendingCall(callId, tool, System.currentTimeMillis(), System.nanoTime());
        if (reports != null) {
            reports.began(agent, callId, tool, call.beganMs);
        }
        return call;
    }

    /** Its result, now. */
    ToolResult ended(AgentIdentity agent, ToolReports reports) {
        long ms = (System.nanoTime() - beganNs) / 1_000_000;
        ToolResult result = new ToolResult(callId, tool, ms);
        if (reports != null) {
            reports.ended(agent, result, beganMs + ms);
        }
        return result;
    }
}
